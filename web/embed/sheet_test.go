package embed_test

import (
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestOfferSheet_InAFrame_IsDownloaded: inline, the PDF would replace the desk, and browsers show no PDF in a
// sandboxed frame.
func TestOfferSheet_InAFrame_IsDownloaded(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	olivia := h.SignInAs("olivia")
	lead := f.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	for disposition, pdf := range map[string]*webtest.Response{"attachment": f.Get(lead + "/offer-sheet"),
		"inline": olivia.Get(lead + "/offer-sheet")} {
		if got := pdf.Header.Get("Content-Disposition"); !strings.HasPrefix(got, disposition+";") ||
			!strings.HasPrefix(pdf.Body, "%PDF-") {
			t.Errorf("got %d, %q, want %s", pdf.Status, got, disposition)
		}
	}
}
