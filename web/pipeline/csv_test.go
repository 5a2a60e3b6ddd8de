package pipeline_test

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/pipeline"
	"hearthline/web/webtest"
)

// exportCSV exports a list and parses the file: its header, and each row by column name.
func exportCSV(v *webtest.Browser, query string) (head []string, rows []map[string]string) {
	v.H.T.Helper()
	got := v.Get("/leads.csv" + query)
	if got.Status != http.StatusOK {
		v.H.T.Fatalf("/leads.csv%s: got %d: %s", query, got.Status, got.MainText())
	}
	words, marked := strings.CutPrefix(got.Body, text.ByteOrderMark)
	if !marked {
		v.H.T.Error("the file lacks a byte order mark, so that a spreadsheet does not read it as UTF-8")
	}
	all, err := csv.NewReader(strings.NewReader(words)).ReadAll()
	if err != nil || len(all) == 0 {
		v.H.T.Fatalf("/leads.csv%s is not a valid CSV file: %v", query, err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

// columnCells returns the cells of one column.
func columnCells(rows []map[string]string, name string) []string {
	var cells []string
	for _, r := range rows {
		cells = append(cells, r[name])
	}
	slices.Sort(cells)
	return cells
}

func TestPipelineCSV_MatchesList(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, marcus, piotr := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("piotr")
	path := olivia.StartLead("Rivera-Match", "applicant.name.firstName", "Ñandú")
	olivia.WaitFor(path, `form[action$="/add-ssn"]`)
	marcus.StartLead("Stone", "property.address.state", "CO", "property.address.zip", "80202",
		"property.address.city", "Denver")
	piotr.StartLead("Nowak")
	head, rows := exportCSV(olivia, "?view=all")
	if want := "Lead,City,State,Next step,Waiting on,Due"; !strings.HasPrefix(strings.Join(head, ","), want) {
		t.Errorf("the header: got %v, want %s first", head, want)
	}
	if got := columnCells(rows, "Application ID"); !slices.Equal(got, []string{strings.TrimPrefix(path, "/leads/")}) {
		t.Fatalf("olivia: got %v, want her own lead", got)
	}
	if body := olivia.Get("/leads.csv?view=all").Body; strings.Contains(body, "Rivera") ||
		strings.Contains(body, "Ñandú") {
		t.Error("the file contains the borrower's name")
	}
	r := rows[0]
	if r["Requested amount"] != "60000.00" || r["State"] != "ID" || r["Next step"] != "SSN needed" ||
		r["Waiting on"] != "Originator" {
		t.Errorf("got %v", r)
	}
	if at, err := time.Parse("01/02/2006 3:04 PM", r["Due"]); err != nil || at.IsZero() {
		t.Errorf("due: got %q, want a time that a spreadsheet reads", r["Due"])
	}
	_, rows = exportCSV(h.SignInAs("maya"), "?view=all")
	if got := columnCells(rows, "Loan originator"); !slices.Equal(got, []string{"Marcus Reyes", "Olivia Bennett"}) {
		t.Errorf("her manager: got the originators %v, want the company’s", got)
	}
	for query, want := range map[string][]string{
		"?view=all&state=CO": {"CO"}, "?view=today": {"CO", "ID"}, "?view=blocked": {"ID"}, "?view=closing": nil,
		"?q=stone": {"CO"}, "?q=nowak": nil,
		"?view=all&originator=" + h.People["olivia"].OriginatorUUID:      {"ID"},
		"?view=all&originator=" + h.People["piotr"].OriginatorUUID:       nil,
		"?q=elena&originator=" + h.People["olivia"].OriginatorUUID:       nil,
		"?view=all&step=CREDIT_MATCH_REQUIRED&sort=amount&after=ignored": {"ID"},
	} {
		if _, rows := exportCSV(h.SignInAs("maya"), query); !slices.Equal(columnCells(rows, "State"), want) {
			t.Errorf("%s: got %v, want %v", query, columnCells(rows, "State"), want)
		}
	}
	got := olivia.Get("/leads.csv")
	if c := got.Header.Get("Content-Disposition"); !strings.HasPrefix(c, `attachment; filename="leads-20`) ||
		strings.Contains(c, "Bennett") {
		t.Errorf("Content-Disposition: got %q", c)
	}
	if got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("got %v", got.Header)
	}
	if link := olivia.Get("/leads?view=all&state=ID").Find("#csv").
		AttrOr("href", ""); link != to.Full.LeadsCSV(to.LeadsQuery{View: "all", State: "ID"}) {
		t.Errorf("the link: got %q, want the same list", link)
	}
	ada := h.SignInAs("ada")
	if got := ada.Get("/leads.csv"); got.Status != http.StatusForbidden ||
		ada.Get("/leads?view=all").Find("#csv").Length() != 0 {
		t.Errorf("an assistant: got %d, want it denied and not offered", got.Status)
	}
	h.ExecSQL(`UPDATE operations SET state = 'unknown' WHERE app = ?`, strings.TrimPrefix(path, "/leads/"))
	if _, rows = exportCSV(olivia, "?view=all"); rows[0]["Waiting on"] != "Not confirmed" || rows[0]["Due"] != "" {
		t.Errorf("an outcome is unknown: got %v, want neither a mover nor a time", rows[0])
	}
}

func TestAccessLog_DownloadsAndExports(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	papers, err := h.DeskDeps.Lender.Documents(t.Context(), app)
	if err != nil || len(papers.Value) == 0 {
		t.Fatalf("no documents to try: %v", err)
	}
	maya, ada := h.SignInAs("maya"), h.SignInAs("ada")
	olivia.WaitFor(path+"/documents", "main a[href*='/documents/']")
	for range 2 {
		ada.Get(path + "/documents/" + papers.Value[0].UUID)
	}
	ada.Get(path + "/documents.zip")
	maya.Get(path + "/offer-sheet")
	exportCSV(maya, "?view=all")
	olivia.Get(path+"/activity").WantText(
		"Who opened this lead", "Ada Assist", "document “"+papers.Value[0].FileName+"”", "2 times total", "all documents",
		"the offer sheet or borrower’s page", "Maya", "a list that includes this lead",
	)
	if got := ada.Get(path + "/activity"); got.Find("#openings").Length() != 0 {
		t.Error("an assistant can see who viewed the lead")
	}
	maya.Get(path + "/activity").WantText("Who opened this lead")
	for _, entry := range []string{
		"user-ada document.download lead:" + string(app) + " allowed",
		"user-maya lead.sheet lead:" + string(app) + " allowed", "user-maya leads.export user:user-maya begun",
		"user-maya leads.export user:user-maya done",
	} {
		h.WantAudited(entry)
	}
	rows, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionExport, Limit: 1})
	if err != nil || len(rows) != 1 || rows[0].Detail != "rows:1" {
		t.Errorf("the end of the export: got %+v, %v, want the number of exported rows", rows, err)
	}
}

