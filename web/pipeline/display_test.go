package pipeline_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/web/webtest"
)

// A user chooses columns and row height with an ordinary form, and every list of this browser follows.
func TestLeads_ColumnsChosen_ListFollows(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	h.AddFrozenLead()
	olivia := h.SignInAs("olivia")
	heads := func() string {
		var labels []string
		olivia.Get("/leads?view=all").Find(".leads th").
			Each(func(_ int, s *goquery.Selection) { labels = append(labels, strings.TrimSpace(s.Text())) })
		return strings.Join(labels, ", ")
	}
	if got, want := heads(), "Borrower, Property, Next step, Amount, Last contact"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	form := olivia.Get("/leads?view=all&state=ID").Find(`form[action^="/leads/display"]`)
	if got := form.AttrOr("action", ""); got != "/leads/display?view=all&state=ID" {
		t.Fatalf("got the action %q, want one that returns to this list", got)
	}
	if got := form.Find(`[name="column"][value="originator"]`).AttrOr("type", ""); got != "hidden" {
		t.Errorf("got %q: an originator's list offers no column for originators, and keeps the choice for other lists", got)
	}
	got := olivia.Post("/leads/display?view=all&state=ID",
		url.Values{"column": {"age", "step", "nonsense", "originator"}, "density": {"compact"}})
	if state := got.Find(`[name="state"] option[selected]`).AttrOr("value", ""); got.Path != "/leads" || state != "ID" {
		t.Errorf("got %s with state %q, want the list again", got.Path, state)
	}
	if got, want := heads(), "Borrower, Next step, Started"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	list := olivia.Get("/leads?view=all")
	if list.Find(`html[data-density="compact"]`).Length() != 1 {
		t.Error("the rows are not compact")
	}
	if list.Find(".leads tbody tr").First().Find("td").Length() != 3 {
		t.Error("the rows do not have the columns of the header")
	}
	for _, value := range []string{"age", "step", "originator"} {
		box := list.Find(`#display [name="column"][value="` + value + `"]`)
		if _, checked := box.Attr("checked"); box.Length() != 1 || !checked && value != "originator" {
			t.Errorf("%s: the form does not show the choice", value)
		}
	}
	olivia.Post("/leads/display", url.Values{"density": {"enormous"}})
	if got := heads(); got != "Borrower" {
		t.Errorf("no column: got %s, want the borrower alone", got)
	}
	if olivia.Get("/leads").Find(`html[data-density="compact"]`).Length() != 1 {
		t.Error("an unknown row height changed the rows")
	}
}

// Times that depend on now name the instant, so that the browser can keep them true.
func TestLeads_RelativeTimes_NameTheInstant(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	h.AddFrozenLead()
	olivia := h.SignInAs("olivia")
	olivia.Post("/leads/display", url.Values{"column": {"step", "updated", "age"}})
	h.ExecSQL(`UPDATE leads SET source = ?`, lead.SourcePortal)
	list := olivia.Get("/leads?view=all")
	if list.Find("html").AttrOr("data-now", "") == "" {
		t.Error("the page does not say what the server's clock is")
	}
	for _, cell := range []string{".c-updated", ".c-age"} {
		if at := list.Find(cell+` time[data-relative="ago"]`).AttrOr("datetime", ""); !strings.HasSuffix(at, "Z") {
			t.Errorf("%s: got %q, want an instant", cell, at)
		}
	}
	for day, want := range map[string]string{"2024-10-01": "Oct 1, 2024", "": ""} { // added here, and started elsewhere
		h.ExecSQL(`UPDATE leads SET source = ?, started_on = ?`, lead.SourceAdopted, day)
		if got := strings.TrimSpace(olivia.Get("/leads?view=all").Find("td.c-age").First().Text()); got != want {
			t.Errorf("added, the lender's day %q: got %q, want %q", day, got, want)
		}
	}
}

// The form for the selected rows exists for those who may reassign, and works without script.
func TestLeads_Selection_IsAnOrdinaryForm(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	h.AddFrozenLead()
	list := h.SignInAs("maya").Get("/leads?view=all")
	if list.Find(`.leads label > input.pick[form="many"][name="app"]`).Length() != list.Find(".leads tbody tr").Length() {
		t.Error("not every row can be selected")
	}
	bar := list.Find(`form#many[method="post"]`)
	if bar.Find(`button[type="reset"]`).Length() != 1 || bar.Find(`button[type="submit"]`).Length() != 1 {
		t.Error("the bar cannot clear or reassign the selection")
	}
}

// TestLeads_EveryDate_AsOnTheLead: the list says which date a lead has reached, as the lead's own page does.
func TestLeads_EveryDate_AsOnTheLead(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	app := h.AddFrozenLead()
	olivia := h.SignInAs("olivia")
	h.ExecSQL(`UPDATE leads SET converted = ?, lane = ?, whose_move = ?, rescission_date = '2024-01-10',
		signing_date = '2024-01-10', notary_date = '2024-01-10', disclosure_date = '2024-01-10',
		funded_date = '2024-01-10', canceled_date = '2024-01-10',
		declined_date = '2024-01-10', expiration_date = '2024-01-10'`, true, "closing", heloc.MoverBorrower)
	seen := 0
	for _, key := range text.StatusKeys() {
		h.ExecSQL(`UPDATE leads SET status_key = ?`, key)
		row := h.LeadRow(app)
		want := webtest.DenverViewer(t).TimingOf(&row, lead.UsualWait{}).Text.String()
		got := olivia.Get("/leads?view=all").Find(".leads tbody tr").First().Text()
		if strings.Contains(want, "Jan 10") {
			seen++
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: the list has no %q: %s", key, want, strings.Join(strings.Fields(got), " "))
		}
	}
	if seen < 9 {
		t.Errorf("got %d statuses with a date, want at least 9", seen)
	}
}
