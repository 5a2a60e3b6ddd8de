package team_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// addLeadAt adds a lead of somebody's that has been at a step for some time.
func addLeadAt(h *webtest.Harness, n int, who string, step heloc.Step, ago time.Duration) heloc.AppID {
	h.T.Helper()
	owner := h.People[who]
	l := lead.Row{
		App:        heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)),
		Originator: heloc.OriginatorID(owner.OriginatorUUID), Company: owner.BrokerID, Organization: owner.Organization,
		Step: step, StepSince: store.Millis(time.Now().Add(-ago)), RefreshAt: store.Millis(time.Now().Add(time.Hour)),
	}
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error { return tx.AddLead(h.T.Context(), &l, time.Now()) }))
	return l.App
}

func textOf(s *webtest.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

// TestStuck_FewRecords_DueTimeCounts: without records, a lead is stuck after three times its due time; with eight,
// after three times their median.
func TestStuck_FewRecords_DueTimeCounts(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.SignInAs("maya")
	maya.Get("/team/stuck").WantText("0 stuck", "No stuck leads.")
	late := addLeadAt(h, 1, "olivia", heloc.StepLienMatching, 50*time.Hour)
	addLeadAt(h, 2, "olivia", heloc.StepLienMatching, 11*time.Hour) // due since 7 hours
	addLeadAt(h, 3, "olivia", heloc.StepComplete, 900*time.Hour)
	addLeadAt(h, 4, "olivia", heloc.StepClosed, 900*time.Hour)
	addLeadAt(h, 5, "olivia", heloc.StepUnknown, 900*time.Hour) // no due time, and no records
	addLeadAt(h, 6, "piotr", heloc.StepLienMatching, 900*time.Hour)
	if maya.Get("/team").Find(`#team a[href="/team/stuck"]`).Length() != 1 {
		t.Error("the team page has no link to the stuck leads")
	}
	// The start of an inquiry is nothing that was tried at its step.
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddOperation(t.Context(), lead.Operation{ID: "hl-start", Kind: heloc.OpStart, App: late,
			State: lead.OpSucceeded, CreatedAt: store.Millis(time.Now())})
	}))
	page := maya.Get("/team/stuck")
	page.WantText("1 stuck", "due time 4 hr (not enough history)", "No activity since the inquiry started")
	if rows := page.Find("table.stuck tbody tr"); rows.Length() != 1 || rows.AttrOr("id", "") != "stuck-"+string(late) {
		t.Fatalf("got %q, want the lead that is 50 hours at its step", textOf(rows))
	}
	record := func(n int, stayed time.Duration) {
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			for range n {
				if err := tx.AddEvent(t.Context(), lead.Event{App: late, At: store.Millis(time.Now()), Kind: lead.EventStep,
					StepBefore: heloc.StepLienMatching, StepAfter: heloc.StepOffersAvailable, Company: h.People["maya"].BrokerID,
					StayedMillis: stayed.Milliseconds()}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	record(7, 20*time.Hour)
	maya.Get("/team/stuck").WantText("1 stuck", "not enough history")
	record(1, 20*time.Hour)
	maya.Get("/team/stuck").WantText("0 stuck")
	record(9, 2*time.Hour)
	maya.Get("/team/stuck").WantText("2 stuck", "usually 2 hr, by the last 17 leads")
}

// TestStuck_Groups_EqualLists compares each count with the list behind it.
func TestStuck_Groups_EqualLists(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	for i := range 130 {
		who := []string{"olivia", "marcus", "piotr"}[i%3]
		step := []heloc.Step{heloc.StepLienMatching, heloc.StepCreditMatch, heloc.StepBorrowerAuth, heloc.StepOffersAvailable,
			"BRAND_NEW"}[i/3%5]
		addLeadAt(h, i, who, step, time.Duration(i)*time.Hour)
	}
	maya := h.SignInAs("maya")
	rowsOf := func(path string) (rows int) {
		for path != "" {
			page := maya.Get(path)
			rows += page.Find("table.stuck tbody tr").Length()
			path = page.Find(`a[rel="next"]`).AttrOr("href", "")
		}
		return rows
	}
	page, total := maya.Get("/team/stuck"), 0
	page.Find(".stuck-groups a").Each(func(_ int, a *webtest.Selection) {
		n, _ := strconv.Atoi(strings.TrimSpace(a.Text()))
		total += n
		if rows := rowsOf(a.AttrOr("href", "")); rows != n || n == 0 {
			t.Errorf("%s: above %d rows", a.AttrOr("aria-label", ""), rows)
		}
	})
	if rows := rowsOf("/team/stuck"); rows != total || total < 30 ||
		!strings.Contains(textOf(page.Find(".head .meta")), strconv.Itoa(total)+" stuck") {
		t.Errorf("got %d rows of %d: %q", rows, total, textOf(page.Find(".head .meta")))
	}
	if strings.Contains(page.Body, "Piotr") {
		t.Error("the page names another company's originator")
	}
}

// TestNudge_Twice_NotifiedOnce presses the button twice: the originator is notified once, and the second press says
// when and by whom. At its next step the lead can be asked again.
func TestNudge_Twice_NotifiedOnce(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	app := addLeadAt(h, 1, "olivia", heloc.StepLienMatching, 50*time.Hour)
	own := addLeadAt(h, 2, "maya", heloc.StepLienMatching, 50*time.Hour)
	maya := h.SignInAs("maya")
	list := maya.Get("/team/stuck?step=LIEN_MATCHING_REQUIRED&originator=" + h.People["olivia"].OriginatorUUID)
	form := list.Form(`form[action="/leads/` + string(app) + `/nudge"]`)
	if got := maya.Send(form); got.Status != http.StatusOK || got.Path != "/team/stuck" {
		t.Fatalf("got status %d at %s, want the list", got.Status, got.Path)
	} else if row := textOf(got.Find("#stuck-" + string(app))); !strings.Contains(row, "Asked to follow up today") ||
		!strings.Contains(row, "by "+h.People["maya"].Name) || strings.Contains(got.Body, "/nudge\"") {
		t.Errorf("got the row %q, want who asked, and no button", row)
	}
	again := maya.Send(form)
	if again.Status != http.StatusConflict {
		t.Errorf("the second press: got status %d, want 409", again.Status)
	}
	again.WantText("Already asked to follow up.", h.People["maya"].Name+" asked the originator today")
	h.WantAudited(h.People["maya"].UserID + " lead.nudge lead:" + string(app) + " done")
	olivia := h.SignInAs("olivia")
	inbox := olivia.Get("/notifications")
	inbox.WantText(h.People["maya"].Name+" asked you to follow up", "Step: Verify liens, for 2 days.")
	if n := inbox.Find("table.notices tbody tr").Length(); n != 1 {
		t.Errorf("got %d notifications, want 1", n)
	}
	if got := maya.Post("/leads/"+string(own)+"/nudge", url.Values{}); got.Status != http.StatusConflict {
		t.Errorf("the manager's own lead: got status %d, want 409", got.Status)
	}
	for who, want := range map[string]int{"olivia": http.StatusForbidden, "ada": http.StatusForbidden,
		"marcus": http.StatusNotFound, "piotr": http.StatusNotFound} {
		v := h.SignInAs(who)
		if got := v.Post("/leads/"+string(app)+"/nudge", url.Values{}); got.Status != want {
			t.Errorf("%s: got status %d, want %d", who, got.Status, want)
		}
		if got := v.Get("/team/stuck"); got.Status != http.StatusForbidden {
			t.Errorf("%s: the list: got status %d, want 403", who, got.Status)
		}
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		l, err := tx.AnyLead(t.Context(), app)
		if err != nil {
			return err
		}
		l.Step, l.StepSince = heloc.StepCreditMatch, store.Millis(time.Now())
		return tx.SaveLead(t.Context(), &l, time.Now(), true)
	}))
	if got := maya.Post("/leads/"+string(app)+"/nudge", url.Values{}); got.Status != http.StatusOK {
		t.Errorf("at the next step: got status %d, want it asked for", got.Status)
	}
	if n := olivia.Get("/notifications").Find("table.notices tbody tr").Length(); n != 2 {
		t.Errorf("got %d notifications, want 2", n)
	}
}
