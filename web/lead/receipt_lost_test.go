package lead_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/sandbox"
	"hearthline/views/text"
	weblead "hearthline/web/lead"
	"hearthline/web/webtest"
	"hearthline/web/workspace"
)

// The SSN arrives, its response is lost, and the lead moves on. Nothing from the lender shows whether the SSN caused
// that, so the portal must not claim it.
func TestReceipt_SSNLostAndLeadMoved_ClaimsNothing(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Match-Liens", heloc.StepCreditMatch)
	form := olivia.Get(path).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193")
	h.Must(h.Sandbox.SetFaults(sandbox.Faults{DropResponses: 1}))
	receipt := olivia.Send(form)
	if !strings.HasPrefix(receipt.Path, "/operations/") {
		t.Fatalf("got %d at %s, want the receipt", receipt.Status, receipt.Path)
	}
	h.WaitUntil("the lead has moved", func() bool { return h.LeadRow(app).Step == heloc.StepLienMatching })
	h.WaitUntil("the receipt says so", func() bool {
		return strings.Contains(olivia.Get(receipt.Path).Text(), "The lead has moved on")
	})
	page := olivia.Get(receipt.Path)
	page.WantText("The lead has moved on. We couldn’t confirm that the lender received this.",
		"Ask the lender whether it was received.",
		"may run the soft credit match a second time", "I checked the result with the lender.",
		"We’ll stop checking for it.")
	if got := page.Find("#give-up button").Text(); !strings.Contains(got, "Stop checking") {
		t.Errorf("the button: got %q", got)
	}
	for _, claim := range []string{"not received", "you can send it again", "It did arrive",
		"We found it", "Back to the form", "still checking", "usually"} {
		if strings.Contains(page.Text(), claim) {
			t.Errorf("the receipt claims %q", claim)
		}
	}
	shown := olivia.Get(path)
	shown.WantText("SSN: the lead has moved on. We couldn’t confirm that the lender received this.")
	// The next step asks for something else, and its form is available.
	sent := olivia.Send(shown.Form(`form[action$="/verify-liens"]`))
	if sent.Path != path {
		t.Errorf("the liens: got %d at %s: %s", sent.Status, sent.Path, sent.MainText())
	}
	h.WaitUntil("the step after the liens", func() bool { return h.LeadRow(app).Step == heloc.StepOffersAvailable })
	if got := olivia.Get(receipt.Path); got.Find("#give-up").Length() != 1 ||
		strings.Contains(got.Text(), "It did arrive") {
		t.Error("the receipt has settled without evidence")
	}
	olivia.Send(page.Form(`form[action="`+receipt.Path+`"]`).With("reason", "It was received", "confirm.abandon", "true"))
	page = olivia.Get(receipt.Path)
	page.WantText("SSN no longer checked.", "It was received")
	page.WantNoText([]string{"not received"})
}

// The lead has a new originator, and its former one may have left: whoever has it now gives up the
// write that blocks it.
func TestReceipt_LeadReassigned_NewOriginatorMayGiveUp(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus, piotr := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("piotr")
	path, app := olivia.StartLeadAt("Rivera-Match-Liens", heloc.StepCreditMatch)
	form := olivia.Get(path).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193")
	h.Must(h.Sandbox.SetFaults(sandbox.Faults{DropResponses: 1}))
	receipt := olivia.Send(form).Path
	if _, err := h.DeskDeps.Lender.Reassign(t.Context(), app,
		heloc.OriginatorID(h.People["marcus"].OriginatorUUID)); err != nil {
		t.Fatal(err)
	}
	h.WaitUntil("the lead is Marcus's", func() bool {
		h.Must(h.LenderSync.Refresh(t.Context(), app)) // the next poll would be in half a minute
		return string(h.LeadRow(app).Originator) == h.People["marcus"].OriginatorUUID
	})
	if got := piotr.Get(receipt); got.Status != http.StatusNotFound {
		t.Errorf("another company: got %d, want 404", got.Status)
	}
	shown := marcus.Get(receipt)
	shown.WantText("may run the soft credit match a second time")
	sent := marcus.Send(shown.Form(`form[action="`+receipt+`"]`).With("reason", "Asked the lender",
		"confirm.abandon", "true"))
	if sent.Status != http.StatusOK || !strings.Contains(marcus.Get(receipt).Text(), "Asked the lender") {
		t.Errorf("got %d at %s: %s", sent.Status, sent.Path, sent.MainText())
	}
}

