package web

import (
	"strings"
	"testing"
)

// TestOfferSheet_InAFrame_IsDownloaded: inline, the PDF would replace the desk, and browsers show no PDF in a
// sandboxed frame.
func TestOfferSheet_InAFrame_IsDownloaded(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
	olivia := h.signInAs("olivia")
	lead := f.startLead("Rivera")
	olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	for disposition, pdf := range map[string]*response{"attachment": f.get(lead + "/offer-sheet"), "inline": olivia.get(lead + "/offer-sheet")} {
		if got := pdf.header.Get("Content-Disposition"); !strings.HasPrefix(got, disposition+";") || !strings.HasPrefix(pdf.body, "%PDF-") {
			t.Errorf("got %d, %q, want %s", pdf.status, got, disposition)
		}
	}
}
