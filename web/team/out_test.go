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

// TestOut_SixteenLeads_TwoPresses splits the leads of somebody who is out, from their row in the team: one press opens
// the proposal, the second one starts it.
func TestOut_SixteenLeads_TwoPresses(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	apps := startMany(h, 16)
	maya := h.SignInAs("maya")
	out := "/team/out/" + h.People["olivia"].OriginatorUUID
	for _, path := range []string{"/team", "/team/people"} {
		if maya.Get(path).Find(`tr a[href="`+out+`"]`).Length() != 1 {
			t.Errorf("%s has no link to %s", path, out)
		}
	}
	page := maya.Get(out)
	page.WantText("Olivia Bennett is out", "16 leads until", "without a license on file",
		"0 to someone without an account", "Goes back automatically")
	if got := page.Find(".proposal .c-why").Length(); got != 16 {
		t.Errorf("got %d rows with a reason, want 16", got)
	}
	form := page.Form("#form-out")
	preview := maya.Send(form.With("cap", "5", "dry", "true"))
	preview.WantText("10 leads until", "6 can’t be reassigned", "of 5")
	if bad := maya.Send(form.With("until", "yesterday")); bad.Status != 422 {
		t.Errorf("a day that is none: got %d, want 422", bad.Status)
	}
	run := maya.Send(form)
	if !strings.HasPrefix(run.Path, "/reassignments/") {
		t.Fatalf("got %s, want the run", run.Path)
	}
	run.WantText("Leads no one else works on go back")
	if again := maya.Send(form); again.Path != run.Path {
		t.Errorf("the same form again: got %s, want %s", again.Path, run.Path)
	}
	h.WaitUntil("all leads have moved", func() bool {
		owners := ownersOf(h, apps)
		return owners["olivia"] == 0 && owners["marcus"] == 8 && owners["maya"] == 8
	})
	if got := maya.Get(out); got.Find(".split-bar button").Length() != 0 {
		t.Error("nothing is left to split, and there is a button")
	}
}

// TestOut_Cover_EntersAbsence has the proposed deputy cover instead.
func TestOut_Cover_EntersAbsence(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	startMany(h, 1)
	maya := h.SignInAs("maya")
	page := maya.Get("/team/out/" + h.People["olivia"].OriginatorUUID)
	form := page.Form("#form-out").With("how", "cover")
	if got := maya.Send(form.With("deputy", h.People["piotr"].UserID)); got.Status != 409 {
		t.Errorf("another company's deputy: got %d, want 409", got.Status)
	}
	preview := maya.Send(form.With("dry", "true"))
	if preview.Find(`#how-cover[checked]`).Length() != 1 {
		t.Error("the preview chooses the split again")
	}
	preview.WantText("cover", "Nothing is sent to the lender.")
	done := maya.Send(form)
	if done.Path != "/team/absences" {
		t.Fatalf("got %s, want the absences", done.Path)
	}
	done.WantText("Absent now")
	maya.Get("/team/out/" + h.People["olivia"].OriginatorUUID).WantText("An absence is on file")
}

// TestReturn_Question_AnsweredOnPage answers the question about a lead that a colleague has called.
func TestReturn_Question_AnsweredOnPage(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	apps := startMany(h, 2)
	maya := h.SignInAs("maya")
	maya.Send(maya.Get("/team/out/" + h.People["olivia"].OriginatorUUID).Form("#form-out"))
	h.WaitUntil("both leads have moved", func() bool { return ownersOf(h, apps)["olivia"] == 0 })
	for _, app := range apps {
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddEvent(t.Context(), lead.Event{App: heloc.AppID(app), At: store.Millis(time.Now()),
				Kind: lead.EventNote, ActorID: h.People["marcus"].UserID, ActorName: "Marcus Reyes"})
		}))
	}
	jobs, err := h.Store.ReturnsDue(t.Context(), time.Now().AddDate(0, 0, 9))
	if err != nil || len(jobs) != 1 {
		t.Fatalf("got %d jobs with a return, %v, want 1", len(jobs), err)
	}
	id := "01JDZ0000000000000000000AA"
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		rows, err := tx.JobRows(t.Context(), jobs[0].ID)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i] = lead.JobRow{JobID: id, N: i, App: rows[i].App, ShortID: rows[i].ShortID, State: lead.JobRowAsked,
				Undoes: rows[i].OpID}
		}
		back := jobs[0]
		back.ID, back.Kind, back.Target = id, lead.JobReturn, heloc.OriginatorID(h.People["olivia"].OriginatorUUID)
		back.ReturnAt, back.EndedAt = 0, 1
		return tx.AddJob(t.Context(), back, rows)
	}))
	page := maya.Get("/team/returns/" + id)
	page.WantText("Leads to return to Olivia Bennett", "Who keeps these 2?", "Marcus Reyes: left a note", "Back to Olivia",
		"Save 2 choices")
	if got := h.SignInAs("olivia").Get("/team/returns/" + id).Status; got != 403 {
		t.Errorf("an originator: got %d, want 403", got)
	}
	run := maya.Send(page.Form("#form-return").With("keeps."+apps[0], "keep", "keeps."+apps[1], "back"))
	if !strings.HasPrefix(run.Path, "/reassignments/") {
		t.Fatalf("got %s, want the run", run.Path)
	}
	h.WaitUntil("one lead is back", func() bool { return ownersOf(h, apps)["olivia"] == 1 })
	maya.Get("/team/returns/" + id).WantText("A manager left it where it is.")
	if got := maya.Post("/team/returns/"+id, url.Values{"run": {"x"}}); got.Status != 422 {
		t.Errorf("a form without its key: got %d, want 422", got.Status)
	}
}
