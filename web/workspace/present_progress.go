package workspace

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/ui"
	"hearthline/web/format"
)

// presentProgress maps the lead's two progress lines.
func presentProgress(v format.Viewer, l desk.LeadView) ui.ProgressView {
	return newProgress(leadProgress(v, l))
}

// leadProgress collects the facts behind a lead's two progress lines: observed events, and the
// lender's dates. What is unknown stays empty.
func leadProgress(v format.Viewer, l desk.LeadView) progressFacts {
	row := l.Row
	s := format.LeadStatus(row)
	f := progressFacts{
		StatusKey: row.StatusKey, Converted: row.Converted, WaitingForOthers: row.Mover != heloc.MoverYou, Chip: s.Chip, Icon: s.Icon, Started: v.DateTime(format.TimeOfMillis(row.CreatedAt)),
		HasOffers:   len(l.Details.App.Underwriting.Offers) > 0 || l.Details.App.Underwriting.SelectedOffer != nil,
		Disclosures: format.Date(row.DisclosureDate), Signing: format.Date(firstKnownDate(row.SigningDate, row.NotaryDate)),
		SigningDone: row.SigningDate != "" && row.ESignedDate != "" && !row.SigningDate.After(v.Today()),
	}
	if row.RescissionDate != "" {
		f.Rescission = "Ends " + format.Weekday(row.RescissionDate)
	}
	if row.Funded {
		f.Funded = format.JoinNonEmpty(" ", "Sent", format.Weekday(row.FundedDate))
	}
	for _, e := range l.Events { // newest first: the first of each kind is the most recent
		at := v.DateTime(format.TimeOfMillis(e.At))
		switch {
		case e.Kind == lead.EventStarted:
			f.Started = at
		case e.Kind == lead.EventConverted:
			setIfEmpty(&f.Application, at)
		case e.Kind == lead.EventSent && e.Operation == heloc.OpSelectOffer:
			setIfEmpty(&f.Selected, "Selected "+at)
		case e.Kind == lead.EventStep && e.From == heloc.StepBorrowerAuth && e.To == heloc.StepBrokerDocSigning:
			setIfEmpty(&f.SignedIn, at)
		case e.Kind == lead.EventStep && e.To == heloc.StepComplete:
			setIfEmpty(&f.DocsSigned, at)
		case e.Kind == lead.EventStep && e.To == heloc.StepOffersAvailable:
			setIfEmpty(&f.Priced, "Since "+format.LowerFirst(at))
			if e.From.Blocked() {
				setIfEmpty(&f.Resolved, at)
			}
		case e.Kind == lead.EventStep && e.From.Blocked():
			setIfEmpty(&f.Resolved, at)
		}
	}
	return f
}

func setIfEmpty(target *string, text string) {
	if *target == "" {
		*target = text
	}
}

func firstKnownDate(a, b heloc.Date) heloc.Date {
	if a != "" {
		return a
	}
	return b
}
