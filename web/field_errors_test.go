package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/web/webtest"
)

// TestFieldErrors_EveryForm_Accessible posts every form of every screen empty, and with invalid text in every
// control. The test browser checks what is redisplayed.
func TestFieldErrors_EveryForm_Accessible(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess(), BorrowerLink: webtest.BorrowerLink(t)})
	webtest.NewCRM(t, h)
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	frozen, liens := olivia.StartLead("Rivera-Frozen"), olivia.StartLead("Rivera-Liens")
	olivia.WaitFor(frozen, `form[action$="/repull-credit"]`)
	olivia.WaitFor(liens, `form[action$="/verify-liens"]`)
	screens := map[*webtest.Browser][]string{
		olivia: {lead, frozen, liens, "/leads/new", "/pre-qualify", "/account", "/account/authenticator",
			"/drafts", "/leads"},
		h.SignInAs("maya"): {lead, "/leads/unassigned", "/invite", "/team", "/reassignments"},
		h.SignInAs("admin"): {"/admin/embed", "/admin/embed?client=acme", "/admin/users/" + h.People["marcus"].UserID,
			"/admin/licenses", "/admin/branding", "/admin/audit", "/invite"},
		h.NewBrowser(): {"/login", "/activate", "/reset"},
	}
	count := 0
	for v, paths := range screens {
		for _, path := range paths {
			page := v.Get(path)
			page.Find(`form[method="post"]`).Each(func(_ int, s *webtest.Selection) {
				action := s.AttrOr("action", path)
				if action == "/logout" || strings.Contains(action, "/sessions/") || strings.Contains(action, "/demo") {
					return
				}
				for _, nonsense := range []string{"", "\u202ezzz"} {
					values := url.Values{}
					s.Find("[name]").Each(func(_ int, c *webtest.Selection) {
						if name := c.AttrOr("name", ""); c.AttrOr("type", "") == "hidden" ||
							goquery.NodeName(c) == "button" && nonsense == "" {
							values.Set(name, c.AttrOr("value", ""))
						} else {
							values.Set(name, nonsense)
						}
					})
					if v.Post(action, values).Status == http.StatusUnprocessableEntity {
						count++
					}
				}
			})
		}
	}
	if count < 20 {
		t.Errorf("%d forms were redisplayed, want at least 20: the test does not reach them", count)
	}
}
