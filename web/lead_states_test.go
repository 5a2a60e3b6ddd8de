package web_test

import (
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/webtest"
)

// leadState is one state that a lead can reach, and what its pages say then. The rules in lead_rules_test.go hold for
// every state and need not be repeated here.
type leadState struct {
	name    string
	trigger string // of the borrower's name
	first   heloc.StatusKey
	form    []string // changes to the intake form
	reach   func(w walkedLead)

	row         string   // in the list, the chip and whose move it is
	card        []string // in the card of the next step
	shows       []string // on some page
	never       []string // on no page
	inquiry     string   // the states of the stages of the inquiry
	application string   // of the application; "" means that none is done
}

// secondHome is a property without a right of rescission, signed at a notary's appointment.
var secondHome = webtest.OtherHome("property.propertyType", "SECONDARY")

// atStreet is a separate address, because the form asks for the unit where several are known.
func atStreet(number string) []string {
	return []string{"property.address.street1", number + " Alder Court"}
}

const noneDone = "- - - - -"

func inquiryStates() []leadState {
	blocked := "done now - - -"
	return []leadState{
		{name: "started", trigger: "Slow", first: heloc.StatusInProgress, row: "In progress lender", inquiry: "wait - - - -",
			card: []string{"The lender is reviewing the inquiry", "With the lender",
				"Next: offers, no offers, or a request for more information. This page updates automatically."},
			shows: []string{"No offers yet."}},
		{name: "choose property", trigger: "Unit", first: heloc.StatusChooseProperty, form: atStreet("480"),
			row: "Property match you", inquiry: blocked,
			card: []string{"Choose the property", "Your move", "Next: the lender continues with the property you choose."}},
		{name: "vague address", trigger: "Vague", first: heloc.StatusChooseProperty, form: atStreet("481"),
			row: "Property match you", inquiry: blocked,
			card: []string{"More specific address needed", "The lender couldn’t match the address to one property.",
				"Next: correct the address in a new inquiry."},
			never: []string{"The lender continues with the property you choose"}, shows: []string{"Property match"}},
		{name: "SSN", trigger: "Match", first: heloc.StatusSSNNeeded, row: "SSN needed you", inquiry: blocked,
			card: []string{"SSN needed", "Your move"}},
		{name: "SSN sent", trigger: "Match", first: heloc.StatusSSNNeeded, reach: func(w walkedLead) {
			w.pending(func() { w.send("add-ssn", "applicant.ssn", "512-44-9981") })
		},
			row: "In progress lender", inquiry: "done wait - - -",
			card: []string{"The lender is reviewing the SSN", "SSN sent.",
				"Next: offers, no offers, or a request for more information."},
			never: []string{"Your move", "The lender received the inquiry."}},
		{name: "frozen", trigger: "Frozen", first: heloc.StatusCreditFrozen, row: "Credit frozen you", inquiry: blocked,
			card: []string{"Your move", "Next: after the borrower lifts it, re-pull credit."}},
		{name: "frozen, borrower told", trigger: "Frozen", first: heloc.StatusCreditFrozen, reach: walkedLead.logCall,
			row: "Credit frozen borrower", inquiry: "done wait - - -",
			card: []string{"With the borrower", "Next: after the borrower lifts it, re-pull credit."}},
		{name: "liens", trigger: "Liens", first: heloc.StatusVerifyLiens, row: "Verify liens you", inquiry: blocked,
			card: []string{"Your move", "Next: offers, no offers, or a request for more information."}},
		{name: "assets", trigger: "Assets", first: heloc.StatusMoreAssets, row: "Income/assets needed you", inquiry: blocked,
			card: []string{"Income or assets needed", "Your move"}},
		{name: "payoff", trigger: "Payoff", first: heloc.StatusPayoff, row: "Payoff you", inquiry: blocked,
			card: []string{"Choose debts to pay off", "Your move"}},
		{name: "payoff closed", trigger: "Payoff", first: heloc.StatusPayoff, reach: walkedLead.setAside,
			row: "Closed without offers", inquiry: "done - - - -",
			card:  []string{"Closed without offers", "The lender still needs a response.", "The lender wasn’t notified."},
			never: []string{"The lender has no offers", "Your move", "Next:", "No offers yet."}},
		{name: "payoff canceled", trigger: "Payoff", first: heloc.StatusPayoff, reach: walkedLead.cancel, row: "Canceled",
			inquiry: "done - - - -", card: []string{"The inquiry was canceled"},
			never: []string{"No offers yet."}},
		{name: "value", trigger: "Value", first: heloc.StatusPropertyValue, row: "Property value you", inquiry: blocked,
			card: []string{"Property value needed", "Your move"}},
		{name: "no offers", trigger: "None", first: heloc.StatusNoOffers, row: "No offers you", inquiry: "done done now - -",
			card:  []string{"No offers for this information", "Your move"},
			never: []string{"No offers yet.", "enied by"}},
		{name: "no offers closed", trigger: "None", first: heloc.StatusNoOffers, reach: walkedLead.setAside,
			row: "Closed without offers", inquiry: "done done - - -",
			card:  []string{"Closed without offers", "The lender has no offers for this information."},
			never: []string{"Your move", "No offers yet."}},
		{name: "offers", first: heloc.StatusOffers, row: "Offers ready you", inquiry: "done done offers - -",
			card:  []string{"Choose an offer with the borrower", "Your move", "Next: after you select one"},
			shows: []string{"Up to $", "Line up to"}},
		{name: "offers canceled", first: heloc.StatusOffers, reach: walkedLead.cancel, row: "Canceled",
			inquiry: "done done - - -", card: []string{"The inquiry was canceled", "Copy to a new inquiry"},
			shows: []string{"Its offers can no longer be selected."}},
		{name: "offers expired", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.play("expire", 0, heloc.StatusExpired) }, row: "Expired", inquiry: "done done - - -",
			card: []string{"This inquiry expired."}},
		{name: "offers withdrawn", first: heloc.StatusOffers, reach: walkedLead.withdraw, row: "Withdrawn",
			inquiry: "done done - - -", card: []string{"The inquiry was withdrawn and is no longer active."},
			never: []string{"xpired"}},
		{name: "restarted", trigger: "Vague", first: heloc.StatusChooseProperty, form: atStreet("482"),
			reach: walkedLead.restart, row: "Canceled", inquiry: "done - - - -", card: []string{"The inquiry was canceled"},
			never: []string{"Choose the property", "You can cancel this one"}},
		{name: "offers declined", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.play("decline", 0, heloc.StatusDeclined) }, row: "Declined",
			inquiry: "done done - - -", card: []string{"The lender declined the inquiry."},
			never: []string{"declined the application"}},
		{name: "selection sent", first: heloc.StatusOffers, reach: func(w walkedLead) { w.pending(w.sendOffer) },
			row: "In progress lender", inquiry: "done done wait - -",
			card:  []string{"The lender is processing the selection", "Next: the borrower signs in with the lender."},
			never: []string{"Up to $", "Line up to", "Select this offer", "request for more information"}},
		{name: "selected", first: heloc.StatusOffers, reach: walkedLead.selectOffer, row: "Borrower sign-in borrower",
			inquiry: "done done done wait -",
			card:    []string{"With the borrower", "Next: after signing in, the borrower signs the broker documents."},
			shows:   []string{"You can select another offer until the inquiry becomes an application."},
			never:   []string{"Choose an offer with the borrower"}},
		{name: "selected, follow up", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.selectOffer(); w.age(heloc.StatusFollowUpSignIn) }, row: "Follow up: sign-in you",
			inquiry: "done done done now -", card: []string{"Your move", "The borrower hasn’t signed in yet."}},
		{name: "selected, cancellation sent", first: heloc.StatusOffers, reach: func(w walkedLead) {
			w.selectOffer()
			w.pending(func() { w.send("cancel", "confirm.cancel", "true") })
		}, row: "In progress lender", inquiry: "done done wait - -",
			card:  []string{"The lender is processing the cancellation", "Next: the lender closes the inquiry."},
			never: []string{"Select this offer", "can select another offer", "Say:"}},
		{name: "selected and canceled", first: heloc.StatusOffers, reach: func(w walkedLead) { w.selectOffer(); w.cancel() },
			row: "Canceled", inquiry: "done done done - -", card: []string{"The inquiry was canceled"}},
		{name: "selected and expired", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.selectOffer(); w.play("expire", 0, heloc.StatusExpired) }, row: "Expired",
			inquiry: "done done done - -", card: []string{"This inquiry expired."}},
		{name: "broker documents", first: heloc.StatusOffers, reach: walkedLead.signIn, row: "Broker documents borrower",
			inquiry: "done done done done wait", card: []string{"The borrower signed in.", "With the borrower"},
			never: []string{"hasn’t signed in"}},
		{name: "broker documents, follow up", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.signIn(); w.age(heloc.StatusFollowUpDocs) }, row: "Follow up: documents you",
			inquiry: "done done done done now", card: []string{"The broker agreement isn’t signed yet.", "Your move"}},
		{name: "documents declined", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.signIn(); w.play("decline", 0, heloc.StatusDeclined) }, row: "Declined",
			inquiry: "done done done done -", card: []string{"The lender declined the inquiry."}},
		{name: "complete", first: heloc.StatusOffers, reach: walkedLead.signDocuments, row: "Inquiry complete lender",
			inquiry: "done done done done done",
			card:    []string{"The inquiry is complete", "Next: the lender turns the inquiry into an application."},
			never:   []string{"became an application"}},
		{name: "complete and declined", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.signDocuments(); w.play("decline", 0, heloc.StatusDeclined) }, row: "Declined",
			inquiry: "done done done done done", card: []string{"The lender declined the inquiry."}},
	}
}

