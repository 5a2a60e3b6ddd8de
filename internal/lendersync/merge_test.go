package lendersync

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func at(seconds int) int64 {
	return store.Millis(time.Date(2026, 11, 20, 12, 0, seconds, 0, time.UTC))
}

func historyOf(n int) []heloc.StatusEntry { return make([]heloc.StatusEntry, n) }

func TestMerge(t *testing.T) {
	t.Parallel()
	accepted := &lead.Operation{ID: "op", Kind: heloc.OpAddSSN, State: lead.OpSucceeded, SentAt: at(-31),
		AnsweredAt: at(-30), HistoryBefore: 2}
	found := &lead.Operation{ID: "op", Kind: heloc.OpStart, State: lead.OpConfirmed, SentAt: at(-90)}
	chosen := &lead.Operation{ID: "op", Kind: heloc.OpSelectOffer, State: lead.OpSucceeded, SentAt: at(-31),
		AnsweredAt: at(-30), HistoryBefore: 2}
	canceling := &lead.Operation{ID: "op", Kind: heloc.OpCancel, State: lead.OpSucceeded, SentAt: at(-31),
		AnsweredAt: at(-30), HistoryBefore: 2}
	blocked := lead.Row{Step: heloc.StepCreditMatch, StepSince: at(-600), Attempt: 1, HistoryLength: 2}
	underWay := blocked
	underWay.PendingOp, underWay.PendingUntil = "op", at(60)
	newLead := lead.Row{StepSince: at(-5), Attempt: 1, PendingOp: "op", PendingUntil: at(60)}
	with := func(l lead.Row, change func(*lead.Row)) lead.Row { change(&l); return l }
	same := heloc.AppData{NextInquiryStep: heloc.StepCreditMatch, Status: "S", OverallStatus: "O",
		StatusHistory: historyOf(2), IsInquiry: new(true)}
	but := func(change func(*heloc.AppData)) reading {
		a := same
		change(&a)
		return reading{details: heloc.Details{App: a}, known: heloc.Details{App: same}}
	}

	for _, tt := range []struct {
		name    string
		lead    lead.Row
		r       reading
		op      *lead.Operation
		events  []lead.EventKind
		changed bool
		check   func(t *testing.T, l lead.Row, op lead.Operation)
	}{
		{"an appointment with a notary in person", blocked, but(func(a *heloc.AppData) {
			a.Notary.ManualNotary = &heloc.ManualNotary{Date: "2026-11-24"}
		}), nil, nil, true, func(t *testing.T, l lead.Row, _ lead.Operation) {
			if l.NotaryDate != "2026-11-24" {
				t.Errorf("got the appointment %q, want 2026-11-24", l.NotaryDate)
			}
		}},
		{"another step while a cancellation is under way", underWay, but(func(a *heloc.AppData) {
			a.NextInquiryStep = heloc.StepLienMatching
		}), canceling, []lead.EventKind{lead.EventStep}, true, func(t *testing.T, l lead.Row, op lead.Operation) {
			if l.Step != heloc.StepLienMatching || l.PendingOp != "op" || op.StepChangedAt != 0 {
				t.Errorf("got the step %s with %q pending, %+v, want the cancellation still pending", l.Step, l.PendingOp, op)
			}
		}},
		{"closed by a cancellation", underWay, but(func(a *heloc.AppData) {
			a.NextInquiryStep = heloc.StepClosed
		}), canceling, []lead.EventKind{lead.EventStep}, true, func(t *testing.T, l lead.Row, op lead.Operation) {
			if l.PendingOp != "" || op.StepAfter != heloc.StepClosed {
				t.Errorf("got %q pending, %+v, want the cancellation ended", l.PendingOp, op)
			}
		}},
		{"withdrawn while a cancellation is under way", underWay, but(func(a *heloc.AppData) {
			a.NextInquiryStep = heloc.StepWithdrawn
		}), canceling, []lead.EventKind{lead.EventStep}, true, func(t *testing.T, l lead.Row, op lead.Operation) {
			if l.PendingOp != "" || op.StepChangedAt != 0 {
				t.Errorf("got %q pending, %+v, want nothing pending and no step of the cancellation", l.PendingOp, op)
			}
		}},
		{"nothing new", blocked, but(func(*heloc.AppData) {}), nil, nil, false, nil},
		{"a new inquiry in processing", newLead,
			reading{details: heloc.Details{App: heloc.AppData{NextInquiryStep: heloc.StepUnknown}}}, found, nil, true,
			func(t *testing.T, l lead.Row, _ lead.Operation) {
				if l.PendingOp != "op" || l.StepSince != at(-5) {
					t.Errorf("got pending %q since %d, want it still pending", l.PendingOp, l.StepSince)
				}
			}},
		{"null is processing too", with(newLead, func(l *lead.Row) { l.Step = heloc.StepUnknown }), reading{},
			found, nil, true,
			func(t *testing.T, l lead.Row, _ lead.Operation) {
				if l.PendingOp != "op" || l.StepSince != at(-5) {
					t.Errorf("got pending %q since %d, want it still pending", l.PendingOp, l.StepSince)
				}
			}},
		{"the first step", with(newLead, func(l *lead.Row) { l.Step = heloc.StepUnknown }),
			but(func(*heloc.AppData) {}), accepted,
			[]lead.EventKind{lead.EventStep}, true, wantStepChange(heloc.StepCreditMatch, 30_000)},
		{"the first step of a start that was found", with(newLead, func(l *lead.Row) { l.Step = heloc.StepUnknown }),
			but(func(*heloc.AppData) {}), found,
			[]lead.EventKind{lead.EventStep}, true, wantStepChange(heloc.StepCreditMatch, 0)},
		{"another step", underWay, but(func(a *heloc.AppData) { a.NextInquiryStep = heloc.StepLienMatching }), accepted,
			[]lead.EventKind{lead.EventStep}, true, wantStepChange(heloc.StepLienMatching, 30_000)},
		{"another step after the wait", with(underWay, func(l *lead.Row) { l.PendingUntil = 0 }),
			but(func(a *heloc.AppData) { a.NextInquiryStep = heloc.StepLienMatching }), accepted,
			[]lead.EventKind{lead.EventStep}, true, wantStepChange(heloc.StepLienMatching, 30_000)},
		{"another step without an operation", blocked, but(func(a *heloc.AppData) { a.NextInquiryStep = heloc.StepClosed }),
			nil, []lead.EventKind{lead.EventStep}, true, nil},
		{"the same step without an answer", underWay, but(func(*heloc.AppData) {}), accepted, nil, false, nil},
		{"the same step after a webhook", with(underWay, func(l *lead.Row) { l.WebhookAt = at(-1) }),
			but(func(*heloc.AppData) {}), accepted,
			[]lead.EventKind{lead.EventAskedAgain}, true, askedAgainCheck(2)},
		{"an earlier webhook", with(underWay, func(l *lead.Row) { l.WebhookAt = at(-40) }), but(func(*heloc.AppData) {}),
			accepted, nil, false, nil},
		{"the same step in a longer history", underWay, but(func(a *heloc.AppData) { a.StatusHistory = historyOf(3) }),
			accepted,
			[]lead.EventKind{lead.EventAskedAgain}, true, askedAgainCheck(2)},
		{"the same step after the wait", with(underWay, func(l *lead.Row) { l.PendingUntil, l.WebhookAt = 0, at(-1) }),
			but(func(*heloc.AppData) {}), accepted,
			[]lead.EventKind{lead.EventAskedAgain}, true, askedAgainCheck(2)},
		{"another offer is not asked again", with(underWay, func(l *lead.Row) { l.Step = heloc.StepBorrowerAuth }),
			but(func(a *heloc.AppData) { a.NextInquiryStep, a.StatusHistory = heloc.StepBorrowerAuth, historyOf(3) }), chosen,
			[]lead.EventKind{lead.EventStep}, true, wantStepChange(heloc.StepBorrowerAuth, 30_000)},
		{"a longer history while the earlier offer is still selected",
			with(underWay, func(l *lead.Row) { l.Step = heloc.StepBorrowerAuth }),
			withOtherSelected(but(func(a *heloc.AppData) {
				a.NextInquiryStep, a.StatusHistory = heloc.StepBorrowerAuth,
					historyOf(3)
			})), chosen, nil, true, wantPending},
		{"a longer history read before the operation was sent", underWay,
			but(func(a *heloc.AppData) { a.StatusHistory = historyOf(3) }),
			new(sentLater(*accepted)), nil, true, wantPending},
		{"processing is not an answer", underWay, but(func(a *heloc.AppData) { a.NextInquiryStep = heloc.StepUnknown }),
			accepted,
			[]lead.EventKind{lead.EventStep}, true, func(t *testing.T, l lead.Row, op lead.Operation) {
				if l.PendingOp != "op" || l.PendingUntil == 0 || op.StepChangedAt != 0 {
					t.Errorf("got pending %q, moved %d, want it still pending", l.PendingOp, op.StepChangedAt)
				}
			}},
		{"a lead that was set aside is asked again", with(blocked, func(l *lead.Row) { l.SetAsideAt, l.RepullAt = 1, 1 }),
			but(func(a *heloc.AppData) { a.NextInquiryStep = heloc.StepOffersAvailable }), nil,
			[]lead.EventKind{lead.EventStep}, true,
			func(t *testing.T, l lead.Row, _ lead.Operation) {
				if l.SetAsideAt != 0 || l.RepullAt != 0 {
					t.Errorf("got set aside %d, re-pull %d, want neither", l.SetAsideAt, l.RepullAt)
				}
			}},
		{"another status", blocked, but(func(a *heloc.AppData) { a.Status = "T" }), nil,
			[]lead.EventKind{lead.EventStatus}, true, nil},
		{"the first status", blocked, reading{details: heloc.Details{App: same}}, nil, nil, false, nil},
		{"converted", blocked, but(func(a *heloc.AppData) { a.IsInquiry = new(false) }), nil,
			[]lead.EventKind{lead.EventConverted}, true, nil},
		{"null does not reverse a conversion", with(blocked, func(l *lead.Row) { l.Converted = true }),
			but(func(a *heloc.AppData) { a.IsInquiry = nil }), nil, nil, false, nil},
		{"funded", blocked, withClosing(but(func(a *heloc.AppData) {
			a.Funding = &heloc.FundingReport{
				Transactions: []heloc.Transaction{{Status: heloc.FundingComplete, SentAt: "2026-11-19"}},
			}
		})), nil, []lead.EventKind{lead.EventFunded}, true, func(t *testing.T, l lead.Row, _ lead.Operation) {
			if !l.Funded || l.FundedDate != "2026-11-19" {
				t.Errorf("got funded %v on %q", l.Funded, l.FundedDate)
			}
		}},
		{"funded after a canceled transfer", blocked, withClosing(but(func(a *heloc.AppData) {
			a.Funding = &heloc.FundingReport{Transactions: []heloc.Transaction{{Status: heloc.FundingComplete,
				SentAt: "2026-11-18"}, {Status: heloc.FundingCanceled, SentAt: "2026-11-19", EffectiveDate: "2026-11-20"}}}
		})), nil, []lead.EventKind{lead.EventFunded}, true, func(t *testing.T, l lead.Row, _ lead.Operation) {
			if !l.Funded || l.FundedDate != "2026-11-18" {
				t.Errorf("got funded %v on %q, want the day of the transfer that was sent", l.Funded, l.FundedDate)
			}
		}},
		{"a missing report does not reverse a funding",
			with(blocked, func(l *lead.Row) { l.Funded, l.FundedDate = true, "2026-11-19" }),
			withClosing(but(func(*heloc.AppData) {})), nil, nil, false, nil},
		{"money returned", with(blocked, func(l *lead.Row) { l.Funded, l.FundedDate = true, "2026-11-19" }),
			withClosing(but(func(a *heloc.AppData) {
				a.Funding = &heloc.FundingReport{Transactions: []heloc.Transaction{{Status: heloc.FundingReturned}}}
			})), nil, nil, true, func(t *testing.T, l lead.Row, _ lead.Operation) {
				if l.Funded || l.FundedDate != "" {
					t.Errorf("got funded %v on %q, want neither", l.Funded, l.FundedDate)
				}
			}},
		{"a condition", blocked, withClosing(but(func(a *heloc.AppData) {
			a.Conditions = []heloc.Condition{{Active: new(true)}, {Active: new(false)}}
		})), nil,
			[]lead.EventKind{lead.EventCondition}, true, nil},
		{"conditions that were not requested", with(blocked, func(l *lead.Row) { l.OpenConditions = 3 }),
			but(func(*heloc.AppData) {}), nil, nil, false, nil},
		{"documents", blocked, withDocuments(but(func(*heloc.AppData) {}), 2), nil,
			[]lead.EventKind{lead.EventDocuments}, true, nil},
		{"fewer documents", blocked, documented(withDocuments(but(func(*heloc.AppData) {}), 1), 2), nil, nil, false, nil},
		{"no documents requested", blocked, documented(but(func(*heloc.AppData) {}), 2), nil, nil, false, nil},
		{"nothing known at all", with(blocked, func(l *lead.Row) { l.ShortID, l.City = "1-26324-001", "Golden" }), reading{},
			nil, []lead.EventKind{lead.EventStep}, true,
			func(t *testing.T, l lead.Row, _ lead.Operation) {
				if l.Step != "" || l.ShortID != "1-26324-001" || l.City != "Golden" {
					t.Errorf("got %+v", l)
				}
			}},
		{"amounts", blocked, but(func(a *heloc.AppData) {
			a.Underwriting.MaxOfferAmount = new(heloc.Dollars(50))
			a.Underwriting.Offers = []heloc.Offer{{MaxAmount: new(heloc.Dollars(70))}, {}}
			a.Underwriting.SelectedOffer = &heloc.SelectedOffer{LoanAmount: new(heloc.Dollars(60))}
		}), nil, nil, true, func(t *testing.T, l lead.Row, _ lead.Operation) {
			if l.MaxAmount != heloc.Dollars(70) || l.SelectedAmount != heloc.Dollars(60) {
				t.Errorf("got maximum %v and selected %v", l.MaxAmount, l.SelectedAmount)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, r := tt.lead, tt.r
			r.at = store.Instant(at(0))
			var op *lead.Operation
			if tt.op != nil {
				op = new(*tt.op)
			}
			m := merge(&l, r, op)
			var kinds []lead.EventKind
			for _, e := range m.events {
				kinds = append(kinds, e.Kind)
				if e.At != at(0) {
					t.Errorf("%s at %d, want the time of the reading", e.Kind, e.At)
				}
				if left := e.Kind == lead.EventStep && e.StepBefore != e.StepAfter; left &&
					(e.StayedMillis != at(0)-tt.lead.StepSince || e.Company != l.Company) || !left && e.StayedMillis != 0 {
					t.Errorf("%s from %s: got a stay of %d ms at %q, want the time at the step that was left",
						e.Kind, e.StepBefore, e.StayedMillis, e.Company)
				}
			}
			if len(kinds) != len(tt.events) || len(kinds) > 0 && kinds[0] != tt.events[0] {
				t.Errorf("got events %v, want %v", kinds, tt.events)
			}
			if m.changed != tt.changed {
				t.Errorf("changed: got %v, want %v", m.changed, tt.changed)
			}
			if tt.check != nil {
				if op == nil {
					op = &lead.Operation{}
				}
				for _, e := range m.events {
					op.CreatedAt = e.TookMillis // so that the check can see it
				}
				tt.check(t, l, *op)
			}
		})
	}
}

// wantStepChange checks that the pending operation has ended with a step.
func wantStepChange(step heloc.Step, took int64) func(*testing.T, lead.Row, lead.Operation) {
	return func(t *testing.T, l lead.Row, op lead.Operation) {
		if l.Step != step || l.StepSince != at(0) || l.Attempt != 1 || l.PendingOp != "" || l.PendingUntil != 0 {
			t.Errorf("got %s since %d, attempt %d, pending %q", l.Step, l.StepSince, l.Attempt, l.PendingOp)
		}
		if op.StepChangedAt != at(0) || op.StepAfter != step {
			t.Errorf("the operation moved at %d to %q", op.StepChangedAt, op.StepAfter)
		}
		if op.CreatedAt != took {
			t.Errorf("took %d ms, want %d", op.CreatedAt, took)
		}
	}
}

func askedAgainCheck(attempt int) func(*testing.T, lead.Row, lead.Operation) {
	return func(t *testing.T, l lead.Row, op lead.Operation) {
		if l.Step != heloc.StepCreditMatch || l.Attempt != attempt || l.PendingOp != "" || l.StepSince != at(0) ||
			op.StepChangedAt != at(0) {
			t.Errorf("got %s, attempt %d, pending %q since %d", l.Step, l.Attempt, l.PendingOp, l.StepSince)
		}
	}
}

func withClosing(r reading) reading { r.closing = true; return r }

func withDocuments(r reading, n int) reading { r.documents = make([]heloc.Document, n); return r }

func documented(r reading, n int) reading { r.documented = n; return r }

func withOtherSelected(r reading) reading {
	r.otherSelected = true
	return r
}

func sentLater(op lead.Operation) lead.Operation {
	op.SentAt, op.AnsweredAt = at(1), at(2)
	return op
}

func wantPending(t *testing.T, l lead.Row, op lead.Operation) {
	t.Helper()
	if l.PendingOp != "op" || l.PendingUntil == 0 || op.StepChangedAt != 0 {
		t.Errorf("got pending %q, answered %d, want it still pending", l.PendingOp, op.StepChangedAt)
	}
}