func TestReceipt_CancelLost_ConfirmedByClosedInquiry(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera-None", heloc.StepNoOffers)
	form := olivia.Get(path).Form(`form[action$="/cancel"]`).With("confirm.cancel", "true")
	h.Must(h.Sandbox.SetFaults(sandbox.Faults{DropResponses: 1}))
	receipt := olivia.Send(form)
	h.WaitUntil("the receipt shows the outcome", func() bool {
		return strings.Contains(olivia.Get(receipt.Path).Text(), "Cancellation confirmed by the lender’s records")
	})
	olivia.Get(receipt.Path).WantText("They show the inquiry as closed, with a cancellation date.",
		"Lender’s response: none received; confirmed by the lender’s records, today")
}

// A form that would repeat a request that may have arrived shows a warning.
func TestMayRepeat_LastOperationOfThisStep_Warned(t *testing.T) {
	t.Parallel()
	row := lead.Row{Step: heloc.StepCreditMatch, StatusKey: heloc.StatusSSNNeeded}
	op := func(state lead.OpState, kind heloc.Operation, step heloc.Step) lead.Operation {
		return lead.Operation{ID: string(state), Kind: kind, State: state, StepBefore: step}
	}
	here := func(state lead.OpState) lead.Operation { return op(state, heloc.OpAddSSN, heloc.StepCreditMatch) }
	for _, tt := range []struct {
		name string
		ops  []lead.Operation // newest first
		want string
	}{
		{"none", nil, ""},
		{"absent", []lead.Operation{here(lead.OpAbsent)}, "absent"},
		{"abandoned", []lead.Operation{here(lead.OpAbandoned)}, "abandoned"},
		{"rejected after it", []lead.Operation{here(lead.OpRejected), here(lead.OpAbsent)}, "absent"},
		{"not sent after it", []lead.Operation{here(lead.OpNotSent), here(lead.OpAbandoned)}, "abandoned"},
		{"accepted after it", []lead.Operation{here(lead.OpSucceeded), here(lead.OpAbsent)}, ""},
		{"at another step", []lead.Operation{op(lead.OpAbsent, heloc.OpAddSSN, heloc.StepLienMatching)}, ""},
		{"of another kind", []lead.Operation{op(lead.OpAbsent, heloc.OpCancel, heloc.StepCreditMatch)}, ""},
	} {
		got, ok := workspace.MayRepeat(desklead.Snapshot{Row: row, Operations: tt.ops})
		if ok != (tt.want != "") || ok && got.ID != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got.ID, ok, tt.want)
		}
	}
}

// TestReceipt_UsualWait_OnlyAfterAcceptance: nothing is expected to follow from what may not have arrived.
func TestReceipt_UsualWait_OnlyAfterAcceptance(t *testing.T) {
	t.Parallel()
	wait := lead.UsualWait{Median: 50 * time.Second, Known: true}
	for state, want := range map[lead.OpState]int{lead.OpSucceeded: 3, lead.OpUnknown: 2, lead.OpSent: 2} {
		op := lead.Operation{Kind: heloc.OpAddSSN, State: state, SentAt: 1, AnsweredAt: 2}
		steps := weblead.PresentReceiptSteps(text.Viewer{Zone: time.UTC}, op, wait)
		if len(steps) != want || want == 3 && steps[2].Text != "not seen yet; usually 50 seconds after the SSN" {
			t.Errorf("%s: got %+v, want %d", state, steps, want)
		}
		if steps = weblead.PresentReceiptSteps(text.Viewer{Zone: time.UTC}, op, lead.UsualWait{}); len(steps) != want ||
			want == 3 && steps[2].Text != "no change seen yet" {
			t.Errorf("%s, usual wait unknown: got %+v, want %d", state, steps, want)
		}
	}
}