func applicationStates() []leadState {
	inquiry := "done done done done done"
	return []leadState{
		{name: "rescission runs", first: heloc.StatusOffers,
			reach: func(w walkedLead) { w.convert(0, heloc.StatusRescission) }, row: "Rescission lender · ends",
			inquiry: inquiry, application: "done done done wait -",
			card: []string{"Lender’s move", "Next: funds go out after rescission ends",
				"Applications can’t be canceled here."}},
		{name: "rescission with a condition", first: heloc.StatusOffers, reach: func(w walkedLead) {
			w.convert(0, heloc.StatusRescission)
			w.play("condition", 0, heloc.StatusRescission)
			w.waitFor("the condition", func(row lead.Row) bool { return row.OpenConditions > 0 })
		}, row: "Rescission conditions · rescission ends", inquiry: inquiry, application: "done done done wait -",
			card: []string{"Waiting on conditions", "Homeowners insurance", "Next: after the open conditions are satisfied, " +
				"the lender continues."}, never: []string{"Next: funds go out"}},
		{name: "rescission over", first: heloc.StatusOffers, reach: func(w walkedLead) { w.convert(12, heloc.StatusFunding) },
			row: "Awaiting funding lender · rescission ended", inquiry: inquiry, application: "done done done done wait",
			card:  []string{"The rescission period has ended.", "Rescission ended", "Next: the lender sets the funding date."},
			never: []string{"Next: disclosures", "can rescind"}},
		{name: "manual notary, appointment ahead", first: heloc.StatusOffers, form: secondHome,
			reach: func(w walkedLead) { w.convert(0, heloc.StatusSigning) }, row: "Signing lender · signing on",
			inquiry: inquiry, application: "done done wait - -",
			card:  []string{"The lender set a date for signing the closing documents.", "Next: the rescission period"},
			never: []string{"You’ve signed"}},
		{name: "manual notary, appointment past", first: heloc.StatusOffers, form: secondHome,
			reach: func(w walkedLead) { w.convert(12, heloc.StatusSigned) }, row: "Signing date passed lender", inquiry: inquiry,
			application: "done done wait - -",
			card:        []string{"The signing date has passed"}, never: []string{"You’ve signed", "Next: disclosures"}},
		{name: "application declined", first: heloc.StatusOffers, reach: func(w walkedLead) {
			w.convert(0, heloc.StatusRescission)
			w.play("condition", 0, heloc.StatusRescission)
			w.waitFor("the condition", func(row lead.Row) bool { return row.OpenConditions > 0 })
			w.play("decline", 0, heloc.StatusDeclined)
		}, row: "Declined", inquiry: inquiry, application: "done done done - -",
			card:  []string{"The lender declined the application."},
			never: []string{"declined the inquiry", "Ends ", "Rescission ends", "Open conditions"}},
		{name: "application expired", first: heloc.StatusOffers, form: secondHome, reach: func(w walkedLead) {
			w.convert(0, heloc.StatusSigning)
			w.play("expire", 0, heloc.StatusExpired)
		}, row: "Expired", inquiry: inquiry, application: "done done - - -", card: []string{"The application expired."},
			never: []string{"This inquiry expired"}},
		{name: "funded", first: heloc.StatusOffers, reach: func(w walkedLead) {
			w.convert(12, heloc.StatusFunding)
			w.play("fund", 0, heloc.StatusFunded)
		}, row: "Funded", inquiry: inquiry, application: "done done done done done",
			card: []string{"The lender sent the funds."}},
		{name: "funded without rescission", first: heloc.StatusOffers, form: secondHome,
			reach: func(w walkedLead) { w.signDocuments(); w.play("fund", 0, heloc.StatusFunded) }, row: "Funded",
			inquiry: inquiry, application: "done done done - done",
			card: []string{"The lender sent the funds."}},
	}
}

