package page

import (
	"strconv"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// PresentRow maps a lead to a row of the pipeline with the default columns. waits has the usual duration of each
// operation.
func PresentRow(v text.Viewer, row *lead.PipelineRow, waits map[heloc.Operation]lead.UsualWait) view.LeadRow {
	l := row.Row
	c := v.TimingOf(l, waits[heloc.OpStart])
	r := view.LeadRow{
		App: string(l.App), Revision: strconv.FormatInt(l.Revision, 10), Href: v.Base.Lead(string(l.App)),
		Name: text.OrDash(text.BorrowerName(l.Borrower, row.Name)), ShortID: text.ShortID(l),
		CityState: text.CityState(l.City, l.State), Chip: ui.StatusChip(text.LeadStatus(l)),
		Mover: v.MoverText(l, row.Originator), Timing: c.Text, YourMove: l.YourMove(), Overdue: l.Overdue(lead.Millis(v.Now)),
		Owner: row.Originator,
	}
	if row.AsDeputy {
		r.OwnerNote = "covered by you"
	}
	if wait := waits[l.StatusKey.NextOperation()]; wait.Known && r.YourMove {
		r.UsualWait = "lender usually takes about " + text.ShortDuration(wait.Median)
	}
	if r.AmountLabel, r.Amount = text.LeadAmount(l); row.Masked {
		r.CityState, r.Amount = "•••", "•••"
	}
	if row.Unknown {
		r.Unconfirmed = text.SentNotConfirmed
		if r.YourMove { // to find out whether it arrived: the step's answer was sent and must not be sent again
			r.Mover, r.Timing, r.UsualWait = "", text.RelativeTime{}, ""
		}
	}
	if row.Unseen.Wire != "" {
		r.Updates = append(r.Updates, text.FailedTransfer(row.Unseen.Wire))
	}
	if row.Unseen.Condition {
		r.Updates = append(r.Updates, text.Notice(string(lead.NoticeCondition), "", 1).Title)
	}
	if l.LastContactAt != 0 {
		r.Contact, r.ContactHow = v.DateTime(text.TimeOfMillis(l.LastContactAt)), text.LowerFirst(text.Contact(l.LastContact))
	}
	return r
}
