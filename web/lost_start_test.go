package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// loseStart sends a new inquiry that breaks on its way, and returns its receipt.
func loseStart(b *webtest.Browser, broken *brokenCall, how string) *webtest.Response {
	b.H.T.Helper()
	broken.next("/start", how)
	receipt := b.Send(b.IntakeForm("Rivera"))
	if !strings.HasPrefix(receipt.Path, "/operations/") {
		b.H.T.Fatalf("got %d at %s, want the receipt: %s", receipt.Status, receipt.Path, receipt.MainText())
	}
	return receipt
}

// startElsewhere starts an inquiry of Olivia's with the lender that echoes none of the portal's starts.
func startElsewhere(h *webtest.Harness, last, street string) string {
	h.T.Helper()
	home := heloc.Address{Street1: street, City: "Boise", State: "ID", ZIP: "83702"}
	got, err := h.DeskDeps.Lender.Start(h.T.Context(), partner.Start{
		Originator: heloc.OriginatorID(h.People["olivia"].OriginatorUUID),
		Inquiry: heloc.Inquiry{
			Applicant: heloc.Applicant{
				Name: heloc.Name{First: "Elena", Last: last}, DateOfBirth: "1979-05-17", Phone: "3035550147",
				Email: "elena@borrower.test", HomeAddress: home,
				Income: heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: new(heloc.Dollars(124_600))},
			},
			Property: heloc.Property{Address: home, PropertyType: heloc.PropertyPrimary,
				EstimatedValue: new(heloc.Dollars(560_000)), IsListedForSale: new(false)},
		},
	})
	h.Must(err)
	return string(got.AppUUID)
}

// TestLostStart_EveryPage_SaysWhatIsKnownAndWhatToDo loses a start in every way, with and without notifications from
// the lender. Without them, and with a lender that omits our reference, nothing can be asked, so no page may promise a
// result.
func TestLostStart_EveryPage_SaysWhatIsKnownAndWhatToDo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		webhooks bool
		echo     string
		how      string
		answer   string
		reported bool
	}{
		{"503", false, "", gateway503, "The lender answered 503.", false},
		{"no answer", false, "yes", resetBefore, "No answer from the lender arrived.", false},
		{"503, webhooks", true, "", gateway503, "The lender answered 503.", true},
		{"no answer, webhooks", true, "yes", resetBefore, "No answer from the lender arrived.", true},
		{"webhooks without an echo", true, "no", gateway503, "The lender answered 503.", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			broken := &brokenCall{}
			h := webtest.New(t, webtest.Options{Webhooks: tt.webhooks, LenderMiddleware: broken.Middleware})
			h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
				return tx.SaveSetting(t.Context(), store.LenderEcho, tt.echo)
			}))
			olivia := h.SignInAs("olivia")
			path := loseStart(olivia, broken, tt.how).Path
			h.WaitUntil("the outcome is unknown", func() bool { return olivia.Get(path).Find("#give-up").Length() == 1 })
			receipt, today := olivia.Get(path), olivia.Get("/leads")
			again := olivia.Send(olivia.IntakeForm("Rivera"))
			again.WantText("Sent today", tt.answer, "Before you send another one, call the lender")
			for _, page := range []*webtest.Response{receipt, today, again} {
				if shown := page.Text(); strings.Contains(shown, "still checking") ||
					strings.Contains(shown, "We’re checking with the lender") {
					t.Errorf("%s promises a result: %s", page.Path, page.MainText())
				}
			}
			for _, page := range []*webtest.Response{receipt, today} {
				page.WantText("Don’t start it again. "+tt.answer+" Call the lender with the borrower’s name and the time it was "+
					"sent: Elena Rivera, today ", "Then enter the application ID or, if the lender didn’t receive it, mark it as not "+
					"received.")
				got := strings.Contains(page.Text(), "If the lender sends us a notification about it, it appears here.")
				if got != tt.reported {
					t.Errorf("%s speaks of a notification: %v, want %v", page.Path, got, tt.reported)
				}
			}
			today.WantNoText([]string{"Nothing to do right now."})
			if today.Find(`a[href="`+path+`"]`).Length() != 1 {
				t.Error("today has no link to the receipt")
			}
			olivia.Send(receipt.Form("#give-up form").With("reason", "asked support", "confirm.abandon", "true"))
			if got := olivia.Get("/leads"); strings.Contains(got.Text(), "not confirmed") {
				t.Errorf("the task is done, and today still shows it: %s", got.MainText())
			}
		})
	}
}

