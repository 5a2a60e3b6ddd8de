package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestFieldErrors_EveryForm_Accessible posts every form of every screen empty, and with invalid text in every
// control. The test browser checks what is redisplayed.
func TestFieldErrors_EveryForm_Accessible(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{estimate: testEstimateAccess(), borrowerLink: testBorrowerLink(t)})
	newCRMFixture(t, h)
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	frozen, liens := olivia.startLead("Rivera-Frozen"), olivia.startLead("Rivera-Liens")
	olivia.waitFor(frozen, `form[action$="/repull-credit"]`)
	olivia.waitFor(liens, `form[action$="/verify-liens"]`)
	screens := map[*testBrowser][]string{
		olivia:              {lead, frozen, liens, "/leads/new", "/pre-qualify", "/account", "/account/authenticator", "/drafts", "/leads"},
		h.signInAs("maya"):  {lead, "/leads/unassigned", "/invite", "/team", "/reassignments"},
		h.signInAs("admin"): {"/admin/embed", "/admin/embed?client=acme", "/admin/users/" + h.people["marcus"].UserID, "/admin/licences", "/admin/audit", "/invite"},
		h.newBrowser():      {"/login", "/activate", "/reset"},
	}
	count := 0
	for v, paths := range screens {
		for _, path := range paths {
			page := v.get(path)
			page.Find(`form[method="post"]`).Each(func(_ int, s *selection) {
				action := s.AttrOr("action", path)
				if action == "/logout" || strings.Contains(action, "/sessions/") || strings.Contains(action, "/demo") {
					return
				}
				for _, nonsense := range []string{"", "\u202ezzz"} {
					values := url.Values{}
					s.Find("[name]").Each(func(_ int, c *selection) {
						if name := c.AttrOr("name", ""); c.AttrOr("type", "") == "hidden" || goquery.NodeName(c) == "button" && nonsense == "" {
							values.Set(name, c.AttrOr("value", ""))
						} else {
							values.Set(name, nonsense)
						}
					})
					if v.post(action, values).status == http.StatusUnprocessableEntity {
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

// checkFieldErrors checks that a redisplayed form is accessible to a user who cannot see the whole form: each link of
// the error summary leads to a control on the page, and each invalid control is marked as invalid and described by
// its error, which is beside it. Every testBrowser makes this check on every such page.
func (p *response) checkFieldErrors() {
	p.t.Helper()
	marked := map[string]bool{}
	p.Find("[aria-invalid]").Each(func(_ int, s *selection) {
		id := s.AttrOr("id", "")
		if s.AttrOr("aria-invalid", "") != "true" || id == "" {
			p.t.Errorf("%s: %s is marked as %q, want an id and true", p.path, controlName(s), s.AttrOr("aria-invalid", ""))
		}
		marked[id] = true
		text := ""
		for about := range strings.FieldsSeq(s.AttrOr("aria-describedby", "")) {
			found := p.byID(about)
			if found.Length() != 1 {
				p.t.Errorf("%s: %s is described by %q, of which there are %d", p.path, controlName(s), about, found.Length())
			}
			if found.HasClass("err") {
				text += strings.TrimSpace(found.Text())
			}
		}
		if text == "" {
			p.t.Errorf("%s: %s is marked as invalid without an error beside it", p.path, controlName(s))
		}
	})
	p.Find("#complaints a").Each(func(_ int, s *selection) {
		id, within := strings.CutPrefix(s.AttrOr("href", ""), "#")
		if found := p.byID(id); !within || found.Length() != 1 {
			p.t.Errorf("%s: the summary links to %q, of which there are %d", p.path, s.AttrOr("href", ""), found.Length())
		} else if !marked[id] {
			p.t.Errorf("%s: the summary links to %q, which is not marked as invalid", p.path, id)
		}
	})
	p.Find(".err[id]").Each(func(_ int, s *selection) {
		id := s.AttrOr("id", "")
		if p.Find(`[aria-invalid]`).FilterFunction(func(_ int, c *selection) bool {
			return strings.Contains(" "+c.AttrOr("aria-describedby", "")+" ", " "+id+" ")
		}).Length() == 0 {
			p.t.Errorf("%s: no control is described by the error %q: %s", p.path, id, strings.TrimSpace(s.Text()))
		}
	})
}

// byID finds elements by an id that may contain dots.
func (p *response) byID(id string) *selection {
	return p.Find("[id]").FilterFunction(func(_ int, s *selection) bool { return s.AttrOr("id", "") == id })
}

func controlName(s *selection) string {
	return goquery.NodeName(s) + " " + s.AttrOr("name", s.AttrOr("id", "without a name"))
}
