package team_test

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestInvite_Empty_ListsAllByLabel: the summary names the controls as the form does, in its order.
func TestInvite_Empty_ListsAllByLabel(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya, admin := h.SignInAs("maya"), h.SignInAs("admin")
	maya.Send(maya.Get("/invite").Form("#form-invite")).WantText("3 fields need attention: Name, Email, Role")
	admin.Send(admin.Get("/invite").Form("#form-invite")).WantText("4 fields need attention: Name, Email, Role, Reason")
	admin.Send(admin.Get("/invite").Form("#form-invite").With("role", "manager")).
		WantText("4 fields need attention: Name, Email, Company, Reason")
}

func TestPeople_InvitedAndActive_WithWhatRemains(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya := h.SignInAs("maya")
	maya.Post("/invite", url.Values{"name": {"Nora Newhire"}, "email": {"nora@hire.test"}, "role": {"assistant"}})
	page := maya.Get("/team/people")
	page.WantText("Nora Newhire", "nora@hire.test", "by Maya Lindqvist", "1 invited", "Olivia Bennett", "Ada Assist",
		"for all originators of the company", "No license on file", "Never")
	page.WantNoText([]string{"piotr", "Piotr", "admin@hearthline.test"})
	first := h.Mails("nora@hire.test")
	sent := maya.Send(page.Form(`form[action$="/resend"]`))
	sent.WantText("1 invited")
	if sent.Path != "/team/people" || len(h.Mails("nora@hire.test")) != len(first)+1 {
		t.Errorf("sent again: got %s and %d emails, want the page and one more than %d",
			sent.Path, len(h.Mails("nora@hire.test")), len(first))
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

func TestPeople_Licenses_AmberWithinSixtyDays(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	zone, err := time.LoadLocation("America/Denver")
	h.Must(err)
	on := func(days int) heloc.Date { return heloc.DateOf(time.Now().In(zone).AddDate(0, 0, days)) }
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for state, day := range map[string]heloc.Date{"CO": on(59), "UT": on(61), "WY": on(-1), "ID": ""} {
			l := lead.License{Holder: h.People["olivia"].OriginatorUUID, State: state, Party: lead.PartyOriginator,
				Allowed: true, SetBy: "user-admin", At: 1, ExpiresOn: day}
			if err := tx.SaveLicense(t.Context(), l); err != nil {
				return err
			}
		}
		return nil
	}))
	maya := h.SignInAs("maya")
	maya.Get("/team").WantText("2 originator licenses to renew")
	page := maya.Get("/team/people")
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
	if href := people.Find("#person-user-olivia td.num a").
		AttrOr("href", ""); maya.Get(href).Find("table.leads tbody tr").Length() != 1 {
		t.Errorf("the open leads link to %q, want the list of one", href)
	}
	page := maya.Get(people.Find("#person-user-olivia a.nm").AttrOr("href", ""))
	page.WantText("1 open lead", "Reassign 1 lead…", "Leave 1 open lead unassigned")
	review := maya.Send(page.Form("#reassign-all"))
	review.WantText("Reassign")
	if review.Status != 200 || review.Path != "/reassignments" {
		t.Errorf("reassigning all: got %d at %s", review.Status, review.Path)
	}
	empty := maya.Send(page.Form("#form-close"))
	empty.WantText("2 fields need attention: Leave open leads unassigned, Disable account",
		"Reassign the open leads first, or leave them unassigned", "Check this box to disable the account")
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
		t.Errorf("closed: got %s with %d leads, want the queue with one",
			done.Path, done.Find("table.leads tbody tr").Length())
	}
	done.WantText("Olivia Bennett")
	maya.Send(maya.ReassignForm(path, "marcus"))
	marcus := h.SignInAs("marcus")
	h.WaitUntil("the brief names the former originator", func() bool {
		return strings.Contains(marcus.Get(path).Find("#received").Text(), "Previous originatorOlivia Bennett, until today ")
	})
	gone := maya.Get("/team/people/" + h.People["olivia"].UserID)
	gone.WantText("Disabled", "An administrator can reopen it.")
	gone.WantNoText([]string{"When the account is disabled", "Transferred to the person you choose"})
	if got := olivia.Get(path); got.Path != "/login" {
		t.Errorf("the closed account: got %s, want the sign-in page", got.Path)
	}
	if got := maya.Get("/team/people/" + h.People["maya"].UserID); got.Find("#form-close").Length() != 0 {
		t.Error("a manager is offered to disable their own account")
	}
	if got := maya.Get("/team/people/" + h.People["piotr"].UserID); got.Status != 404 {
		t.Errorf("another company's user: got %d, want 404", got.Status)
	}
	if got := maya.Post("/team/people/"+h.People["piotr"].UserID+"/close",
		url.Values{"confirm.close": {"true"}}); got.Status != 404 {
		t.Errorf("disabling another company's user: got %d, want 404", got.Status)
	}
	h.WantAudited("user-maya user.disable user:user-olivia done")
}

