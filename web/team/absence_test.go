package team_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// dayText is a day some days from now where the users of the tests are, as a browser's date control sends it.
func dayText(t *testing.T, n int) string {
	t.Helper()
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	return time.Now().In(zone).AddDate(0, 0, n).Format(time.DateOnly)
}

func TestAbsences_ManagerEntersOne_DeputyWorksOnLead(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya, marcus := h.SignInAs("olivia"), h.SignInAs("maya"), h.SignInAs("marcus")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	if got := marcus.Get(path); got.Status != 404 {
		t.Fatalf("before: got %d, want 404", got.Status)
	}
	maya.Get("/team").WantText("Enter absence")
	page := maya.Get(maya.Get("/team").Find(`#team a[href*="person=`+h.People["olivia"].UserID+`"]`).AttrOr("href", ""))
	form := page.Form("#form-absence")
	if form.Values.Get("person") != h.People["olivia"].UserID {
		t.Errorf("the form is for %q, want Olivia", form.Values.Get("person"))
	}
	empty := maya.Send(maya.Get("/team/absences").Form("#form-absence"))
	empty.WantText("4 fields need attention", "Choose who is absent", "Choose who covers", "Enter the first day",
		"Enter the last day")
	wrong := maya.Send(form.With("firstDay", "soon", "lastDay", dayText(t, 2), "deputy", h.People["marcus"].UserID))
	if wrong.Status != 422 || wrong.Find(`input[name="firstDay"]`).AttrOr("value", "") != "soon" {
		t.Errorf("a first day that is not a date: got %d, %q",
			wrong.Status, wrong.Find(`input[name="firstDay"]`).AttrOr("value", ""))
	}
	done := maya.Send(form.With("firstDay", dayText(t, 0), "lastDay", dayText(t, 2), "deputy", h.People["marcus"].UserID,
		"note", "Down with the flu"))
	done.WantText("Absent now", "Marcus Reyes", "Down with the flu")
	maya.Get("/team").WantText("Absent through", "covered by Marcus Reyes")
	maya.Get(path).WantText("absent through", "covered by Marcus Reyes", "With Marcus Reyes (covering)")
	marcus.Get("/notifications").WantText("Maya Lindqvist asked you to cover for Olivia Bennett, ",
		"You can see and work on their leads on those days.")

	list := marcus.Get("/leads")
	list.WantText("You’re covering for Olivia Bennett through", "1 open")
	covered := marcus.Get(list.Find(`main a[href*="originator="]`).AttrOr("href", ""))
	covered.WantText("This list shows Olivia Bennett’s leads.", "covered by you")
	if n := covered.Find("table.leads tbody tr").Length(); n != 1 {
		t.Errorf("the covered list has %d rows, want 1", n)
	}
	shown := marcus.Get(path)
	shown.WantText("You’re covering for Olivia Bennett through", "The lead stays assigned to Olivia Bennett.", "Your move")
	if shown.Find(`a[href$="/reassign"]`).Length() != 0 {
		t.Error("a deputy is offered to reassign the lead")
	}
	if got := marcus.Get(path + "/reassign"); got.Status != 403 {
		t.Errorf("the reassignment form: got %d, want 403", got.Status)
	}
	if got := marcus.Post(path+"/note", map[string][]string{"note": {"Called the borrower"}}); got.Status != 200 {
		t.Errorf("a note: got %d", got.Status)
	}
	marcus.Get(path + "/activity").WantText("By you, covering for Olivia Bennett")
	if titles := strings.Join(marcus.NotificationTitles(), ", "); !strings.Contains(titles,
		"You were asked to cover for a colleague") {
		t.Errorf("the deputy's notifications: got %s", titles)
	}
	h.SignInAs("piotr").Get("/team/absences").WantNoText([]string{"Olivia", "Marcus", "flu"})

	// The originator ends the absence, sees what was done, and dismisses it.
	own := olivia.Get("/team/absences")
	own.WantText("Absent now")
	one := olivia.Get(own.Find(`main a.btn[href^="/team/absences/"]`).AttrOr("href", ""))
	one.WantText("Marcus Reyes worked on 1 lead.")
	olivia.Send(one.Form(`form[action$="/end"]`))
	if got := marcus.Get(path); got.Status != 404 {
		t.Errorf("after: got %d, want 404", got.Status)
	}
	inbox := marcus.Get("/notifications")
	inbox.WantText("Coverage ended", "You’re no longer covering for Olivia Bennett. It was planned for ")
	inbox.WantNoText([]string{"asked you to cover"})
	back := olivia.Get("/leads")
	back.WantText("While you were away", "Marcus Reyes covered for you and worked on 1 of your leads.")
	if href := back.Find("#returned li a").AttrOr("href", ""); href != path {
		t.Errorf("the lead links to %q, want %s", href, path)
	}
	back.WantText("Should Marcus Reyes continue with it? Otherwise it stays with you.")
	h.ExecSQL(`UPDATE users SET disabled_at = 1 WHERE id = '` + h.People["marcus"].UserID + `'`)
	if disabled := olivia.Get("/leads"); disabled.Find("#form-keep").Length() != 0 ||
		strings.Contains(disabled.Text(), "continue with it") {
		t.Error("a deputy whose account is disabled is asked to continue")
	}
	maya.Get("/team").WantText("no open leads and no active account")
	maya.Post("/reassignments", map[string][]string{"app": {strings.TrimPrefix(path, "/leads/")},
		"newLoanOriginatorUuid": {h.People["marcus"].OriginatorUUID}}).WantText("Account disabled")
	h.ExecSQL(`UPDATE users SET disabled_at = 0 WHERE id = '` + h.People["marcus"].UserID + `'`)
	review := olivia.Send(back.Form("#form-keep"))
	review.WantText("Nothing has been sent.", "1 selected: 1 to Marcus Reyes")
	if app := review.Form("#form-many").Values.Get("app"); "/leads/"+app != path ||
		review.Find(".target input[checked]").AttrOr("value", "") != h.People["marcus"].OriginatorUUID {
		t.Errorf("the review selects %q, want the lead that was worked on and the deputy", app)
	}
	owner := h.LeadRow(heloc.AppID(strings.TrimPrefix(path, "/leads/"))).Originator
	if string(owner) != h.People["olivia"].OriginatorUUID {
		t.Errorf("the question moves the lead to %q", owner)
	}
	if after := olivia.Send(back.Form("#returned form")); after.Find("#returned").Length() != 0 {
		t.Error("what was dismissed is still shown")
	}
	audit, err := h.Store.AuditOf(t.Context(), "lead:"+strings.TrimPrefix(path, "/leads/"), 20)
	h.Must(err)
	acted := 0
	for _, e := range audit {
		if e.ActorID == h.People["marcus"].UserID &&
			strings.Contains(e.Detail, "covering-for:"+h.People["olivia"].OriginatorUUID) {
			acted++
		}
	}
	if acted == 0 {
		t.Error("the audit does not say for whom the deputy acted")
	}
}

