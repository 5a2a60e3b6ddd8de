package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// series is a metric as the portal exposes it.
type series struct {
	histogram bool
	labels    []string
}

// metricsOf returns the metrics of a portal, and the labels of each.
func metricsOf(t *testing.T, h *portal) map[string]series {
	t.Helper()
	families, err := h.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]series{}
	for _, f := range families {
		one := series{histogram: f.GetMetric()[0].GetHistogram() != nil, labels: []string{"instance", "job"}}
		for _, l := range f.GetMetric()[0].GetLabel() {
			one.labels = append(one.labels, l.GetName())
		}
		all[f.GetName()] = one
		if one.histogram {
			all[f.GetName()+"_count"], all[f.GetName()+"_sum"] = series{labels: one.labels}, series{labels: one.labels}
			all[f.GetName()+"_bucket"] = series{labels: append(slices.Clone(one.labels), "le")}
		}
	}
	return all
}

var (
	selector   = regexp.MustCompile(`([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?`)
	texts      = regexp.MustCompile(`"[^"]*"`)
	ranges     = regexp.MustCompile(`\[[^\]]*\]`)
	groupings  = regexp.MustCompile(`\b(?:by|without|on|ignoring)\s*\(([^)]*)\)`)
	labelNames = regexp.MustCompile(`([a-z_]+)\s*(?:=|!)`)
	notMetrics = []string{"and", "or", "unless", "bool", "offset"}
)

// wrongIn returns what a query asks for that the portal does not have: metrics, and labels of metrics.
func wrongIn(query string, known map[string]series) (wrong []string, used []string) {
	query = ranges.ReplaceAllString(texts.ReplaceAllString(query, `""`), "")
	var grouped []string
	for _, found := range groupings.FindAllStringSubmatch(query, -1) {
		for name := range strings.SplitSeq(found[1], ",") {
			grouped = append(grouped, strings.TrimSpace(name))
		}
	}
	var labels []string
	for _, found := range selector.FindAllStringSubmatch(groupings.ReplaceAllString(query, ""), -1) {
		name := found[1]
		if found[3] != "" || slices.Contains(notMetrics, name) {
			continue // a function or an operator
		}
		metric, ok := known[name]
		if !ok || metric.histogram {
			wrong = append(wrong, name)
			continue
		}
		used, labels = append(used, name), append(labels, metric.labels...)
		for _, label := range labelNames.FindAllStringSubmatch(found[2], -1) {
			if !slices.Contains(metric.labels, label[1]) {
				wrong = append(wrong, name+"{"+label[1]+"}")
			}
		}
	}
	for _, name := range grouped {
		if name != "" && !slices.Contains(labels, name) {
			wrong = append(wrong, "by ("+name+")")
		}
	}
	return wrong, used
}

func TestWrongIn(t *testing.T) {
	t.Parallel()
	known := map[string]series{"a_total": {labels: []string{"x"}}, "h": {histogram: true},
		"h_bucket": {labels: []string{"le", "x"}}}
	for query, want := range map[string]string{
		`sum by (x) (rate(a_total{x="b{c"}[5m])) > 0.5`: "", `b_total`: "b_total", `h`: "h",
		`a_total{y=~"1"} and on () h_bucket`: "a_total{y}", `sum by (le, y) (rate(h_bucket{x!="1"}[5m]))`: "by (y)",
		`max(a_total) unless on () max(c) == 1`: "c", `absent(a_total) - time() < 14 * 86400`: "",
	} {
		if wrong, _ := wrongIn(query, known); strings.Join(wrong, " ") != want {
			t.Errorf("%s: got %q, want %q", query, wrong, want)
		}
	}
}

// alertsIn reads alerts.yml, in which each line has one key and one value.
func alertsIn(t *testing.T) []map[string]string {
	t.Helper()
	raw, err := os.ReadFile("monitoring/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	var alerts []map[string]string
	for line := range strings.Lines(string(raw)) {
		key, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), ": ")
		if key == "alert" {
			alerts = append(alerts, map[string]string{})
		}
		if len(alerts) > 0 && value != "" {
			alerts[len(alerts)-1][key] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return alerts
}

// sections returns the anchors of the headings of a page.
func sections(t *testing.T, path string) []string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var anchors []string
	for line := range strings.Lines(string(raw)) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			anchors = append(anchors, strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " ", "-"))
		}
	}
	return anchors
}

// TestMonitoring_QueriesOnlyWhatThePortalHas compares the dashboard and the alerts with the metrics of a portal.
// Every metric of the portal is on the dashboard, too.
func TestMonitoring_QueriesOnlyWhatThePortalHas(t *testing.T) {
	h, _ := newMeasuredPortal(t)
	defer func() { _ = h.close() }()
	known, shown := metricsOf(t, h), map[string]bool{}

	raw, err := os.ReadFile("monitoring/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(raw, &dashboard); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			n++
			wrong, used := wrongIn(target.Expr, known)
			for _, name := range used {
				for _, end := range []string{"_bucket", "_count", "_sum"} {
					name = strings.TrimSuffix(name, end)
				}
				shown[name] = true
			}
			for _, one := range wrong {
				t.Errorf("the panel %q asks for %s, which the portal does not have", panel.Title, one)
			}
		}
	}
	if n < 40 {
		t.Errorf("the dashboard has %d queries, which cannot be all", n)
	}
	for name, one := range known {
		if base := strings.HasSuffix(name, "_bucket") || strings.HasSuffix(name, "_sum") ||
			strings.HasSuffix(name, "_count") && !one.histogram; base {
			continue
		}
		if strings.HasPrefix(name, "hearthline_") && !shown[name] {
			t.Errorf("%s is not on the dashboard", name)
		}
	}

	alerts, anchors := alertsIn(t), sections(t, "OPERATIONS.md")
	if len(alerts) < 15 {
		t.Errorf("found %d alerts, which cannot be all", len(alerts))
	}
	for _, alert := range alerts {
		for _, key := range []string{"alert", "expr", "severity", "summary", "description", "action", "runbook"} {
			if alert[key] == "" {
				t.Errorf("%s has no %s", alert["alert"], key)
			}
		}
		wrong, used := wrongIn(alert["expr"], known)
		for _, one := range wrong {
			t.Errorf("%s asks for %s, which the portal does not have", alert["alert"], one)
		}
		if len(used) == 0 {
			t.Errorf("%s asks for nothing", alert["alert"])
		}
		page, anchor, _ := strings.Cut(alert["runbook"], "#")
		if page != "cmd/portal/OPERATIONS.md" || !slices.Contains(anchors, anchor) {
			t.Errorf("%s links to %s, which does not exist; there are %v", alert["alert"], alert["runbook"], anchors)
		}
	}
}