// TestPeople_RandomLeads_CountsEqualLists compares each number of open leads with the list behind it, and each number
// that a deputy reads about the leads that they cover with theirs.
func TestPeople_RandomLeads_CountsEqualLists(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 11)) //nolint:gosec // the same leads in every run
		h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
		addRandomLeads(h, random, 120+random.IntN(60))
		maya, marcus := h.SignInAs("maya"), h.SignInAs("marcus")
		absent := h.People[[]string{"olivia", "maya"}[random.IntN(2)]]
		entered := maya.Send(maya.Get("/team/absences").Form("#form-absence").With("person", absent.UserID,
			"deputy", h.People["marcus"].UserID,
			"firstDay", dayText(t, 0), "lastDay", dayText(t, random.IntN(9))))
		entered.WantText("Absent now")
		checked := 0
		maya.Get("/team/people").Find("table.people td.num a:not(.btn)").Each(func(_ int, a *webtest.Selection) {
			n, err := strconv.Atoi(strings.TrimSpace(a.Text()))
			if rows := countRows(maya, a.AttrOr("href", "")); err != nil || rows != n {
				t.Errorf("seed %d: %s says %q above %d leads", seed, a.AttrOr("aria-label", ""), a.Text(), rows)
			}
			checked++
		})
		marcus.Get("/leads").Find(`main .note a[href*="originator="]`).Each(func(_ int, a *webtest.Selection) {
			n, err := strconv.Atoi(strings.Fields(a.Text())[0])
			if rows := countRows(marcus, a.AttrOr("href", "")); err != nil || rows != n {
				t.Errorf("seed %d: the notice says %q above %d leads", seed, a.Text(), rows)
			}
			checked++
		})
		for _, filter := range []string{"", "&only=open", "&only=overdue", "&sort=newest"} {
			list := marcus.Get("/leads?view=all&originator=" + absent.OriginatorUUID + filter)
			list.Find(".lanes a").Each(func(_ int, a *webtest.Selection) {
				n, err := strconv.Atoi(strings.TrimSpace(a.Find(".n, .count, b, span").Last().Text()))
				if strings.HasPrefix(filter, "&only=") {
					if err == nil {
						t.Errorf("seed %d%s: the tab says %q above a filtered list", seed, filter, strings.TrimSpace(a.Text()))
					}
					return
				}
				if rows := countRows(marcus, a.AttrOr("href", "")); err != nil || rows != n {
					t.Errorf("seed %d%s: the tab says %q above %d leads", seed, filter, strings.TrimSpace(a.Text()), rows)
				}
				checked++
			})
			list.Find(".head .meta a.late").Each(func(_ int, a *webtest.Selection) {
				n, err := strconv.Atoi(strings.Fields(a.Text())[0])
				if rows := countRows(marcus, a.AttrOr("href", "")); err != nil || rows != n {
					t.Errorf("seed %d%s: the heading says %q above %d leads", seed, filter, a.Text(), rows)
				}
				checked++
			})
			own := countRows(maya, "/leads?view=all&originator="+absent.OriginatorUUID+filter)
			if got := countRows(marcus, "/leads?view=all&originator="+absent.OriginatorUUID+filter); got != own {
				t.Errorf("seed %d%s: the deputy lists %d leads of the originator, the manager %d", seed, filter, got, own)
			}
		}
		if checked < 10 {
			t.Errorf("seed %d: only %d numbers", seed, checked)
		}
		if piotr := countRows(h.SignInAs("piotr"),
			"/leads?view=all&originator="+absent.OriginatorUUID); piotr != countRows(h.SignInAs("piotr"), "/leads?view=all") {
			t.Errorf("seed %d: another company's originator gets another list by the name of the absent one", seed)
		}
	}
}

