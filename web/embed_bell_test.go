package web

import (
	"strings"
	"testing"
)

// TestTheBellOfAFrame counts, and names nobody to whom a CRM's word alone has opened it.
func TestTheBellOfAFrame(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	olivia := h.visit("olivia")
	app := olivia.start("Rivera")
	olivia.awaits(app, `input[name="offer.offerUuid"]`)
	masked := a.enters(opening("51")).get("/notifications")
	masked.says("Notifications")
	if strings.Contains(masked.body, "Rivera") || masked.Find(`.framebar #bell`).Length() != 1 {
		t.Errorf("got %s", masked.text())
	}
	masked.Find("main a[href]").Each(func(_ int, s *selection) {
		if href := s.AttrOr("href", ""); !strings.HasPrefix(href, "/e/acme/") {
			t.Errorf("%s leads out of the frame", href)
		}
	})
}
