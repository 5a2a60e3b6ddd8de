package web

import (
	"strings"
	"testing"
)

// TestEmbedPipeline_VouchedByCRM_MasksFigures reads the list of a user vouched for only by a CRM. It contains no
// place and no amount, and no filter or sort order reveals them.
func TestEmbedPipeline_VouchedByCRM_MasksFigures(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	olivia := h.signInAs("olivia")
	olivia.waitFor(olivia.startLead("Rivera"), `input[name="offer.offerUuid"]`)
	row := func(p *response) string {
		return strings.Join(strings.Fields(p.Find("table.leads tbody tr").Text()), " ")
	}
	if open := row(olivia.get("/leads?view=all")); !strings.Contains(open, "Boise, ID") || !strings.Contains(open, "$") {
		t.Fatalf("her own list: %s", open)
	}
	f := a.openFrame(launchFor("51"))
	masked := f.get("/leads?view=all")
	if got := row(masked); strings.Contains(got, "Boise") || strings.Contains(got, "ID") || strings.Contains(got, "$") || !strings.Contains(got, "Offers ready") {
		t.Errorf("the masked list: %s", got)
	}
	if masked.Find(`[name="state"], option[value="amount"]`).Length() != 0 {
		t.Error("the page offers a filter or sort order for masked values")
	}
	for _, query := range []string{"&state=TX", "&q=Nobody", "&sort=amount"} {
		if got := f.get("/leads?view=all" + query).Find("table.leads tbody tr").Length(); got != 1 {
			t.Errorf("%s: got %d rows, want the one", query, got)
		}
	}
	for _, path := range []string{"/", "/leads", "/leads.ics"} {
		if got := f.get(path); strings.Contains(got.body, "Boise") || strings.Contains(got.body, "Rivera") || strings.Contains(got.text(), "$") {
			t.Errorf("%s: %s", path, got.text())
		}
	}
}