// TestLeadStates_PagesSayWhatIsTrue walks through every step of the interface and the ends of a lead, in both dialects,
// and compares what the pages say with what the lender knows.
func TestLeadStates_PagesSayWhatIsTrue(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		for group, states := range map[string][]leadState{"inquiry": inquiryStates(), "application": applicationStates()} {
			t.Run(dialect+" "+group, func(t *testing.T) {
				t.Parallel()
				w := walkDialect(t, dialect)
				seen := map[heloc.Step]bool{}
				for _, s := range states {
					l := w.start(s.trigger, s.first, s.form...)
					if s.reach != nil {
						s.reach(l)
					}
					checkState(t, l, s)
					seen[w.LeadRow(l.app).Step] = true
				}
				if group == "inquiry" {
					wantEveryStep(t, seen)
				}
				checkNotices(t, w)
			})
		}
	}
}

// checkState compares the pages of a lead with its row of the table, and with the rules for every state.
func checkState(t *testing.T, w walkedLead, s leadState) {
	t.Helper()
	p := w.pages(w.olivia)
	text := p.all()
	for _, want := range s.card {
		if !strings.Contains(p.card, want) {
			t.Errorf("%s: the card does not say %q: %s", s.name, want, p.card)
		}
	}
	for _, want := range s.shows {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no page says %q", s.name, want)
		}
	}
	for _, wrong := range s.never {
		if at := strings.Index(text, wrong); at >= 0 {
			t.Errorf("%s: a page says %q: …%s", s.name, wrong, text[max(0, at-60):min(len(text), at+80)])
		}
	}
	if !strings.Contains(p.row, s.row) {
		t.Errorf("%s: the list says %q, want %q", s.name, p.row, s.row)
	}
	if p.inquiry != s.inquiry {
		t.Errorf("%s: the inquiry is %q, want %q", s.name, p.inquiry, s.inquiry)
	}
	if want := s.application; p.application != want && (want != "" || p.application != noneDone) {
		t.Errorf("%s: the application is %q, want %q", s.name, p.application, want)
	}
	checkRules(t, w, s.name, p)
}

// wantEveryStep checks that the table has a lead at every step of the interface.
func wantEveryStep(t *testing.T, seen map[heloc.Step]bool) {
	t.Helper()
	for _, step := range heloc.Steps() {
		if step != heloc.StepUnknown && !seen[step] && !slices.Contains([]heloc.Step{heloc.StepRefinanceOffer}, step) {
			t.Errorf("no state of the table is at %s", step)
		}
	}
}
