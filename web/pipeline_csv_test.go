package web

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/views/to"
	"hearthline/web/format"
	"hearthline/web/pipeline"
)

// exportCSV exports a list and parses the file: its header, and each row by column name.
func (v *testBrowser) exportCSV(query string) (head []string, rows []map[string]string) {
	v.h.t.Helper()
	got := v.get("/leads.csv" + query)
	if got.status != http.StatusOK {
		v.h.t.Fatalf("/leads.csv%s: got %d: %s", query, got.status, got.text())
	}
	text, marked := strings.CutPrefix(got.body, pipeline.ByteOrderMark)
	if !marked {
		v.h.t.Error("the file lacks a byte order mark, so that a spreadsheet does not read it as UTF-8")
	}
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		v.h.t.Fatalf("/leads.csv%s is not a valid CSV file: %v", query, err)
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
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia, marcus, piotr := h.signInAs("olivia"), h.signInAs("marcus"), h.signInAs("piotr")
	path := olivia.startLead("Rivera-Match", "applicant.name.firstName", "Ñandú")
	olivia.waitFor(path, `form[action$="/add-ssn"]`)
	marcus.startLead("Stone", "property.address.state", "CO", "property.address.zip", "80202", "property.address.city", "Denver")
	piotr.startLead("Nowak")
	head, rows := olivia.exportCSV("?view=all")
	if want := "Lead,City,State,Next step,Whose move,Due"; !strings.HasPrefix(strings.Join(head, ","), want) {
		t.Errorf("the header: got %v, want %s first", head, want)
	}
	if got := columnCells(rows, "Application ID"); !slices.Equal(got, []string{strings.TrimPrefix(path, "/leads/")}) {
		t.Fatalf("olivia: got %v, want her own lead", got)
	}
	if body := olivia.get("/leads.csv?view=all").body; strings.Contains(body, "Rivera") || strings.Contains(body, "Ñandú") {
		t.Error("the file contains the borrower's name")
	}
	r := rows[0]
	if r["Requested amount"] != "60000.00" || r["State"] != "ID" || r["Next step"] != "SSN needed" || r["Whose move"] != "Originator" {
		t.Errorf("got %v", r)
	}
	if at, err := time.Parse("01/02/2006 3:04 PM", r["Due"]); err != nil || at.IsZero() {
		t.Errorf("due: got %q, want a time that a spreadsheet reads", r["Due"])
	}
	_, rows = h.signInAs("maya").exportCSV("?view=all")
	if got := columnCells(rows, "Loan originator"); !slices.Equal(got, []string{"Marcus Reyes", "Olivia Bennett"}) {
		t.Errorf("her manager: got the originators %v, want the company’s", got)
	}
	for query, want := range map[string][]string{
		"?view=all&state=CO": {"CO"}, "?view=today": {"ID"}, "?view=closing": nil, "?q=stone": {"CO"}, "?q=nowak": nil,
		"?view=all&originator=" + h.people["olivia"].OriginatorUUID:      {"ID"},
		"?view=all&originator=" + h.people["piotr"].OriginatorUUID:       nil,
		"?q=elena&originator=" + h.people["olivia"].OriginatorUUID:       nil,
		"?view=all&step=CREDIT_MATCH_REQUIRED&sort=amount&after=ignored": {"ID"},
	} {
		if _, rows := h.signInAs("maya").exportCSV(query); !slices.Equal(columnCells(rows, "State"), want) {
			t.Errorf("%s: got %v, want %v", query, columnCells(rows, "State"), want)
		}
	}
	got := olivia.get("/leads.csv")
	if c := got.header.Get("Content-Disposition"); !strings.HasPrefix(c, `attachment; filename="leads-20`) || strings.Contains(c, "Bennett") {
		t.Errorf("Content-Disposition: got %q", c)
	}
	if got.header.Get("Cache-Control") != "no-store" || got.header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("got %v", got.header)
	}
	if link := olivia.get("/leads?view=all&state=ID").Find("#csv").AttrOr("href", ""); link != to.Full.LeadsCSV(to.LeadsQuery{View: "all", State: "ID"}) {
		t.Errorf("the link: got %q, want the same list", link)
	}
	ada := h.signInAs("ada")
	if got := ada.get("/leads.csv"); got.status != http.StatusForbidden || ada.get("/leads?view=all").Find("#csv").Length() != 0 {
		t.Errorf("an assistant: got %d, want it denied and not offered", got.status)
	}
}

