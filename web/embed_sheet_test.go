package web

import (
	"strings"
	"testing"
)

// TestOfferSheet_InAFrame_IsDownloaded: shown, it would take the place of the desk, and
// browsers show no PDF in a sandboxed frame.
func TestOfferSheet_InAFrame_IsDownloaded(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	f := a.enters(opening("51"))
	olivia := h.visit("olivia")
	lead := f.starts("Rivera")
	olivia.awaits(lead, `input[name="offer.offerUuid"]`)
	for disposition, pdf := range map[string]*answerPage{"attachment": f.get(lead + "/offer-sheet"), "inline": olivia.get(lead + "/offer-sheet")} {
		if got := pdf.header.Get("Content-Disposition"); !strings.HasPrefix(got, disposition+";") || !strings.HasPrefix(pdf.body, "%PDF-") {
			t.Errorf("got %d, %q, want %s", pdf.status, got, disposition)
		}
	}
}