// TestLostStart_ApplicationEntered_OnlyItsOwnAccepted settles a lost start with the application that the lender named.
func TestLostStart_ApplicationEntered_OnlyItsOwnAccepted(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			broken := &brokenCall{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: broken.Middleware})
			olivia := h.SignInAs("olivia")
			path := loseStart(olivia, broken, gateway503).Path
			h.WaitUntil("the outcome is unknown", func() bool { return olivia.Get(path).Find("#find-lost").Length() == 1 })
			adopt := func(id string) *webtest.Response {
				return olivia.Send(olivia.Get(path).Form("#find-lost form").With("appUuid", id))
			}
			for name, other := range map[string]string{
				"another borrower": startElsewhere(h, "Okafor", "2216 Larkspur Ave"),
				"another property": startElsewhere(h, "Rivera", "9 Mill Lane"),
			} {
				got := adopt(other)
				if got.Status != http.StatusUnprocessableEntity || got.Find("#appUuid").AttrOr("value", "") != other ||
					!strings.Contains(got.Text(), "That application is for another borrower or property. Check the ID.") ||
					strings.Contains(got.Text(), "Okafor") || strings.Contains(got.Text(), "Mill") {
					t.Errorf("%s: got %d, %q: %s", name, got.Status, got.Find("#appUuid").AttrOr("value", ""), got.MainText())
				}
				if _, err := h.Store.AnyLead(t.Context(), heloc.AppID(other)); err == nil {
					t.Errorf("%s: there is a lead", name)
				}
			}
			if got := adopt("1-26324-021"); got.Status != http.StatusUnprocessableEntity {
				t.Errorf("no application ID: got %d", got.Status)
			}
			olivia.Get("/leads").WantText("Elena Rivera, inquiry: sent, not confirmed.")
			app := startElsewhere(h, "RIVERA", "2216 LARKSPUR AVE")
			if got := adopt(app); got.Path != path || got.Status != http.StatusOK {
				t.Fatalf("its own: got %d at %s: %s", got.Status, got.Path, got.MainText())
			}
			confirmed := olivia.Get(path)
			confirmed.WantText("Inquiry confirmed by its application ID.", "Go to lead")
			confirmed.WantNoText([]string{"with our reference"})
			if op := h.LeadRow(heloc.AppID(app)); op.RequestedAmount != heloc.Dollars(60_000) {
				t.Errorf("the lead has the amount %v, want that of the form", op.RequestedAmount)
			}
			olivia.Get("/leads/" + app).WantText("Elena Rivera")
			if got := olivia.Get("/leads"); strings.Contains(got.Text(), "sent, not confirmed") {
				t.Errorf("today still shows it: %s", got.MainText())
			}
		})
	}
}

// TestLostStart_SenderAway_DeputySettlesIt shows a lost start to the colleague who covers, and to nobody else.
func TestLostStart_SenderAway_DeputySettlesIt(t *testing.T) {
	t.Parallel()
	broken := &brokenCall{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: broken.Middleware})
	olivia, now := h.SignInAs("olivia"), time.Now()
	path := loseStart(olivia, broken, gateway503).Path
	h.WaitUntil("the outcome is unknown", func() bool { return olivia.Get(path).Find("#give-up").Length() == 1 })
	marcus := h.SignInAs("marcus")
	if got := marcus.Get("/leads"); strings.Contains(got.Text(), "Rivera") ||
		marcus.Get(path).Status != http.StatusNotFound {
		t.Fatalf("a colleague who does not cover sees it: %s", got.MainText())
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddAbsence(t.Context(), lead.Absence{
			ID: "absence", Company: store.UserScopeOf(h.People["olivia"].Actor).Company, UserID: h.People["olivia"].UserID,
			Originator: heloc.OriginatorID(h.People["olivia"].OriginatorUUID), DeputyID: h.People["marcus"].UserID,
			FirstDay: heloc.DateOf(now.AddDate(0, 0, -1)), LastDay: heloc.DateOf(now.AddDate(0, 0, 4)),
			StartsAt: store.Millis(now.AddDate(0, 0, -1)), EndsAt: store.Millis(now.AddDate(0, 0, 5)),
			CoverEndsAt: store.Millis(now.AddDate(0, 0, 5)), CreatedBy: h.People["maya"].UserID,
		})
	}))
	marcus.Get("/leads").WantText("Elena Rivera, inquiry: sent, not confirmed.", "Sent by "+h.People["olivia"].Name+".")
	receipt := marcus.Get(path)
	app := startElsewhere(h, "Rivera", "2216 Larkspur Ave")
	if got := marcus.Send(receipt.Form("#find-lost form").With("appUuid", app)); got.Status != http.StatusOK {
		t.Fatalf("the deputy: got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
	for _, b := range []*webtest.Browser{olivia, marcus} {
		b.Get("/leads/" + app).WantText("Elena Rivera")
		if got := b.Get("/leads"); strings.Contains(got.Text(), "sent, not confirmed") {
			t.Errorf("today still shows it: %s", got.MainText())
		}
	}
}
