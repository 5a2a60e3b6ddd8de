package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/guard"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// TestDenials_EveryRoute_Audited requests every route as every user who is denied there.
func TestDenials_EveryRoute_Audited(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess(), BorrowerLink: webtest.BorrowerLink(t),
		NoJobs: true})
	olivia := h.SignInAs("olivia")
	app := strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/")
	olivia.WaitFor("/leads/"+app, `input[name="offer.offerUuid"]`)
	for name, v := range map[string]*webtest.Browser{"ada": h.SignInAs("ada"), "piotr": h.SignInAs("piotr"),
		"admin": h.SignInAs("admin"), "marcus": h.SignInAs("marcus")} {
		for _, route := range h.Routes() {
			if route.Public || route.Class == page.Stream || route.Pattern == "/logout" {
				continue
			}
			before := h.AuditLines()[0]
			h.Guard().Denials = guard.Denials{} // no delays in this test
			got := v.Do(v.Request(route.Method, examplePath(route.Pattern, app+"/none"), url.Values{}, nil))
			hidden := got.Status == http.StatusNotFound && strings.HasPrefix(route.Pattern, "/leads/{app}") &&
				(name == "piotr" || name == "admin" || name == "marcus")
			if got.Status != http.StatusForbidden && !hidden {
				continue
			}
			object := "route:" + route.Pattern
			if strings.Contains(route.Pattern, "{app}") {
				object = "lead:" + app
			}
			want := "user-" + name + " refused " + object + " refused"
			if all := h.AuditLines(); all[0] != want || all[1] != before {
				t.Errorf("%s at %s %s: got %q, want %q", name, route.Method, route.Pattern, all[0], want)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// TestForeignIDs_EveryRoute_DeniedAndAudited requests every route that has an id in its path, with ids that belong to
// other users.
func TestForeignIDs_EveryRoute_DeniedAndAudited(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
	h.SignInAs("olivia") // a session for another user to end
	app := strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/")
	ops, err := h.Store.Operations(t.Context(), heloc.AppID(app), 1)
	h.Must(err)
	typed := olivia.IntakeForm("Okafor")
	draft := typed.Values.Get("draft")
	olivia.Send(webtest.Form{Action: "/drafts/" + draft, Values: typed.Values})
	sessions, err := h.Store.SessionsOf(t.Context(), "user-olivia", h.Now())
	h.Must(err)
	ids := []string{ops[0].ID, draft, sessions[0].IDHash, "user-olivia"}
	for _, route := range h.Routes() {
		if !strings.Contains(route.Pattern, "{id}") || route.Embedded {
			continue
		}
		for _, id := range ids {
			h.Guard().Denials = guard.Denials{}
			path := strings.Replace(route.Pattern, "{id}", id, 1)
			before := h.AuditLines()[0]
			got := marcus.Do(marcus.Request(route.Method, path,
				url.Values{"name": {"mine"}, "draft.originator": {h.People["olivia"].OriginatorUUID}}, nil))
			if got.Status != http.StatusNotFound && got.Status != http.StatusForbidden &&
				!strings.HasSuffix(route.Pattern, "/delete") {
				t.Errorf("%s %s: got %d, want it denied", route.Method, path, got.Status)
			}
			if now := h.AuditLines(); got.Status != http.StatusOK &&
				(now[1] != before || !strings.HasPrefix(now[0], "user-marcus refused ")) {
				t.Errorf("%s %s: %d was not audited: %q", route.Method, path, got.Status, now[0])
			}
		}
	}
	if remaining, err := h.Store.SessionsOf(t.Context(), "user-olivia", h.Now()); err != nil ||
		len(remaining) != len(sessions) {
		t.Errorf("olivia has %d sessions, want %d", len(remaining), len(sessions))
	}
	if got := olivia.Get("/leads/new?draft="+draft).Find(`[name="applicant.name.lastName"]`).
		AttrOr("value", ""); got != "Okafor" {
		t.Errorf("her own draft has the last name %q", got)
	}
	if got := marcus.Get("/leads/new?draft=" + draft); got.Status != http.StatusNotFound ||
		!strings.HasSuffix(h.AuditLines()[0], "refused") {
		t.Errorf("another user's draft: got %d, %q", got.Status, h.AuditLines()[0])
	}
}