func TestAbsences_Originator_EntersOnlyTheirOwn(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	olivia := h.SignInAs("olivia")
	page := olivia.Get("/team/absences")
	if page.Find(`select[name="person"]`).Length() != 0 {
		t.Error("an originator chooses who is absent")
	}
	form := page.Form("#form-absence")
	form.Values.Set("person", h.People["marcus"].UserID)
	done := olivia.Send(form.With("firstDay", dayText(t, 3), "lastDay", dayText(t, 4),
		"deputy", h.People["marcus"].UserID))
	done.WantText("Olivia Bennett", "Upcoming")
	marcus := h.SignInAs("marcus").Get("/team/absences")
	marcus.WantText("You’re covering for", "Olivia Bennett")
	one := olivia.Get(done.Find(`main a.btn[href^="/team/absences/"]`).AttrOr("href", ""))
	one.WantText("Delete absence")
	one.WantNoText([]string{"Coverage activity"})
	changed := olivia.Send(one.Form("#form-absence").With("lastDay", dayText(t, 6), "note", "Moved"))
	changed.WantText("Moved")
	covers := h.People["marcus"].UserID
	if got := olivia.Get(one.Path).Find(`select[name="deputy"] option[selected]`).AttrOr("value", ""); got != covers {
		t.Errorf("covered by: got %q, want Marcus", got)
	}
	h.ExecSQL(`UPDATE users SET disabled_at = 1 WHERE id = ?`, covers)
	if got := olivia.Get(one.Path); strings.Contains(got.Find(`select[name="deputy"]`).Text(), covers) ||
		got.Find(`select[name="deputy"] option[selected]`).AttrOr("value", "") != "" {
		t.Errorf("covered by a disabled account: got %q", got.Find(`select[name="deputy"]`).Text())
	}
	h.ExecSQL(`UPDATE users SET disabled_at = 0 WHERE id = ?`, covers)
	gone := olivia.Send(olivia.Get(one.Path).Form(`form[action$="/delete"]`))
	gone.WantText("No absences.")
	if got := olivia.Get(one.Path); got.Status != 404 {
		t.Errorf("a deleted absence: got %d, want 404", got.Status)
	}
	if got := h.SignInAs("ada").Get("/team/absences"); got.Status != 403 {
		t.Errorf("an assistant: got %d, want 403", got.Status)
	}
}