// TestPipelineCSV_EscapesFormulas: a borrower's name must not become a formula in a spreadsheet.
func TestPipelineCSV_EscapesFormulas(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "＝1", "－1"} {
		if got := text.EscapeFormula(words); got != "'"+words {
			t.Errorf("%q: got %q, want an apostrophe before it", words, got)
		}
	}
	for _, words := range []string{"", "Elena", "O’Brien", "2-4 unit", "a=b", "Ñandú"} {
		if got := text.EscapeFormula(words); got != words {
			t.Errorf("%q: got %q, want it unchanged", words, got)
		}
	}
	v := text.Viewer{Zone: time.UTC}
	bad := lead.PipelineRow{Originator: "@cmd",
		Row: &lead.Row{City: "+44", State: "-1", ShortID: "=100-1", App: "a", ExpirationDate: "=1"}}
	for i, cell := range pipeline.CSVRow(v, &bad) {
		if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
			t.Errorf("%s: got %q", pipeline.CSVHeader()[i], cell)
		}
	}
}

// TestCSVRow_OthersFacts_NotOurs: nobody knows who has to satisfy a condition, and a lead that was added later was
// started on the date that the lender gives.
func TestCSVRow_OthersFacts_NotOurs(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	sample := func(key heloc.StatusKey, lane heloc.Lane) lead.Row {
		l := webtest.SampleLeadRow(key, heloc.MoverBorrower, lane)
		l.Source, l.StartedOn, l.CreatedAt = lead.SourcePortal, "2026-10-01", v.Now.UnixMilli()
		return l
	}
	own, conditions, added, dayless := sample("borrower-sign-in", heloc.LaneBorrower), sample("application",
		heloc.LaneClosing), sample("borrower-sign-in", heloc.LaneBorrower), sample("borrower-sign-in", heloc.LaneBorrower)
	conditions.OpenConditions = 2
	added.Source = lead.SourceAdopted
	dayless.Source, dayless.StartedOn = lead.SourceAdopted, ""
	for _, tt := range []struct {
		name             string
		l                lead.Row
		waiting, started string
	}{
		{"started here", own, "Borrower", "11/20/2026 2:15 PM"},
		{"open conditions", conditions, "Conditions", "11/20/2026 2:15 PM"},
		{"adopted", added, "Borrower", "10/01/2026"},
		{"adopted, day not known", dayless, "Borrower", ""},
	} {
		row := pipeline.CSVRow(v, &lead.PipelineRow{Row: &tt.l})
		cell := func(name string) string { return row[slices.Index(pipeline.CSVHeader(), name)] }
		if got, started := cell("Waiting on"), cell("Started"); got != tt.waiting || started != tt.started {
			t.Errorf("%s: waiting on %q since %q, want %q since %q", tt.name, got, started, tt.waiting, tt.started)
		}
	}
}

func TestPipelineCSV_NotElevated_RequiresStepUp(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	v, key, _ := h.Enroll("olivia", clock)
	v.StartLead("Rivera")
	for range 3 {
		clock.Advance(25 * time.Minute)
		v.Get("/leads")
	}
	asked := v.Get("/leads.csv?view=all")
	if asked.Path != "/account/confirm" || strings.Contains(asked.Body, "Rivera") {
		t.Fatalf("got %d at %s, want a step-up first", asked.Status, asked.Path)
	}
	if rows, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionExport, Limit: 1}); err != nil ||
		len(rows) != 0 {
		t.Errorf("before the step-up: got %+v, %v, want no export", rows, err)
	}
	got := v.Send(asked.Form("form#proof").With("proof.code", webtest.TOTPCode(t, key, clock.Now())))
	if got.Path != "/leads.csv" || !strings.Contains(got.Body, "Boise") {
		t.Errorf("got %d at %s, want the file", got.Status, got.Path)
	}
}
