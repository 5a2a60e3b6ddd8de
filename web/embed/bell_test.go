package embed_test

import (
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestEmbedBell_NotElevated_HasNoPII: for a user vouched for only by a CRM, the bell has a count but no names.
func TestEmbedBell_NotElevated_HasNoPII(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	olivia := h.SignInAs("olivia")
	app := olivia.StartLead("Rivera")
	olivia.WaitFor(app, `input[name="offer.offerUuid"]`)
	masked := a.OpenFrame(webtest.LaunchFor("51")).Get("/notifications")
	masked.WantText("Notifications")
	if strings.Contains(masked.Body, "Rivera") || masked.Find(`.framebar #bell`).Length() != 1 {
		t.Errorf("got %s", masked.MainText())
	}
	masked.Find("main a[href]").Each(func(_ int, s *webtest.Selection) {
		if href := s.AttrOr("href", ""); !strings.HasPrefix(href, "/e/acme/") {
			t.Errorf("%s links out of the frame", href)
		}
	})
}
