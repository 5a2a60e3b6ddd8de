package team_test

import (
	"strings"
	"testing"
	"time"

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
	empty.WantText("4 fields need attention", "Choose who is absent", "Choose who covers", "Enter the first day", "Enter the last day")
	wrong := maya.Send(form.With("firstDay", "soon", "lastDay", dayText(t, 2), "deputy", h.People["marcus"].UserID))
	if wrong.Status != 422 || wrong.Find(`input[name="firstDay"]`).AttrOr("value", "") != "soon" {
		t.Errorf("a first day that is no date: got %d, %q", wrong.Status, wrong.Find(`input[name="firstDay"]`).AttrOr("value", ""))
	}
	done := maya.Send(form.With("firstDay", dayText(t, 0), "lastDay", dayText(t, 2), "deputy", h.People["marcus"].UserID, "note", "Down with the flu"))
	done.WantText("Absent now", "Marcus Reyes", "Down with the flu")
	maya.Get("/team").WantText("Absent through", "covered by Marcus Reyes")
	maya.Get(path).WantText("absent through", "covered by Marcus Reyes", "With Marcus Reyes (covering)")
	marcus.Get("/notifications").WantText("Maya Lindqvist asked you to cover for Olivia Bennett, ", "You can see and work on their leads on those days.")

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
	if titles := strings.Join(marcus.NotificationTitles(), ", "); !strings.Contains(titles, "You were asked to cover for a colleague") {
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
	inbox.WantText("Coverage ended", "You’re no longer covering for Olivia Bennett, ")
	inbox.WantNoText([]string{"asked you to cover"})
	back := olivia.Get("/leads")
	back.WantText("While you were away", "Marcus Reyes covered for you and worked on 1 of your leads.")
	if href := back.Find("#returned li a").AttrOr("href", ""); href != path {
		t.Errorf("the lead links to %q, want %s", href, path)
	}
	if after := olivia.Send(back.Form("#returned form")); after.Find("#returned").Length() != 0 {
		t.Error("what was dismissed is still shown")
	}
	audit, err := h.Store.AuditOf(t.Context(), "lead:"+strings.TrimPrefix(path, "/leads/"), 20)
	h.Must(err)
	acted := 0
	for _, e := range audit {
		if e.ActorID == h.People["marcus"].UserID && strings.Contains(e.Detail, "covering-for:"+h.People["olivia"].OriginatorUUID) {
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
	done := olivia.Send(form.With("firstDay", dayText(t, 3), "lastDay", dayText(t, 4), "deputy", h.People["marcus"].UserID))
	done.WantText("Olivia Bennett", "Upcoming")
	marcus := h.SignInAs("marcus").Get("/team/absences")
	marcus.WantText("You’re covering for", "Olivia Bennett")
	one := olivia.Get(done.Find(`main a.btn[href^="/team/absences/"]`).AttrOr("href", ""))
	one.WantText("Delete absence")
	one.WantNoText([]string{"Coverage activity"})
	changed := olivia.Send(one.Form("#form-absence").With("lastDay", dayText(t, 6), "note", "Moved"))
	changed.WantText("Moved")
	gone := olivia.Send(olivia.Get(one.Path).Form(`form[action$="/delete"]`))
	gone.WantText("No absences.")
	if got := olivia.Get(one.Path); got.Status != 404 {
		t.Errorf("a deleted absence: got %d, want 404", got.Status)
	}
	if got := h.SignInAs("ada").Get("/team/absences"); got.Status != 403 {
		t.Errorf("an assistant: got %d, want 403", got.Status)
	}
}
