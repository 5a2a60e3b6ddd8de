package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// summaries returns a manager's monthly summaries, newest first.
func summaries(h *webtest.Harness, who string) (all []account.PendingMail) {
	h.T.Helper()
	for _, m := range h.Mails(h.People[who].Email) {
		if strings.HasPrefix(m.Subject, "Hearthline summary for ") {
			all = append(all, m)
		}
	}
	return all
}

// TestMonthlyReport_TurnedOn_SentOncePerMonth: nobody receives a summary who did not ask for it; a manager who did
// receives each month once, however often and in however many processes it is due, until they turn it off.
func TestMonthlyReport_TurnedOn_SentOncePerMonth(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	var now time.Time
	h.DeskDeps.Now = func() time.Time { return now }
	at := func(day string) {
		t.Helper()
		zone, err := time.LoadLocation("America/New_York")
		h.Must(err)
		now, err = time.ParseInLocation("2006-01-02 15:04", day, zone)
		h.Must(err)
		h.RebuildDesks()
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if err := h.DeskService.SendMonthlyReports(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
	}
	olivia := h.People["olivia"]
	for i, started := range []string{"2026-10-03", "2026-10-20", "2026-10-31", "2026-11-01"} {
		day, err := time.Parse(time.DateOnly, started)
		h.Must(err)
		l := lead.Row{
			App:        heloc.AppID("00000000-0000-4000-8000-00000000000" + string(rune('0'+i))),
			Originator: heloc.OriginatorID(olivia.OriginatorUUID), Company: olivia.BrokerID, Organization: olivia.Organization,
			Step: heloc.StepComplete, Converted: i > 0, Funded: i == 1, Source: lead.SourcePortal, StepSince: 1,
			RefreshAt: store.Millis(time.Now().Add(time.Hour)),
		}
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddLead(t.Context(), &l, day.Add(18*time.Hour))
		}))
	}
	maya := h.SignInAs("maya")
	at("2026-10-15 09:00")
	page := maya.Get("/account")
	form := page.Form(`form[action="/account/monthly-report"]`)
	if form.Values.Get("monthlyReport") != "" {
		t.Fatal("the summary is on without a choice")
	}
	at("2026-11-02 09:00")
	if got := summaries(h, "maya"); len(got) != 0 {
		t.Fatalf("got %d summaries without a choice", len(got))
	}
	at("2026-10-15 09:00")
	if got := maya.Send(form.With("monthlyReport", "true")); got.Path != "/account" ||
		got.Find(`#monthly-report-on[checked]`).Length() != 1 {
		t.Fatalf("the choice led to %s (%d)", got.Path, got.Status)
	}
	for _, early := range []string{"2026-10-15 09:00", "2026-11-01 12:00", "2026-11-02 07:59"} {
		at(early)
		if got := summaries(h, "maya"); len(got) != 0 {
			t.Fatalf("%s: got %d summaries, want none yet", early, len(got))
		}
	}
	at("2026-11-02 08:00")
	at("2026-11-02 08:01")
	at("2026-11-20 10:00")
	got := summaries(h, "maya")
	if len(got) != 1 {
		t.Fatalf("got %d summaries, want one", len(got))
	}
	for _, want := range []string{"October 2026", "Summit", "Inquiries started: 3", "Applications: 2", "Funded: 1",
		"Applications that ended without funding:", "Pull-through: 50% (1 of 2 applications funded)",
		"/reports?period=2026-10", "/account#monthly-report"} {
		if !strings.Contains(got[0].Subject+got[0].Text, want) {
			t.Errorf("the summary lacks %q:\n%s", want, got[0].Text)
		}
	}
	if strings.Contains(got[0].Text, "Olivia") || strings.Contains(got[0].Text, "00000000-") {
		t.Errorf("the summary names people or leads:\n%s", got[0].Text)
	}
	if link := maya.Get("/reports?period=2026-10"); !strings.Contains(link.Text(), "Inquiries started in October 2026") {
		t.Errorf("the link shows %s", link.MainText())
	}
	at("2026-12-09 10:00") // the portal was down on the first working day
	if got := summaries(h, "maya"); len(got) != 2 {
		t.Fatalf("got %d summaries in December, want two", len(got))
	}
	maya.Send(maya.Get("/account").Form(`form[action="/account/monthly-report"]`).With("monthlyReport", ""))
	at("2027-01-05 10:00")
	if got := summaries(h, "maya"); len(got) != 2 {
		t.Errorf("got %d summaries after it was turned off, want two", len(got))
	}
	if got := summaries(h, "piotr"); len(got) != 0 {
		t.Errorf("another company got %d summaries", len(got))
	}
}

// TestMonthlyReport_OtherRoles_NotOffered: only managers can choose it, and a manager who is none any more gets
// nothing.
func TestMonthlyReport_OtherRoles_NotOffered(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia := h.SignInAs("olivia")
	if olivia.Get("/account").Find("#monthly-report").Length() > 0 {
		t.Error("an originator is offered the summary")
	}
	if got := olivia.Post("/account/monthly-report",
		url.Values{"monthlyReport": {"true"}}); got.Status != http.StatusForbidden {
		t.Errorf("an originator turns it on: got %d, want 403", got.Status)
	}
	maya := h.SignInAs("maya")
	maya.Post("/account/monthly-report", url.Values{"monthlyReport": {"true"}})
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["admin"].Actor, h.People["maya"].UserID, access.Originator)
	}))
	h.DeskDeps.Now = func() time.Time { return time.Now().AddDate(0, 2, 0) }
	h.RebuildDesks()
	h.Must(h.DeskService.SendMonthlyReports(t.Context()))
	if got := summaries(h, "maya"); len(got) != 0 {
		t.Errorf("a former manager got %d summaries", len(got))
	}
}