// TestPeople_Disabled_ListsWhoAndWhen has accounts that a manager, an administrator, the lender's directory and a
// command disabled, and accounts of another company.
func TestPeople_Disabled_ListsWhoAndWhen(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya := h.SignInAs("maya")
	if link := maya.Get("/team/people").Find(`a[href="/team/people?show=disabled"]`); link.Length() != 0 {
		t.Error("a link to disabled accounts, and there are none")
	}
	maya.Get("/team/people?show=disabled").WantText("No disabled accounts.")
	summit, lakeside := h.People["olivia"].Actor, h.People["piotr"].Actor
	add := func(first string, of access.Actor) {
		a := access.Actor{UserID: "user-" + first, Name: first + " Former", Email: first + "@former.test",
			Role: access.Assistant, BrokerID: of.BrokerID, Organization: of.Organization, TimeZone: of.TimeZone}
		h.Must(h.Store.AddUser(t.Context(), access.User{Actor: a}, ""))
	}
	closeBy := func(by, who string) {
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.CloseUser(t.Context(), h.People[by].Actor, "user-"+who)
		}))
	}
	for _, first := range []string{"Carl", "Dora", "Ed", "Fay", "Ivy"} {
		add(first, summit)
	}
	add("Gus", lakeside)
	add("Hal", lakeside)
	closeBy("maya", "Carl")
	closeBy("admin", "Dora")
	h.Must(h.Store.DisableUser(t.Context(), "user-Ed"))
	closeBy("olivia", "Fay")
	h.Must(h.Store.DisableUser(t.Context(), "user-Gus"))
	h.ExecSQL(`UPDATE users SET disabled_at = ? WHERE id IN ('user-Hal', 'user-Ivy')`, time.Now().UnixMilli())
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error { // as lendersync does
		return tx.Audit(t.Context(), store.AuditEntry{ActorID: "system", Action: store.ActionUserDisable,
			Object: "user:user-Ivy", Outcome: "done", Detail: "directory"})
	}))
	// the audit has no entry
	h.ExecSQL(`UPDATE users SET disabled_at = ? WHERE id = 'user-ada'`, time.Now().Add(time.Hour).UnixMilli())

	page := maya.Get(maya.Get("/team/people").Find(`#people a:contains("6 disabled accounts")`).AttrOr("href", ""))
	if page.Path != "/team/people" || page.Find("#disabled tbody tr").Length() != 6 {
		t.Fatalf("got %s with %d rows, want the six of the company", page.Path, page.Find("#disabled tbody tr").Length())
	}
	if first := page.Find("#disabled tbody tr").First().AttrOr("id", ""); first != "person-user-ada" {
		t.Errorf("the first row is %s, want who was disabled last", first)
	}
	for who, by := range map[string]string{
		"Carl": "You", "Dora": "An administrator", "Ed": "Hearthline, by a command on the server", "Fay": "Olivia Bennett",
		"ada": "Not recorded",
		"Ivy": "Hearthline, because the lender’s directory no longer listed this person",
	} {
		row := page.Find("#person-user-" + who)
		if got := strings.TrimSpace(row.Find(`[data-of="Disabled by"]`).Text()); got != by {
			t.Errorf("%s was disabled by %q, want %q", who, got, by)
		}
		if got := row.Find(`[data-of="Disabled"]`).Text(); !strings.Contains(got, ":") {
			t.Errorf("%s was disabled at %q, want a time", who, got)
		}
	}
	page.WantNoText([]string{"Gus", "Hal", "Piotr"})

	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["admin"].Actor, h.People["piotr"].UserID, access.Manager)
	}))
	other := h.SignInAs("piotr").Get("/team/people?show=disabled")
	if n := other.Find("#disabled tbody tr").Length(); n != 2 {
		t.Errorf("the other company's manager has %d rows, want two", n)
	}
	other.WantNoText([]string{"Carl", "Dora", "Ed ", "Fay", "Ivy", "Ada Assist"})
	if got := h.SignInAs("olivia").Get("/team/people?show=disabled"); got.Status != 403 {
		t.Errorf("an originator: got %d, want 403", got.Status)
	}
}

