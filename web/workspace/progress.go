package workspace

import (
	"cmp"
	"slices"
	"strconv"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// progressFacts is what the two progress lines are derived from: text for the known dates, "" for the others.
type progressFacts struct {
	StatusKey        heloc.StatusKey
	Converted        bool
	WaitingForOthers bool   // it is not the user's move
	Closed           bool   // a user closed it at a step that the lender still waits at
	Blocked          bool   // the lender asked for something before it prices the line
	Chip             string // the status chip: "Verify liens"
	Icon             string
	Started          string // "9:02 AM", or "Nov 13" before today
	Resolved         string // "Liens verified 10:58 AM"
	Priced           string // "Since 10:59 AM"; "" before offers
	Selected         string // when the offer was selected
	SignedIn         string // when the borrower signed in, if known
	DocsSigned       string
	HasOffers        bool   // an offer exists or was selected
	HasSelection     bool   // an offer was selected
	Application      string // when it was converted
	Disclosures      string
	DisclosuresDone  bool   // the date of the disclosures is not ahead
	Signing          string // date or appointment
	SigningDone      bool   // the notary completed it, or a rescission period or funding followed
	Rescission       string // "Ends Nov 24", "Ended Nov 24"
	RescissionDone   bool   // its last day is past
	Funded           string // "Sent Dec 1"; only if money was sent
}

// newProgress builds both lines. A stage is done only if the lender's data says so, and funding only if money was sent.
func newProgress(f progressFacts) ui.ProgressView {
	at := stageOf(f)
	f.Converted = f.Converted || f.pastInquiry()
	inquiry := []ui.Stage{
		{Label: "Inquiry", Sub: f.Started, Icon: "hourglass"},
		{Label: "Details", Sub: f.Resolved, Icon: f.Icon},
		{Label: "Offers", Sub: cmp.Or(f.Selected, f.Priced), Icon: "circle-check"},
		{Label: "Borrower sign-in", Sub: f.SignedIn, Icon: "user-round"},
		{Label: "Broker documents", Sub: f.DocsSigned, Icon: "file-text"},
	}
	l := ui.ProgressView{Inquiry: inquiry, Application: applicationStages(f), Converted: f.Converted}
	switch {
	case f.ended() || f.Closed:
		markEndedInquiry(f, inquiry)
	case f.StatusKey == heloc.StatusComplete && !f.Converted:
		markStages(inquiry, len(inquiry), f)
	case f.Converted:
		markStages(inquiry, len(inquiry), f)
		markCurrentStage(&l.Application[at], f)
		l.Position = "Application step " + strconv.Itoa(at+1) + " of 5"
		fillUnknown(l.Application)
	default:
		if at == 1 {
			inquiry[1].Sub = f.Chip
		}
		if f.StatusKey == heloc.StatusNoOffers {
			inquiry[at].Label, inquiry[at].Sub, inquiry[at].Icon = f.Chip, "", f.Icon
		}
		markStages(inquiry, at, f)
		l.Position = "Inquiry step " + strconv.Itoa(at+1) + " of 5"
	}
	return l
}

// applicationStages marks the stages of the application that have happened. A later stage does not prove an earlier
// one: not every line has a rescission period.
func applicationStages(f progressFacts) []ui.Stage {
	stages := []ui.Stage{
		{Label: "Application", Sub: f.Application, Icon: "file-text"},
		{Label: "Disclosures", Sub: f.Disclosures, Icon: "mail"},
		{Label: "Signing", Sub: f.Signing, Icon: "pencil"},
		{Label: "Rescission", Sub: f.Rescission, Icon: "calendar"},
		{Label: "Funded", Sub: f.Funded, Icon: "landmark"},
	}
	for i, done := range []bool{f.Converted, f.DisclosuresDone, f.SigningDone, f.RescissionDone,
		f.StatusKey == heloc.StatusFunded} {
		switch {
		case done:
			stages[i].State = "done"
		case f.ended(): // a date that was ahead no longer applies
			stages[i].Sub = ""
		}
	}
	return stages
}

// stageOf is the index of the current stage.
func stageOf(f progressFacts) int {
	switch f.StatusKey {
	case heloc.StatusInProgress:
		switch {
		case f.HasOffers:
			return 2
		case f.Blocked:
			return 1
		default:
			return 0
		}
	case heloc.StatusOffers, heloc.StatusNoOffers:
		return 2
	case heloc.StatusBorrowerSignIn, heloc.StatusFollowUpSignIn:
		return 3
	case heloc.StatusBrokerDocs, heloc.StatusFollowUpDocs:
		return 4
	case heloc.StatusApplication:
		return 0
	case heloc.StatusDisclosures:
		return 1
	case heloc.StatusSigning:
		return 2
	case heloc.StatusSigned:
		if !f.SigningDone { // the date is past, and nothing says that the signing took place
			return 2
		}
		return 3
	case heloc.StatusRescission:
		return 3
	case heloc.StatusFunding, heloc.StatusFunded:
		return 4
	default:
		return 1
	}
}

// pastInquiry reports whether the lead is past the inquiry: converted, or about to be.
func (f progressFacts) pastInquiry() bool {
	return slices.Contains([]heloc.StatusKey{
		heloc.StatusApplication, heloc.StatusDisclosures, heloc.StatusSigning, heloc.StatusSigned,
		heloc.StatusRescission, heloc.StatusFunding, heloc.StatusFunded,
	}, f.StatusKey)
}

// ended reports whether the lead has ended without funding.
func (f progressFacts) ended() bool {
	return f.StatusKey.Ended() && f.StatusKey != heloc.StatusFunded
}

func markStages(stages []ui.Stage, at int, f progressFacts) {
	for i := range stages {
		switch {
		case i < at:
			stages[i].State = "done"
		case i > at:
			stages[i].Sub = ""
		default:
			markCurrentStage(&stages[i], f)
		}
	}
}

// markCurrentStage marks the stage that the lead is at.
func markCurrentStage(stage *ui.Stage, f progressFacts) {
	switch {
	case f.StatusKey == heloc.StatusFunded:
		stage.State = "done"
	case f.StatusKey == heloc.StatusOffers:
		stage.State = "offers"
	case f.WaitingForOthers:
		stage.State = "wait"
	default:
		stage.State = "now"
	}
}

// markEndedInquiry marks only the stages of an ended inquiry that are known to have happened.
func markEndedInquiry(f progressFacts, inquiry []ui.Stage) {
	for i, done := range []bool{true, f.HasOffers || f.Converted || f.StatusKey == heloc.StatusNoOffers && !f.Blocked,
		f.HasSelection || f.Converted, f.SignedIn != "" || f.DocsSigned != "" || f.Converted,
		f.DocsSigned != "" || f.Converted} {
		if done {
			inquiry[i].State = "done"
		}
	}
}

// fillUnknown adds "not known" to stages for which the lender gave no date.
func fillUnknown(stages []ui.Stage) {
	for i := range stages {
		stages[i].Sub = cmp.Or(stages[i].Sub, "—")
	}
}

// startedMoment returns when a lead was started, or only the lender's start date if it was started elsewhere.
func startedMoment(v text.Viewer, l *lead.Row) string {
	if !l.Source.StartedHere() {
		return v.ShortDay(l.StartedOn)
	}
	return v.ShortMoment(text.TimeOfMillis(l.CreatedAt))
}

// leadProgress collects the facts behind a lead's two progress lines: observed events, and the
// lender's dates. What is unknown stays empty.
func leadProgress(v text.Viewer, l desklead.Snapshot) progressFacts {
	row := l.Row
	s := text.LeadStatus(&row)
	f := progressFacts{
		StatusKey: row.StatusKey, Converted: row.Converted, WaitingForOthers: row.WhoseMove != heloc.MoverYou, Chip: s.Chip,
		Icon: s.Icon, Started: startedMoment(v, &row),
		Closed: row.IsSetAside(), Blocked: row.Step.Blocked(),
		HasOffers:    len(l.Details.App.Underwriting.Offers) > 0 || l.Details.App.Underwriting.SelectedOffer != nil,
		HasSelection: l.Details.App.Underwriting.SelectedOffer != nil || row.SelectedAmount > 0,
		Disclosures:  v.ShortDay(row.DisclosureDate), DisclosuresDone: happened(v, row.DisclosureDate),
		Signing: v.ShortDay(signingDate(l)), SigningDone: signingDone(v, l),
		RescissionDone: happened(v, row.RescissionDate) && row.RescissionDate != v.Today() &&
			row.StatusKey != heloc.StatusRescission,
	}
	if row.RescissionDate != "" && (row.Funded || !row.StatusKey.Ended()) {
		f.Rescission = "Ends " + v.ShortDay(row.RescissionDate)
	}
	if f.RescissionDone {
		f.Rescission = "Ended " + v.ShortDay(row.RescissionDate)
	}
	if row.Funded {
		f.Funded = v.ShortDay(row.FundedDate)
	}
	for _, e := range l.Events { // newest first: the first of each kind is the most recent
		at := v.ShortMoment(text.TimeOfMillis(e.At))
		switch {
		case e.Kind == lead.EventStarted:
			f.Started = at
		case e.Kind == lead.EventConverted:
			f.Application = cmp.Or(f.Application, at)
		case e.Kind == lead.EventSent && e.Operation == heloc.OpSelectOffer:
			f.Selected = cmp.Or(f.Selected, at)
		case e.Kind == lead.EventStep && e.StepBefore == heloc.StepBorrowerAuth && e.StepAfter == heloc.StepBrokerDocSigning:
			f.SignedIn = cmp.Or(f.SignedIn, at)
		case e.Kind == lead.EventStep && e.StepAfter == heloc.StepComplete:
			f.DocsSigned = cmp.Or(f.DocsSigned, at)
		case e.Kind == lead.EventStep && e.StepAfter == heloc.StepOffersAvailable:
			f.Priced = cmp.Or(f.Priced, pricedText(row.StatusKey)+at)
			if e.StepBefore.Blocked() {
				f.Resolved = cmp.Or(f.Resolved, at)
			}
		case e.Kind == lead.EventStep && e.StepBefore.Blocked() && e.StepAfter != heloc.StepClosed &&
			e.StepAfter != heloc.StepWithdrawn:
			f.Resolved = cmp.Or(f.Resolved, at)
		}
	}
	return f
}

// happened reports whether a day is known and has begun at the lender, where it can be tomorrow for the user.
func happened(v text.Viewer, day heloc.Date) bool { return heloc.DayBegun(day, v.Now) }

// signingDone reports whether the documents are known to be signed: the notary completed it, or what only follows a
// signing has come. A signing date or an appointment that has passed is no proof.
func signingDone(v text.Viewer, l desklead.Snapshot) bool {
	row, notary := l.Row, l.Details.App.Notary
	if row.Funded || happened(v, notary.Completed) {
		return true
	}
	return row.RescissionDate != "" && happened(v, row.SigningDate)
}

// pricedText starts the text of when the lender priced the line: "since" while its offers are there.
func pricedText(key heloc.StatusKey) string {
	if key == heloc.StatusOffers {
		return "Since "
	}
	return "Priced "
}

// signingDate returns when the documents are signed: the signing date, or else the notary's appointment.
func signingDate(l desklead.Snapshot) heloc.Date {
	if manual := l.Details.App.Notary.ManualNotary; l.Row.SigningDate == "" && l.Row.NotaryDate == "" && manual != nil {
		return manual.Date
	}
	return cmp.Or(l.Row.SigningDate, l.Row.NotaryDate)
}
