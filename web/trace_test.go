package web_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/partner"
	"hearthline/internal/trace"
	"hearthline/internal/trace/tracetest"
	"hearthline/web"
	"hearthline/web/webtest"
)

// reference matches the reference of a request, which is random.
var reference = regexp.MustCompile(`^[A-Z2-7]{8}$`)

// identifier matches what can identify a user, a lead or another row.
var identifier = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}|@|hl-|[0-9]{6}`)

// checkSpans checks that the spans of a run name nobody: their attributes have only known keys, and the values are
// words of the code.
func checkSpans(t *testing.T, h *webtest.Harness, tracer *trace.Tracer, spans *tracetest.Spans, app string) {
	t.Helper()
	h.Must(tracer.Flush(t.Context()))
	all := spans.All()
	if len(all) < 1000 {
		t.Errorf("got %d spans, which cannot be all", len(all))
	}
	routes := map[string]bool{}
	for _, route := range h.Routes() {
		routes[route.Pattern] = true
	}
	var operations []string
	for _, e := range partner.Endpoints() {
		operations = append(operations, e.Name)
	}
	person := []string{app, strings.ToUpper(app), "Rivera", "canary"}
	for _, user := range h.People {
		person = append(person, user.UserID, user.Email, user.Name, user.OriginatorUUID)
	}
	for _, span := range all {
		text := span.Name + " " + span.Other
		for key, value := range span.Attributes {
			if !slices.Contains(trace.Keys(), key) {
				t.Errorf("%s has the attribute %s=%s", span.Name, key, value)
			}
			switch key {
			case "http.route":
				if !routes[value] {
					t.Errorf("%s has the route %s, which does not exist", span.Name, value)
				}
			case "hearthline.lender.operation":
				if !slices.Contains(operations, value) {
					t.Errorf("%s has the operation %s, which does not exist", span.Name, value)
				}
			case "hearthline.reference":
				if !reference.MatchString(value) {
					t.Errorf("%s has the reference %s, which is no reference", span.Name, value)
				}
				continue
			}
			text += " " + value
		}
		for _, one := range person {
			if one != "" && strings.Contains(text, one) {
				t.Errorf("a span contains %q: %s", one, text)
			}
		}
		if found := identifier.FindString(text); found != "" {
			t.Errorf("a span contains %q, which may identify somebody: %s", found, text)
		}
	}
}

// under returns the part of a tree that begins with a span, to the next one of the same depth.
func under(tree, name string) string {
	_, rest, _ := strings.Cut("\n"+tree, "\n"+name)
	part := name
	for line := range strings.Lines(rest) {
		if part != name && !strings.HasPrefix(line, " ") {
			break
		}
		part += line
	}
	return part
}

func TestTrace_LeadPageAndStart(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{Tracer: tracer})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `a[href$="/offers"]`)
	olivia.Get(path)
	h.Must(tracer.Flush(t.Context()))
	tree := spans.Tree()
	t.Log(tree)
	for span, children := range map[string][]string{
		"POST /leads http": {
			"\n  handle start\n", "    store.Write\n      wait for the writer\n", "      store.AddOperation db.system.name=",
			"      commit\n", "lender start hearthline.lender.operation=start\n",
			"POST start hearthline.lender.attempt=1 hearthline.lender.operation=start http.request.method=POST " +
				"http.response.status_code=200",
		},
		"GET /leads/{app} http": {"\n  open lead\n    store.AnyLead db.system.name=",
			"\n  handle lead overview\n    store.Parts db.system.name="},
		"refresh lead": {"lender details", "GET details hearthline.lender.attempt=1"},
	} {
		got := under(tree, span)
		for _, want := range children {
			if !strings.Contains(got, want) {
				t.Errorf("got\n%s\nwant %q in it", got, want)
			}
		}
	}
	if strings.Contains(tree, "/static") || strings.Contains(tree, "/healthz") {
		t.Error("static files and health checks have traces, as if somebody would look for them")
	}
}

// TestTrace_LogLine_SameID expects that the line of a request names its trace, and that the span has the line's
// reference.
func TestTrace_LogLine_SameID(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{Tracer: tracer, NoSync: true, NoJobs: true})
	b := h.SignInAs("olivia")
	b.Get("/leads?q=somebody")
	h.Must(tracer.Flush(t.Context()))
	var line struct {
		Ref     string `json:"ref"`
		TraceID string `json:"trace_id"`
	}
	lines := strings.Split(strings.TrimSpace(h.Log.String()), "\n")
	h.Must(json.Unmarshal([]byte(lines[len(lines)-1]), &line))
	for _, span := range spans.Named("GET /leads") {
		if span.TraceID == line.TraceID && span.Attributes["hearthline.reference"] == line.Ref && line.Ref != "" {
			return
		}
	}
	t.Errorf("no span of %+v: %+v", line, spans.Named("GET /leads"))
}

// TestTrace_ClientsTraceparent_Ignored expects a trace of the portal: a client must not choose its id, nor that it is
// not sampled.
func TestTrace_ClientsTraceparent_Ignored(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	h := webtest.New(t, webtest.Options{Tracer: tracer, NoSync: true, NoJobs: true})
	b := h.NewBrowser()
	const theirs = "0af7651916cd43dd8448eb211c80319c"
	got := b.Get("/login", "traceparent", fmt.Sprintf("00-%s-b7ad6b7169203331-00", theirs), "tracestate", "theirs=canary")
	if got.Status != http.StatusOK {
		t.Fatalf("got %d", got.Status)
	}
	h.Must(tracer.Flush(t.Context()))
	ours := spans.Named("GET /login")
	if len(ours) != 1 || ours[0].TraceID == theirs || ours[0].Parent != "" || strings.Contains(ours[0].Other, "canary") {
		t.Errorf("got %+v, want one trace of our own id", ours)
	}
}

// TestTrace_Stream_EndsWhenItOpens expects the span of a stream while the stream is open, and nothing of its checks.
func TestTrace_Stream_EndsWhenItOpens(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	p.Rebuild(func(d *web.Deps) { d.Tracer = tracer })
	b := p.SignedIn(t, access.Originator)
	server := httptest.NewServer(p)
	defer server.Close()
	defer p.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "sid", Value: b.Cookies["sid"]})
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	_ = nextEvent(t, bufio.NewReader(res.Body))
	if n := p.OpenStreams(); n != 1 {
		t.Errorf("got %d open streams, want 1", n)
	}
	if err := tracer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := spans.Named("GET /events"); len(got) != 1 || got[0].Attributes["http.response.status_code"] != "200" {
		t.Errorf("got %+v, want one span of the open stream", got)
	}
}