// TestInvite_OriginatorOfTheDirectory: a manager sends the link to somebody of their company; an originator of another
// company is as unknown as any address.
func TestInvite_OriginatorOfTheDirectory(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya := h.SignInAs("maya")
	all, err := h.Store.AllOriginators(t.Context())
	h.Must(err)
	var own, other lead.Originator
	for _, o := range all {
		if o.BrokerID != h.People["olivia"].BrokerID && o.UUID != heloc.OriginatorID(h.People["piotr"].OriginatorUUID) {
			other = o
		} else if o.BrokerID == h.People["olivia"].BrokerID {
			if had, err := h.Store.HasOriginator(t.Context(), string(o.UUID)); err == nil && !had {
				own = o
			}
		}
	}
	page := maya.Get("/invite")
	page.WantText("Originators without an account", own.Email)
	page.WantNoText([]string{other.Email, "Piotr"})
	sent := maya.Post("/invite", url.Values{"role": {"originator"}, "email": {own.Email}})
	if sent.WantText(own.Name(), "Originator"); len(h.Mails(own.Email)) != 1 {
		t.Errorf("got %d emails, want the link", len(h.Mails(own.Email)))
	}
	if sent.Find(`#originators input[value="`+own.Email+`"]`).Length() != 0 {
		t.Error("somebody who is invited can be invited again")
	}
	refused := maya.Post("/invite", url.Values{"role": {"originator"}, "email": {other.Email}})
	unknown := maya.Post("/invite", url.Values{"role": {"originator"}, "email": {"nobody@nowhere.test"}})
	for name, got := range map[string]*webtest.Response{"another company": refused, "nobody": unknown} {
		if got.Status != 422 || !strings.Contains(got.MainText(), "No originator at your company has this email") {
			t.Errorf("%s: got %d %q", name, got.Status, got.MainText())
		}
	}
	if len(h.Mails(other.Email)) != 0 {
		t.Error("an originator of another company was mailed")
	}
	has := maya.Post("/invite", url.Values{"role": {"originator"}, "email": {"olivia@summit.test"}})
	if has.Status != 422 || !strings.Contains(has.MainText(), "already has an account") {
		t.Errorf("somebody with an account: got %d", has.Status)
	}
}