// No receipt claims that something arrived, unless its state is evidence of it.
func TestReceipt_EveryKindAndState_NoClaimWithoutEvidence(t *testing.T) {
	t.Parallel()
	hasEvidence := map[heloc.Operation]bool{heloc.OpStart: true, heloc.OpCancel: true, heloc.OpReassign: true,
		heloc.OpSelectOffer: true}
	for _, kind := range []heloc.Operation{
		heloc.OpStart, heloc.OpAddSSN, heloc.OpRepullCredit, heloc.OpVerifyLiens,
		heloc.OpAddIncome, heloc.OpAssetDepletion, heloc.OpPropertyValue,
		heloc.OpSelectProperty, heloc.OpSelectOffer, heloc.OpCancel, heloc.OpReassign, heloc.OpSetAttributions,
	} {
		for _, state := range []lead.OpState{lead.OpUnknown, lead.OpConfirmed, lead.OpAbsent, lead.OpAbandoned} {
			op := lead.Operation{Kind: kind, State: state, SentAt: 1, SettledAt: 2, StepChangedAt: 3,
				StepAfter: heloc.StepLienMatching}
			for _, step := range weblead.PresentReceiptSteps((text.Viewer{Zone: time.UTC}), op, lead.UsualWait{}) {
				if step.Label == "Lender’s response:" && step.Done != (state == lead.OpConfirmed && hasEvidence[kind]) {
					t.Errorf("%s, %s: seen by the lender: %v, %q", kind, state, step.Done, step.Text)
				}
				if step.Label == "Lead moved to:" && step.Done {
					t.Errorf("%s, %s: the receipt claims that the next step follows from it", kind, state)
				}
			}
		}
	}
}

// A lead at another step, or one that has ended, has no form to go back to.
func TestReceipt_RefusedAndLeadMovedOrEnded_OffersNoForm(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Match-Liens", heloc.StepCreditMatch)
	olivia.Send(olivia.Get(path).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193"))
	h.WaitUntil("the lead has moved", func() bool { return h.LeadRow(app).Step == heloc.StepLienMatching })
	h.ExecSQL(`UPDATE operations SET state = 'rejected' WHERE app = ? AND kind = ?`, string(app), string(heloc.OpAddSSN))
	receipt := ""
	olivia.Get(path + "/activity").Find(`a[href^="/operations/"]`).Each(func(_ int, a *webtest.Selection) {
		if href := a.AttrOr("href", ""); strings.Contains(olivia.Get(href).Find("h1").Text(), "SSN") {
			receipt = href
		}
	})
	moved := olivia.Get(receipt)
	moved.WantText("SSN not accepted by the lender.", "Nothing was changed.", "Go to lead")
	moved.WantNoText([]string{"Back to the form", "before you send it again"})
	olivia.Send(olivia.Get(path).Form(`form[action$="/cancel"]`).With("confirm.cancel", "true"))
	h.WaitUntil("the lead has ended", func() bool { return h.LeadRow(app).Lane == heloc.LaneEnded })
	ended := olivia.Get(receipt)
	ended.WantText("Nothing was changed.", "Go to lead")
	ended.WantNoText([]string{"Back to the form", "before you send it again"})
}

// Nothing settles the source and references but a user, so nothing is checked.
func TestReceipt_AttributionsLost_PromisesNoCheck(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	form := olivia.Get(path+"/history").Form("form#form-attributions").With("attributions.utmParameters.source", "expo")
	h.Must(h.Sandbox.SetFaults(sandbox.Faults{DropResponses: 1}))
	receipt := olivia.Get(olivia.Send(form).Path)
	receipt.WantText("You can save them again.", "Lender’s response: not confirmed")
	receipt.WantNoText([]string{"checking for it", "still checking", "in a minute", "submit it twice"})
}

// TestReceipt_AnswerUnclear_NotCalledLost: an answer that arrived was not lost, and without one it is not known whether
// the call was made.
func TestReceipt_AnswerUnclear_NotCalledLost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		status       int
		answered     int64
		label, begin string
	}{
		{"503", http.StatusServiceUnavailable, 2, "Sent", "503; confirmed by"},
		{"no answer", 0, 2, "Sent", "none received; confirmed by"},
		{"a crash", 0, 0, "Submitted", "none received; confirmed by"},
	} {
		op := lead.Operation{Kind: heloc.OpCancel, State: lead.OpConfirmed, HTTPStatus: tt.status, SentAt: 1,
			AnsweredAt: tt.answered, SettledAt: 3}
		steps := weblead.PresentReceiptSteps(text.Viewer{Zone: time.UTC}, op, lead.UsualWait{})
		if steps[0].Label != tt.label || !strings.HasPrefix(steps[1].Text, tt.begin) {
			t.Errorf("%s: got %+v", tt.name, steps)
		}
		if outcome := text.OutcomeOf("cancel", "confirmed", ""); strings.Contains(outcome.Text, "lost") {
			t.Errorf("%s: got %q", tt.name, outcome.Text)
		}
	}
}

