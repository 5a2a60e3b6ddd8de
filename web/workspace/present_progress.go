package workspace

import (
	"cmp"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
)

// leadProgress collects the facts behind a lead's two progress lines: observed events, and the
// lender's dates. What is unknown stays empty.
func leadProgress(v text.Viewer, l desklead.Snapshot) progressFacts {
	row := l.Row
	s := text.LeadStatus(&row)
	f := progressFacts{
		StatusKey: row.StatusKey, Converted: row.Converted, WaitingForOthers: row.WhoseMove != heloc.MoverYou, Chip: s.Chip,
		Icon: s.Icon, Started: v.ShortMoment(text.TimeOfMillis(row.CreatedAt)),
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
		f.Funded = text.JoinNonEmpty(" ", "Sent", v.ShortDay(row.FundedDate))
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
