package embed_test

import (
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestEmbedPipeline_VouchedByCRM_MasksFigures reads the list of a user vouched for only by a CRM. It contains no
// place and no amount, and no filter or sort order reveals them.
func TestEmbedPipeline_VouchedByCRM_MasksFigures(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	olivia := h.SignInAs("olivia")
	olivia.WaitFor(olivia.StartLead("Rivera"), `input[name="offer.offerUuid"]`)
	row := func(p *webtest.Response) string {
		return strings.Join(strings.Fields(p.Find("table.leads tbody tr").Text()), " ")
	}
	if open := row(olivia.Get("/leads?view=all")); !strings.Contains(open, "Boise, ID") || !strings.Contains(open, "$") {
		t.Fatalf("her own list: %s", open)
	}
	f := a.OpenFrame(webtest.LaunchFor("51"))
	masked := f.Get("/leads?view=all")
	if got := row(masked); strings.Contains(got, "Boise") || strings.Contains(got, "ID") || strings.Contains(got, "$") ||
		!strings.Contains(got, "Offers ready") {
		t.Errorf("the masked list: %s", got)
	}
	if masked.Find(`[name="state"], option[value="amount"]`).Length() != 0 {
		t.Error("the page offers a filter or sort order for masked values")
	}
	for _, query := range []string{"&state=TX", "&q=Nobody", "&sort=amount"} {
		if got := f.Get("/leads?view=all" + query).Find("table.leads tbody tr").Length(); got != 1 {
			t.Errorf("%s: got %d rows, want the one", query, got)
		}
	}
	for _, path := range []string{"/", "/leads", "/leads.ics"} {
		if got := f.Get(path); strings.Contains(got.Body, "Boise") || strings.Contains(got.Body, "Rivera") ||
			strings.Contains(got.MainText(), "$") {
			t.Errorf("%s: %s", path, got.MainText())
		}
	}
}
