package lead

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/web/format"
)

// lifeOf gathers what the two lines of a lead follow from: what was seen to happen,
// and the lender's dates. What is not known stays empty.
func lifeOf(v format.Viewer, l desk.LeadView) views.LifeFacts {
	row := l.Row
	s := format.StandingWords(row)
	f := views.LifeFacts{
		Key: string(row.Stand), Converted: row.Converted, Waits: row.Mover != heloc.YouMove, Chip: s.Chip, Icon: s.Icon, Started: v.Moment(format.Instant(row.CreatedAt)),
		HadOffers:   len(l.Details.App.Underwriting.Offers) > 0 || l.Details.App.Underwriting.SelectedOffer != nil,
		Disclosures: format.Calendar(row.DisclosureDate), Signing: format.Calendar(firstDate(row.SigningDate, row.NotaryDate)),
		SigningDone: row.SigningDate != "" && row.ESignedDate != "" && !row.SigningDate.After(v.Today()),
	}
	if row.RescissionDate != "" {
		f.Rescission, f.RescissionOver = "Ends "+format.Weekday(row.RescissionDate), v.Today().After(row.RescissionDate)
	}
	if row.Funded {
		f.Funded = format.Joined(" ", "Sent", format.Weekday(row.FundedDate))
	}
	for _, e := range l.Events { // newest first: the first of each kind is the last that happened
		at := v.Moment(format.Instant(e.At))
		switch {
		case e.Kind == desk.EventStarted:
			f.Started = at
		case e.Kind == desk.EventConverted:
			first(&f.Application, at)
		case e.Kind == desk.EventSent && e.Operation == heloc.OpSelectOffer:
			first(&f.Selected, "Selected "+at)
		case e.Kind == desk.EventStep && e.From == heloc.StepBorrowerAuth && e.To == heloc.StepBrokerDocSigning:
			first(&f.SignedIn, at)
		case e.Kind == desk.EventStep && e.To == heloc.StepComplete:
			first(&f.DocsSigned, at)
		case e.Kind == desk.EventStep && e.To == heloc.StepOffersAvailable:
			first(&f.Priced, "Since "+format.Lowered(at))
			if e.From.Blocked() {
				first(&f.Resolved, at)
			}
		case e.Kind == desk.EventStep && e.From.Blocked():
			first(&f.Resolved, at)
		}
	}
	return f
}

func first(into *string, text string) {
	if *into == "" {
		*into = text
	}
}

func firstDate(a, b heloc.Date) heloc.Date {
	if a != "" {
		return a
	}
	return b
}
