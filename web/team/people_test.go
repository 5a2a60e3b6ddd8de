package team_test

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

func TestPeople_InvitedAndActive_WithWhatRemains(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya := h.SignInAs("maya")
	maya.Post("/invite", url.Values{"name": {"Nora Newhire"}, "email": {"nora@hire.test"}, "role": {"assistant"}})
	page := maya.Get("/team/people")
	page.WantText("Nora Newhire", "nora@hire.test", "by Maya Lindqvist", "1 invited", "Olivia Bennett", "Ada Assist", "for all originators of the company", "No license on file", "Has never signed in")
	page.WantNoText([]string{"piotr", "Piotr", "admin@hearthline.test"})
	first := h.Mails("nora@hire.test")
	sent := maya.Send(page.Form(`form[action$="/resend"]`))
	sent.WantText("1 invited")
	if sent.Path != "/team/people" || len(h.Mails("nora@hire.test")) != len(first)+1 {
		t.Errorf("sent again: got %s and %d emails, want the page and one more than %d", sent.Path, len(h.Mails("nora@hire.test")), len(first))
	}
	withdrawn := maya.Send(sent.Form(`form[action$="/revoke"]`))
	withdrawn.WantText("0 invited")
	if withdrawn.Path != "/team/people" {
		t.Errorf("withdrawn: got %s", withdrawn.Path)
	}
	if got := maya.Post(sent.Find(`form[action$="/resend"]`).AttrOr("action", ""), url.Values{}); got.Status != 404 {
		t.Errorf("sending a withdrawn invitation again: got %d, want 404", got.Status)
	}
	for _, first := range []string{"olivia", "ada", "admin"} {
		if got := h.SignInAs(first).Get("/team/people"); got.Status != 403 {
			t.Errorf("%s: got %d, want 403", first, got.Status)
		}
	}
}

func TestPeople_Licenses_AmberWithinThirtyDays(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	zone, err := time.LoadLocation("America/Denver")
	h.Must(err)
	on := func(days int) heloc.Date { return heloc.DateOf(time.Now().In(zone).AddDate(0, 0, days)) }
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for state, day := range map[string]heloc.Date{"CO": on(29), "UT": on(60), "WY": on(-1), "ID": ""} {
			l := lead.License{Holder: h.People["olivia"].OriginatorUUID, State: state, Party: lead.PartyOriginator, Allowed: true, SetBy: "user-admin", At: 1, ExpiresOn: day}
			if err := tx.SaveLicense(t.Context(), l); err != nil {
				return err
			}
		}
		return nil
	}))
	page := h.SignInAs("maya").Get("/team/people")
	got := map[string]bool{}
	page.Find("#person-user-olivia .licenses li").Each(func(_ int, s *webtest.Selection) {
		got[strings.Fields(s.Text())[0]] = s.Find("b.due").Length() == 1
	})
	for state, due := range map[string]bool{"CO": true, "UT": false, "WY": true, "ID": false} {
		if shown, ok := got[state]; !ok || shown != due {
			t.Errorf("%s: got shown %v, due %v, want due %v", state, ok, shown, due)
		}
	}
}

func TestOffboard_FromThePersonPage(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	people := maya.Get("/team/people")
	if href := people.Find("#person-user-olivia td.num a").AttrOr("href", ""); maya.Get(href).Find("table.leads tbody tr").Length() != 1 {
		t.Errorf("the open leads link to %q, want the list of one", href)
	}
	page := maya.Get(people.Find("#person-user-olivia a.nm").AttrOr("href", ""))
	page.WantText("1 open lead", "Reassign 1 lead…", "Leave 1 open lead unassigned")
	review := maya.Send(page.Form("#reassign-all"))
	review.WantText("Reassign")
	if review.Status != 200 || review.Path != "/reassignments" {
		t.Errorf("reassigning all: got %d at %s", review.Status, review.Path)
	}
	refused := maya.Send(page.Form("#form-close").With("confirm.close", "true"))
	if refused.Status != 422 {
		t.Errorf("without a decision about the leads: got %d, want 422", refused.Status)
	}
	refused.WantText("Reassign the open leads first, or leave them unassigned")
	if again := olivia.Get(path); again.Status != 200 {
		t.Errorf("the refused request closed the account: got %d", again.Status)
	}
	if unsure := maya.Send(page.Form("#form-close").With("leave.unassigned", "true")); unsure.Status != 422 {
		t.Errorf("without the confirmation: got %d, want 422", unsure.Status)
	}
	done := maya.Send(page.Form("#form-close").With("leave.unassigned", "true", "confirm.close", "true"))
	if done.Path != "/team/unassigned" || done.Find("table.leads tbody tr").Length() != 1 {
		t.Errorf("closed: got %s with %d leads, want the queue with one", done.Path, done.Find("table.leads tbody tr").Length())
	}
	done.WantText("Olivia Bennett")
	if got := olivia.Get(path); got.Path != "/login" {
		t.Errorf("the closed account: got %s, want the sign-in page", got.Path)
	}
	if got := maya.Get("/team/people/" + h.People["maya"].UserID); got.Find("#form-close").Length() != 0 {
		t.Error("a manager is offered to disable their own account")
	}
	if got := maya.Get("/team/people/" + h.People["piotr"].UserID); got.Status != 404 {
		t.Errorf("another company's user: got %d, want 404", got.Status)
	}
	if got := maya.Post("/team/people/"+h.People["piotr"].UserID+"/close", url.Values{"confirm.close": {"true"}}); got.Status != 404 {
		t.Errorf("disabling another company's user: got %d, want 404", got.Status)
	}
	h.WantAudited("user-maya user.disable user:user-olivia done")
}
