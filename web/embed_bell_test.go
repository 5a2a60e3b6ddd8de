package web

import (
	"strings"
	"testing"
)

// TestEmbedBell_NotElevated_HasNoPII: for a user vouched for only by a CRM, the bell has a count but no names.
func TestEmbedBell_NotElevated_HasNoPII(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	olivia := h.signInAs("olivia")
	app := olivia.startLead("Rivera")
	olivia.waitFor(app, `input[name="offer.offerUuid"]`)
	masked := a.openFrame(launchFor("51")).get("/notifications")
	masked.wantText("Notifications")
	if strings.Contains(masked.body, "Rivera") || masked.Find(`.framebar #bell`).Length() != 1 {
		t.Errorf("got %s", masked.text())
	}
	masked.Find("main a[href]").Each(func(_ int, s *selection) {
		if href := s.AttrOr("href", ""); !strings.HasPrefix(href, "/e/acme/") {
			t.Errorf("%s links out of the frame", href)
		}
	})
}
