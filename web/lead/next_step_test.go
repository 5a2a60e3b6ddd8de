package lead_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	leadview "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/web/lead"
	"hearthline/web/webtest"
	"hearthline/web/workspace"
)

// presentedStep renders the next-step card of a lead as the overview shows it.
func presentedStep(t *testing.T, v text.Viewer, d *workspace.Data) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := leadview.Overview(&leadview.OverviewView{Step: lead.PresentNextStep(v, d), Notes: &leadview.NotesView{}}).
		Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestNextStep_SetAside_DoesNotQuoteLender(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	d := &workspace.Data{Can: v.Who.Can, NewOperationID: func(heloc.Operation) string { return "t" }}
	d.View.Row = webtest.SampleLeadRow(heloc.StatusNoOffers, "", "")
	d.View.Row.SetAsideAt = 1
	d.View.Row.Step = heloc.StepLienMatching
	if words := presentedStep(t, v, d).Find("#step").Text(); strings.Contains(words, "has no offers") ||
		strings.Contains(words, "Say:") || !strings.Contains(words, "The lender wasn’t notified") {
		t.Errorf("got %q", words)
	}
	d.View.Row.Step = heloc.StepNoOffers
	if words := presentedStep(t, v, d).Find("#step").Text(); !strings.Contains(words, "has no offers") {
		t.Errorf("got %q", words)
	}
}

func TestNextStep_CannotAct_HasNoForms(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	v.Who = access.Actor{}
	for _, key := range text.StatusKeys() {
		d := &workspace.Data{Can: func(access.Permission) bool { return false },
			NewOperationID: func(heloc.Operation) string { return "t" }}
		d.View.Row = webtest.SampleLeadRow(heloc.StatusKey(key), "", "")
		d.View.Row.WhoseMove = heloc.MoverYou
		d.View.Originator.UUID, d.View.Originator.FirstName, d.View.Originator.LastName = "o-1", "Olivia", "Bennett"
		doc := presentedStep(t, v, d)
		doc.Find(`form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
			t.Errorf("%s: unexpected form for %s", key, s.AttrOr("action", ""))
		})
		if key != string(heloc.StatusOffers) && !strings.Contains(doc.Find("#step").Text(), "Olivia Bennett responds") {
			t.Errorf("%s: the card does not name who can act", key)
		}
	}
}

// TestNextStep_EveryStatus_HasItsForm renders the step of every status for its originator: each blocked step has
// exactly the form of its operation.
func TestNextStep_EveryStatus_HasItsForm(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	for _, key := range text.StatusKeys() {
		d := &workspace.Data{Can: v.Who.Can, NewOperationID: func(heloc.Operation) string { return "t" }}
		d.View.Row = webtest.SampleLeadRow(heloc.StatusKey(key), "", "")
		d.View.ConsentText.Text = "Do you agree?"
		operation := heloc.StatusKey(key).NextOperation()
		if operation == "" || operation == heloc.OpSelectOffer { // offers have their own area
			continue
		}
		if key == string(heloc.StatusChooseProperty) {
			d.View.Properties = &heloc.MatchedProperties{Properties: []heloc.MatchedProperty{{ID: "p1"}}}
		}
		if n := presentedStep(t, v, d).Find(`form[action$="/` + string(operation) + `"]`).Length(); n != 1 {
			t.Errorf("%s: got %d forms for %s, want one", key, n, operation)
		}
	}
}
