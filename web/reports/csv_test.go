package reports_test

import (
	"encoding/csv"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/webtest"
)

// TestReportCSV_EachReport_SameFiguresAsPage downloads every report: US dates, the figures of the page, formulas
// escaped, and a row in the audit.
func TestReportCSV_EachReport_SameFiguresAsPage(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(5, 7))}
	h.addLeads(80)
	h.ExecSQL(`UPDATE originators SET first_name = '=1+1' WHERE uuid = ?`, h.People["marcus"].OriginatorUUID)
	maya := h.SignInAs("maya")
	for _, name := range to.ReportNames() {
		q := to.ReportQuery{Period: "12-months", By: "originator"}
		link := maya.Get(to.Full.Report(name, q)).Find(`a[href*=".csv"]`).AttrOr("href", "")
		if link != to.Full.ReportCSV(name, q) {
			t.Fatalf("%s: the page links to %q", name, link)
		}
		file := maya.Get(link)
		words, marked := strings.CutPrefix(file.Body, text.ByteOrderMark)
		if file.Status != http.StatusOK || !marked || !strings.HasPrefix(file.Header.Get("Content-Disposition"),
			`attachment; filename="`+name+`-`) {
			t.Fatalf("%s: got %d with %q", name, file.Status, file.Header.Get("Content-Disposition"))
		}
		rows, err := csv.NewReader(strings.NewReader(words)).ReadAll()
		h.Must(err)
		page := maya.Get(to.Full.Report(name, q))
		if name != "time-in-step" { // TestTimeInStep_EachStep_SameFiguresAsFile: its page compares one step at a time
			if shown := page.Find("#groups tbody tr").Length() + page.Find("#groups tfoot tr").Length(); len(rows) != shown+1 {
				t.Errorf("%s: got %d rows, want %d and a header", name, len(rows), shown)
			}
			page.Find("#groups tr").Each(func(i int, tr *webtest.Selection) {
				if i == 0 {
					return
				}
				want := strings.TrimSpace(tr.Find("td").First().Find("a, span").First().Text())
				if got := rows[i][6]; got != want {
					t.Errorf("%s, row %d: the first figure is %q, and %q on the page", name, i, got, want)
				}
			})
		}
		if got, want := rows[0][:5], []string{"Started from", "Started through", "As of", "Company",
			"Filters"}; !slices.Equal(got, want) {
			t.Errorf("%s: got the columns %q, want %q", name, got, want)
		}
		for _, row := range rows[1:] {
			if row[3] != "Summit Home Lending" || row[4] != "None" {
				t.Errorf("%s: got the company %q and the filters %q", name, row[3], row[4])
			}
			for i, cell := range row {
				if strings.HasPrefix(cell, "=") {
					t.Errorf("%s: a formula: %q", name, cell)
				}
				if i < 2 {
					if _, err := time.Parse("01/02/2006", cell); err != nil {
						t.Errorf("%s: %q is not a US date", name, cell)
					}
				}
			}
		}
		if !strings.Contains(words, "'=1+1") {
			t.Errorf("%s: the formula in a name is missing or not escaped", name)
		}
		if strings.Contains(words, "@") || strings.Contains(words, "00000000-0000-4000") {
			t.Errorf("%s: the file has emails or ids", name)
		}
	}
	audited, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionReportExport, Limit: 9})
	if err != nil || len(audited) != len(to.ReportNames()) {
		t.Errorf("the audit: got %d rows, %v, want %d", len(audited), err, len(to.ReportNames()))
	}
	if got := maya.Get("/reports/none.csv"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown report: got %d, want 404", got.Status)
	}
}

// TestReports_Filtered_PaperAndFileSaySo: the controls are not printed and a file has none, so the heading and the rows
// name the company, the filters, the period and the date.
func TestReports_Filtered_PaperAndFileSaySo(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(5, 7))}
	h.addLeads(80)
	maya := h.SignInAs("maya")
	all := to.ReportQuery{Period: "12-months"}
	filtered := to.ReportQuery{Period: "12-months", Originator: h.People["marcus"].OriginatorUUID, State: "ID",
		Source: "unknown"}
	heading := func(path string) string {
		return strings.Join(strings.Fields(maya.Get(path).Find(".head").Text()), " ")
	}
	asOf := regexp.MustCompile(`As of [A-Z][a-z]{2} \d{1,2}, 20\d\d, \d{1,2}:\d\d [AP]M [A-Z]{3,4}`)
	for _, path := range []string{to.Full.ReportsWith(filtered), to.Full.Report("funnel", filtered),
		to.Full.Report("time-in-step", filtered)} {
		got := heading(path)
		for _, want := range []string{"Summit Home Lending", "Inquiries started", "Originator: Marcus Reyes", "State: Idaho",
			"Source: Not recorded"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: the heading lacks %q: %s", path, want, got)
			}
		}
		if !asOf.MatchString(got) {
			t.Errorf("%s: the heading lacks the date: %s", path, got)
		}
	}
	if got := heading(to.Full.ReportsWith(all)); strings.Contains(got, "Originator:") || strings.Contains(got, "State:") ||
		strings.Contains(got, "Source:") {
		t.Errorf("without filters, the heading names some: %s", got)
	}
	words, _ := strings.CutPrefix(maya.Get(to.Full.ReportCSV("funnel", filtered)).Body, text.ByteOrderMark)
	rows, err := csv.NewReader(strings.NewReader(words)).ReadAll()
	h.Must(err)
	for _, row := range rows[1:] {
		if row[3] != "Summit Home Lending" || row[4] != "Originator: Marcus Reyes; State: Idaho; Source: Not recorded" {
			t.Errorf("got the company %q and the filters %q", row[3], row[4])
		}
	}
}