func TestAccessLog_DownloadsAndExports(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	path, app := olivia.startLeadAt("Rivera", heloc.StepOffersAvailable)
	papers, err := h.deskDeps.Lender.Documents(t.Context(), app)
	if err != nil || len(papers.Value) == 0 {
		t.Fatalf("no documents to try: %v", err)
	}
	maya, ada := h.signInAs("maya"), h.signInAs("ada")
	olivia.waitFor(path+"/documents", "main a[href*='/documents/']")
	for range 2 {
		ada.get(path + "/documents/" + papers.Value[0].UUID)
	}
	ada.get(path + "/documents.zip")
	maya.get(path + "/offer-sheet")
	maya.exportCSV("?view=all")
	olivia.get(path+"/activity").wantText(
		"Who opened this lead", "Ada Assist", "document “"+papers.Value[0].FileName+"”", "2 times in all", "all documents", "the offer sheet",
		"Maya", "a list that includes this lead",
	)
	if got := ada.get(path + "/activity"); got.Find("#openings").Length() != 0 {
		t.Error("an assistant can see who viewed the lead")
	}
	maya.get(path + "/activity").wantText("Who opened this lead")
	for _, entry := range []string{
		"user-ada document.download lead:" + string(app) + " allowed", "user-maya lead.sheet lead:" + string(app) + " allowed",
		"user-maya leads.export user:user-maya begun", "user-maya leads.export user:user-maya done",
	} {
		h.wantAudited(entry)
	}
	rows, err := h.store.Audits(t.Context(), store.AuditQuery{Action: store.ActionExport, Limit: 1})
	if err != nil || len(rows) != 1 || rows[0].Detail != "rows:1" {
		t.Errorf("the end of the export: got %+v, %v, want the number of exported rows", rows, err)
	}
}

// TestPipelineCSV_EscapesFormulas: a borrower's name must not become a formula in a spreadsheet.
func TestPipelineCSV_EscapesFormulas(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "＝1", "－1"} {
		if got := pipeline.EscapeFormula(text); got != "'"+text {
			t.Errorf("%q: got %q, want an apostrophe before it", text, got)
		}
	}
	for _, text := range []string{"", "Elena", "O’Brien", "2-4 unit", "a=b", "Ñandú"} {
		if got := pipeline.EscapeFormula(text); got != text {
			t.Errorf("%q: got %q, want it unchanged", text, got)
		}
	}
	v := format.Viewer{Zone: time.UTC}
	bad := desk.PipelineRow{Originator: "@cmd"}
	bad.City, bad.State, bad.ShortID, bad.App = "+44", "-1", "100-1", "a"
	bad.ExpirationDate = "=1"
	for i, cell := range pipeline.CSVRow(v, bad) {
		if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
			t.Errorf("%s: got %q", pipeline.CSVHeader()[i], cell)
		}
	}
}

func TestPipelineCSV_NotElevated_RequiresStepUp(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	v, key, _ := h.enroll("olivia", clock)
	v.startLead("Rivera")
	for range 3 {
		clock.advance(25 * time.Minute)
		v.get("/leads")
	}
	asked := v.get("/leads.csv?view=all")
	if asked.path != "/account/confirm" || strings.Contains(asked.body, "Rivera") {
		t.Fatalf("got %d at %s, want a step-up first", asked.status, asked.path)
	}
	if rows, err := h.store.Audits(t.Context(), store.AuditQuery{Action: store.ActionExport, Limit: 1}); err != nil || len(rows) != 0 {
		t.Errorf("before the step-up: got %+v, %v, want no export", rows, err)
	}
	got := v.send(asked.form("form#proof").with("proof.code", totpCode(t, key, clock.now())))
	if got.path != "/leads.csv" || !strings.Contains(got.body, "Boise") {
		t.Errorf("got %d at %s, want the file", got.status, got.path)
	}
}