// TestAbsence_CoverWork_FiltersSurvivePaging has a deputy who wrote notes on some leads and made contacts on others.
func TestAbsence_CoverWork_FiltersSurvivePaging(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia, marcus, now := h.People["olivia"], h.People["marcus"], time.Now()
	ms := func(ago time.Duration) int64 { return store.Millis(now.Add(-ago)) }
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.AddAbsence(t.Context(), lead.Absence{
			ID: "absence", Company: store.UserScopeOf(olivia.Actor).Company, UserID: olivia.UserID,
			Originator: heloc.OriginatorID(olivia.OriginatorUUID), DeputyID: marcus.UserID, FirstDay: "2026-11-01",
			LastDay: "2026-11-09", StartsAt: ms(10 * time.Hour), EndsAt: ms(time.Hour), CoverEndsAt: ms(time.Hour),
			CreatedBy: "user-maya",
		}); err != nil {
			return err
		}
		for i := range 130 {
			l := lead.Row{
				App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), ShortID: fmt.Sprint("1-", i),
				Originator: heloc.OriginatorID(olivia.OriginatorUUID), Company: olivia.BrokerID, Organization: olivia.Organization,
				Step: []heloc.Step{heloc.StepOffersAvailable, heloc.StepClosed}[i%2], StepSince: ms(20 * time.Hour),
				CanceledDate: []heloc.Date{"", "2026-11-05"}[i%2], RefreshAt: store.Millis(now.Add(time.Hour)),
			}
			if i == 129 { // reassigned since
				l.Originator = heloc.OriginatorID(h.People["maya"].OriginatorUUID)
			}
			if err := tx.AddLead(t.Context(), &l, now); err != nil {
				return err
			}
			kinds := []lead.EventKind{lead.EventNote, lead.EventContact}
			if i >= 120 {
				kinds = []lead.EventKind{lead.EventRevealed}
			}
			for _, kind := range kinds {
				if err := tx.AddEvent(t.Context(), lead.Event{App: l.App, Originator: heloc.OriginatorID(olivia.OriginatorUUID),
					At: ms(5*time.Hour - time.Duration(i/3)*time.Minute), Kind: kind, ActorID: marcus.UserID,
					ActorName: marcus.Name}); err != nil {
					return err
				}
			}
		}
		// What the deputy does on their own leads is not done for the absent originator.
		own := lead.Row{
			App: "00000000-0000-4000-8000-ffffffffffff", ShortID: "1-own", Originator: heloc.OriginatorID(marcus.OriginatorUUID),
			Company: marcus.BrokerID, Organization: marcus.Organization,
			Step: heloc.StepOffersAvailable, StepSince: ms(20 * time.Hour), RefreshAt: store.Millis(now.Add(time.Hour)),
		}
		if err := tx.AddLead(t.Context(), &own, now); err != nil {
			return err
		}
		return tx.AddEvent(t.Context(), lead.Event{App: own.App, Originator: own.Originator, At: ms(5 * time.Hour),
			Kind: lead.EventNote, ActorID: marcus.UserID, ActorName: marcus.Name})
	}))
	for _, tt := range []struct {
		who, did, status string
		want             int
		text             string
	}{
		{"maya", "", "", 130, "Marcus Reyes worked on 130 leads."},
		{"maya", "note", "", 120, "120 leads match the filters."},
		{"maya", "viewed", "", 10, "10 leads match the filters."},
		{"maya", "note", "offers", 60, "60 leads match the filters."},
		{"maya", "", "offers", 65, "65 leads match the filters."},
		{"olivia", "", "offers", 65, "65 leads match the filters."},
		{"olivia", "viewed", "cancelled", 4, "4 leads match the filters."}, // not the one of another originator
		{"maya", "repull", "", 0, "0 leads match the filters."},
		{"maya", "nonsense", "", 130, "Marcus Reyes worked on 130 leads."},
	} {
		v := h.SignInAs(tt.who)
		start := v.Get("/team/absences/absence")
		if form := start.Find("#work-filters"); form.AttrOr("method", "") != "get" ||
			form.Find(`button[type="submit"]`).Length() != 1 {
			t.Fatal("the filters are no form that a browser without scripts can send")
		}
		values := start.Form("#work-filters").With("did", tt.did, "status", tt.status).Values
		page := v.Get("/team/absences/absence?" + values.Encode())
		page.WantText(tt.text)
		seen := map[string]bool{}
		for pages := 1; ; pages++ {
			page.Find("#work tbody tr").Each(func(_ int, row *webtest.Selection) { seen[row.Find(".c-head").Text()] = true })
			next := page.Find(`#work a[rel="next"]`).AttrOr("href", "")
			if next == "" {
				break
			}
			page = v.Get(next)
			if got := page.Find(`select[name="did"] option[selected]`).AttrOr("value", ""); got != tt.did &&
				tt.did != "nonsense" {
				t.Errorf("%+v, page %d: the filter is %q", tt, pages+1, got)
			}
			if page.Find(`#work a:contains("First page")`).Length() != 1 {
				t.Errorf("%+v, page %d has no link to the first", tt, pages+1)
			}
		}
		if len(seen) != tt.want {
			t.Errorf("%+v: %d leads are listed", tt, len(seen))
		}
	}
	h.SignInAs("olivia").Get("/team/absences/absence").WantText("A lead you can’t open")
	if got := h.SignInAs("piotr").Get("/team/absences/absence?did=note"); got.Status != 404 {
		t.Errorf("another company: got %d, want 404", got.Status)
	}
}
