package embed_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/web/webtest"
)

// recordNotes returns the intake's notes about the CRM's record, in order.
func recordNotes(p *webtest.Response) string {
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
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	connectUserAs(a, "marcus")
	a.Attest()
	h.SignInAs("olivia").StartLead("Rivera", "partnerDataRequest.externalReferenceId", "51")
	his := a.OpenFrame(asUser("marcus", webtest.LaunchFor("51")))
	autosave(his, his.Get("/").Form("form#intake"))

	beside := webtest.LaunchFor("51")
	beside.Prefill["amountWanted"] = strings.Repeat("9", 201)
	f := a.OpenFrame(beside)
	page := f.Get("/leads/new")
	first := recordNotes(page)
	for _, want := range []string{"Some fields weren’t filled in", "A colleague started", "Leads with this record’s ID"} {
		if !strings.Contains(first, want) {
			t.Fatalf("the first page shows %q, want %q in it", first, want)
		}
	}
	form := page.Form("form#intake").With("frame.seen", "true", "applicant.name.lastName", "Rivera-Liens")
	for what, more := range map[string][]string{"without scripts": nil,
		"by script": {"HX-Request", "true", "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty"}} {
		again := f.Send(form, more...)
		if again.Status != http.StatusUnprocessableEntity || recordNotes(again) != first {
			t.Errorf("%s: got %d with the notes %q, want 422 with %q", what, again.Status, recordNotes(again), first)
		}
	}
	if got := f.Send(form.With("row.add", "property.liens")); got.Status != http.StatusOK || recordNotes(got) != first {
		t.Errorf("one more row: got %d with the notes %q, want %q", got.Status, recordNotes(got), first)
	}

	// The page notes that a draft was resumed, and continues to show this.
	autosave(f, form)
	f = a.OpenFrame(beside)
	page = f.Get("/leads/new")
	resumed := recordNotes(page)
	if !strings.HasPrefix(resumed, first) || !strings.Contains(resumed, "Rivera in CRM acme, Rivera-Liens here") {
		t.Fatalf("resumed: got %q", resumed)
	}
	draft := page.Form("form#intake").With("frame.seen", "true")
	if got := f.Send(draft); got.Status != http.StatusUnprocessableEntity || recordNotes(got) != resumed {
		t.Errorf("resumed and sent: got %d with the notes %q, want 422 with %q", got.Status, recordNotes(got), resumed)
	}
	// Open it by its own URL, where a browser without scripts lands after "Save draft".
	if got := f.Get("/leads/new?draft=" + draft.Values.Get("draft")); recordNotes(got) != resumed {
		t.Errorf("by its address: got %q, want %q", recordNotes(got), resumed)
	}
	// Notes about this record do not appear in another record's draft.
	other := a.OpenFrame(webtest.LaunchFor("52"))
	autosave(other, other.Get("/leads/new").Form("form#intake"))
	elsewhere := other.Get("/leads/new").Form("form#intake").Values.Get("draft")
	if got := f.Get("/leads/new?draft=" + elsewhere); got.Status != http.StatusOK || recordNotes(got) != "" {
		t.Errorf("another record's draft: got %d with the notes %q, want none", got.Status, recordNotes(got))
	}
	if got := f.Send(draft.With("draft", elsewhere)); recordNotes(got) != "" {
		t.Errorf("another record's draft, sent: got the notes %q, want none", recordNotes(got))
	}
}
