package pipeline_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// openSteps lists what the first steps still ask for, after how many are done.
func openSteps(page *webtest.Response) string {
	var all []string
	page.Find("#first-day li.open b").Each(func(_ int, s *webtest.Selection) { all = append(all, s.Text()) })
	progress := strings.TrimSpace(page.Find("#first-day .dim").First().Text())
	return strings.TrimSpace(progress + " " + strings.Join(all, " "))
}

func allowOlivia(h *webtest.Harness) {
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		return tx.SaveLicense(h.T.Context(), lead.License{Holder: h.People["olivia"].OriginatorUUID, State: "TX",
			Party: lead.PartyOriginator, Allowed: true, SetBy: "admin"})
	}))
}

// TestFirstDay_Originator_EachStepFromWhatIsStored does the first steps one after the other, until the list disappears.
func TestFirstDay_Originator_EachStepFromWhatIsStored(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	page := olivia.Get("/leads")
	if got := openSteps(page); got != "0 of 3 done License states. Second factor. First inquiry." {
		t.Errorf("at first: got %q", got)
	}
	page.Find("#first-day a").Each(func(_ int, a *webtest.Selection) {
		href, _, _ := strings.Cut(a.AttrOr("href", ""), "#")
		if got := olivia.Get(href); got.Status != 200 {
			t.Errorf("%s: got %d", href, got.Status)
		}
	})
	if got := olivia.Get("/leads?view=all"); got.Find("#first-day").Length() != 0 {
		t.Error("a list that is not where the user begins has the first steps")
	}
	allowOlivia(h)
	if got := openSteps(olivia.Get("/leads")); got != "1 of 3 done Second factor. First inquiry." {
		t.Errorf("with a license: got %q", got)
	}
	h.ExecSQL(`UPDATE users SET created_at = 1 WHERE id = ?`, h.People["olivia"].UserID)
	if got := olivia.Get("/leads"); got.Find("#first-day").Length() != 0 {
		t.Error("an old account has the first steps")
	}
	h.ExecSQL(`UPDATE users SET created_at = ? WHERE id = ?`, store.Millis(h.DeskDeps.Now()), h.People["olivia"].UserID)
	h.ExecSQL(`INSERT INTO identities (issuer, subject, user_id, created_at, strong_at) VALUES ('i', 's', ?, 1, 1)`,
		h.People["olivia"].UserID)
	if got := openSteps(olivia.Get("/leads")); got != "2 of 3 done First inquiry." {
		t.Errorf("with a second factor: got %q", got)
	}
	path, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	if got := olivia.Get("/leads"); got.Find("#first-day").Length() != 0 {
		t.Error("a list with leads has the first steps")
	}
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.EditLead(app, func(l *lead.Row) { l.CanceledDate = "2026-11-01" })
	if got := olivia.Get("/leads"); len(got.Find(".today").Nodes) != 0 || got.Find("#first-day").Length() != 0 {
		t.Errorf("all is done: got %q", openSteps(got))
	}
}

func TestFirstDay_Manager_InvitesAssistant(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	if got := h.SignInAs("ada").Get("/leads"); got.Find("#first-day").Length() != 0 {
		t.Error("an assistant has the first steps")
	}
	h.ExecSQL(`UPDATE users SET disabled_at = 1 WHERE role = 'assistant' AND broker_id = ?`, h.People["maya"].BrokerID)
	if got := openSteps(maya.Get("/leads")); !strings.HasSuffix(got, "Invite an assistant.") {
		t.Errorf("nobody invited: got %q", got)
	}
	maya.Post("/invite", url.Values{"name": {"Nora New"}, "email": {"nora@new.test"}, "role": {"assistant"}})
	if got := openSteps(maya.Get("/leads")); got == "" || strings.Contains(got, "assistant") {
		t.Errorf("invited: got %q", got)
	}
}

// TestFirstDay_LeadsFromBefore_ToldToTheirOriginatorOnly tells about leads that are older than the account.
func TestFirstDay_LeadsFromBefore_ToldToTheirOriginatorOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
	const own, former = "already yours before you had an account here", "no originator now"
	app := heloc.AppID("00000000-0000-4000-8000-00000000000f")
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		who := h.People["olivia"]
		return tx.AddLead(t.Context(), &lead.Row{App: app, Originator: heloc.OriginatorID(who.OriginatorUUID),
			Company: who.BrokerID, Organization: who.Organization, Step: heloc.StepOffersAvailable}, time.Now())
	}))
	if text := olivia.Get("/leads").MainText(); strings.Contains(text, own) || strings.Contains(text, former) {
		t.Error("tells about a lead that is newer than the account")
	}
	h.ExecSQL(`UPDATE leads SET created_at = 1 WHERE app = ?`, string(app))
	olivia.Get("/leads").WantText("1 open lead was " + own)
	h.EditLead(app, func(l *lead.Row) {
		l.FormerOriginator, l.Originator = l.Originator, ""
	})
	olivia.Get("/leads").WantText("1 open lead that was yours has " + former)
	if text := marcus.Get("/leads").MainText(); strings.Contains(text, own) || strings.Contains(text, former) {
		t.Error("tells somebody else")
	}
}