// TestUnsavedOf_NoEffect_MayBeSentAgain: an outcome that is not stored yet says the same as one that is.
func TestUnsavedOf_NoEffect_MayBeSentAgain(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]int{"succeeded": 1, "rejected": 0, "not_sent": 0, "unknown": 1} {
		got := text.UnsavedOf(text.OutcomeOf("add-ssn", state, "")).Text
		if n := strings.Count(got, "Don’t send it again.") + strings.Count(got, "Don’t resend it."); n != want {
			t.Errorf("%s: got %q, want %d warnings", state, got, want)
		}
	}
}

// TestReceipt_ReassignedAgain_NotCalledUnseen: the records show another originator because the lead was reassigned
// again, and not because the first reassignment had no effect.
func TestReceipt_ReassignedAgain_NotCalledUnseen(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, app := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	reassign := func(to string) {
		maya.Send(maya.ReassignForm(path, to))
		h.WaitUntil("the lead is "+to+"'s", func() bool {
			return string(h.LeadRow(app).Originator) == h.People[to].OriginatorUUID
		})
	}
	reassign("marcus")
	ops, err := h.Store.Operations(t.Context(), app, 1)
	h.Must(err)
	h.ExecSQL(`UPDATE operations SET sent_at = sent_at - 864000000, answered_at = answered_at - 864000000,
		created_at = created_at - 864000000 WHERE id = ?`, ops[0].ID)
	reassign("olivia")
	receipt := maya.Get("/operations/" + ops[0].ID)
	receipt.WantText("Reassignment accepted by the lender")
	if strings.Contains(receipt.Text(), "don’t see it") {
		t.Errorf("the receipt doubts a reassignment that was seen: %s", receipt.MainText())
	}
}

// TestCancel_AcceptedAtAnotherStep_NotClosedYet: the step may change while a cancellation is under way.
func TestCancel_AcceptedAtAnotherStep_NotClosedYet(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, LenderMiddleware: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/cancel") {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"messages":[]}`)
				return
			}
			next.ServeHTTP(w, r)
		})
	}})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	olivia.Send(olivia.Get(path).Form(`form[action$="/cancel"]`).With("confirm.cancel", "true"))
	h.EditLead(app, func(l *lead.Row) { l.PendingUntil = 0 }) // the usual wait is over
	olivia.Get(path).WantText("The inquiry isn’t closed yet.")
}