// TestInvite_ManagerByManager_WaitsForAdministrator: no link is sent before an administrator approves.
func TestInvite_ManagerByManager_WaitsForAdministrator(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya, admin := h.SignInAs("maya"), h.SignInAs("admin")
	invite := url.Values{"role": {"manager"}, "name": {"Dana Whitfield"}, "email": {"dana@summit.test"}}
	if got := maya.Post("/invite", invite); got.Status != 422 || got.Find("#reason[aria-invalid]").Length() != 1 {
		t.Errorf("without a reason: got %d, want 422 beside it", got.Status)
	}
	invite.Set("reason", "Second manager")
	waiting := maya.Post("/invite", invite)
	waiting.WantText("Waiting for an administrator", "Dana Whitfield")
	if len(h.Mails("dana@summit.test")) != 0 {
		t.Fatal("a link was sent before the approval")
	}
	withdraw := waiting.Form(`form[action$="/withdraw"]`)
	h.AddUser("boss", access.Actor{Name: "Bo Ss", Email: "boss@lakeside.test", Role: access.Manager,
		BrokerID: h.People["piotr"].BrokerID, BrokerName: h.People["piotr"].BrokerName,
		Organization: h.People["piotr"].Organization})
	boss := h.SignInAs("boss")
	boss.Get("/invite").WantNoText([]string{"Dana"})
	if got := boss.Send(withdraw); got.Status != 404 {
		t.Errorf("another company withdraws it: got %d, want 404", got.Status)
	}
	maya.Send(withdraw).WantNoText([]string{"Dana Whitfield"})
	maya.Post("/invite", invite)
	approve := admin.Get("/admin/requests").Form(`form[action$="/approve"]`)
	if got := admin.Send(approve); got.Status != 200 || len(h.Mails("dana@summit.test")) != 1 {
		t.Errorf("approved: got %d and %d emails, want the link", got.Status, len(h.Mails("dana@summit.test")))
	}
	maya.Get("/invite").WantText("Dana Whitfield", "Pending invitations")
}

// TestAssistant_WorksFor_ChosenByManager chooses for whom Ada works: her pages have the leads of nobody else.
func TestAssistant_WorksFor_ChosenByManager(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	maya, ada, admin := h.SignInAs("maya"), h.SignInAs("ada"), h.SignInAs("admin")
	olivia := h.SignInAs("olivia").StartLead("Rivera")
	marcus := h.SignInAs("marcus").StartLead("Lopez", "property.address.street1", "7 Elm St")
	sees := func(when string, want ...string) {
		t.Helper()
		list := ada.Get("/leads?view=all")
		for _, lead := range []string{olivia, marcus} {
			if got := strings.Contains(list.Body, lead); got != slices.Contains(want, lead) {
				t.Errorf("%s: the list has %s: %v", when, lead, got)
			}
			if got := ada.Get(lead).Status == http.StatusOK; got != slices.Contains(want, lead) {
				t.Errorf("%s: %s opens: %v", when, lead, got)
			}
		}
	}
	sees("at first", olivia, marcus)
	form := maya.Get("/team/people/user-ada").Form(`form[action$="/assistant"]`)
	if got := form.Values; got.Get("worksFor") != "*" || got.Get("reassigns") != "true" {
		t.Errorf("the form has %v, want all and that she reassigns", got)
	}
	one := h.People["marcus"].OriginatorUUID
	maya.Send(form.With("worksFor", one, "reassigns", "")).WantText("Marcus Reyes")
	sees("chosen by her manager", marcus)
	ada.Get("/account").WantText("works for Marcus Reyes")
	if got := ada.Get(marcus + "/reassign"); got.Status != http.StatusForbidden {
		t.Errorf("she reassigns: got %d, want 403", got.Status)
	}
	if got := maya.Post("/team/people/user-ada/assistant",
		url.Values{"worksFor": {h.People["piotr"].OriginatorUUID}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("another company's originator: got %d, want 422", got.Status)
	}
	if got := maya.Post("/team/people/user-olivia/assistant", url.Values{"worksFor": {one}}); got.Status !=
		http.StatusConflict && got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an originator: got %d, want a refusal", got.Status)
	}
	admin.Get("/admin/users/user-ada").WantText("Marcus Reyes", "May reassign leads")
	if got := admin.Post("/team/people/user-ada/assistant", url.Values{"worksFor": {"*"}}); got.Status !=
		http.StatusForbidden {
		t.Errorf("an administrator alone: got %d, want 403", got.Status)
	}
	maya.Send(form.With("worksFor", h.People["olivia"].OriginatorUUID, "reassigns", "true"))
	sees("another was chosen", olivia)
	ada.Get(olivia + "/reassign").WantText("only between the originators you work for")
	maya.Get("/team/people").WantText("for 1 originator")
	maya.Post("/team/people/user-ada/assistant", url.Values{})
	sees("nobody was chosen")
	ada.Get("/account").WantText("works for no one yet")
	admin.Get("/admin/audit").WantText("Chose for whom an assistant works")
}
