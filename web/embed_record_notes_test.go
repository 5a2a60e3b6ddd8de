package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// recordNotes returns the intake's notes about the CRM's record, in order.
func (p *response) recordNotes() string {
	var all []string
	p.Find("form#intake > .note:not(.fail):not(#complaints)").Each(func(_ int, note *goquery.Selection) {
		all = append(all, strings.Join(strings.Fields(note.Text()), " "))
	})
	return strings.Join(all, "\n")
}

// TestRecordNotes_RedisplayedForm_Kept posts an incomplete intake, with and without scripts. The redisplayed form
// shows the same notes about the record beside its errors.
func TestRecordNotes_RedisplayedForm_Kept(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.connectUserAs("marcus")
	a.attest()
	h.signInAs("olivia").startLead("Rivera", "partnerDataRequest.externalReferenceId", "51")
	his := a.openFrame(asUser("marcus", launchFor("51")))
	his.autosave(his.get("/").form("form#intake"))

	beside := launchFor("51")
	beside.Prefill["amountWanted"] = strings.Repeat("9", 201)
	f := a.openFrame(beside)
	page := f.get("/leads/new")
	first := page.recordNotes()
	for _, want := range []string{"Some fields weren’t filled in", "A colleague started", "Leads with this record’s ID"} {
		if !strings.Contains(first, want) {
			t.Fatalf("the first page shows %q, want %q in it", first, want)
		}
	}
	form := page.form("form#intake").with("frame.seen", "true", "applicant.name.lastName", "Rivera-Liens")
	for what, more := range map[string][]string{"without scripts": nil, "by script": {"HX-Request", "true", "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty"}} {
		again := f.send(form, more...)
		if again.status != http.StatusUnprocessableEntity || again.recordNotes() != first {
			t.Errorf("%s: got %d with the notes %q, want 422 with %q", what, again.status, again.recordNotes(), first)
		}
	}
	if got := f.send(form.with("row.add", "property.liens")); got.status != http.StatusOK || got.recordNotes() != first {
		t.Errorf("one more row: got %d with the notes %q, want %q", got.status, got.recordNotes(), first)
	}

	// The page notes that a draft was resumed, and continues to show this.
	f.autosave(form)
	f = a.openFrame(beside)
	page = f.get("/leads/new")
	resumed := page.recordNotes()
	if !strings.HasPrefix(resumed, first) || !strings.Contains(resumed, "Rivera in CRM acme, Rivera-Liens here") {
		t.Fatalf("resumed: got %q", resumed)
	}
	draft := page.form("form#intake").with("frame.seen", "true")
	if got := f.send(draft); got.status != http.StatusUnprocessableEntity || got.recordNotes() != resumed {
		t.Errorf("resumed and sent: got %d with the notes %q, want 422 with %q", got.status, got.recordNotes(), resumed)
	}
	// Open it by its own URL, where a browser without scripts lands after "Save draft".
	if got := f.get("/leads/new?draft=" + draft.values.Get("draft")); got.recordNotes() != resumed {
		t.Errorf("by its address: got %q, want %q", got.recordNotes(), resumed)
	}
	// Notes about this record do not appear in another record's draft.
	other := a.openFrame(launchFor("52"))
	other.autosave(other.get("/leads/new").form("form#intake"))
	elsewhere := other.get("/leads/new").form("form#intake").values.Get("draft")
	if got := f.get("/leads/new?draft=" + elsewhere); got.status != http.StatusOK || got.recordNotes() != "" {
		t.Errorf("another record's draft: got %d with the notes %q, want none", got.status, got.recordNotes())
	}
	if got := f.send(draft.with("draft", elsewhere)); got.recordNotes() != "" {
		t.Errorf("another record's draft, sent: got the notes %q, want none", got.recordNotes())
	}
}
