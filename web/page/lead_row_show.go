package page

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/format"
	"strconv"
)

func ShowRow(v format.Viewer, row desk.Row, waits map[heloc.Operation]desk.Wait) views.LeadRow {
	l := row.Lead
	c := v.ClockOf(l, waits[heloc.OpStart])
	r := views.LeadRow{
		App: string(l.App), Revision: strconv.FormatInt(l.Revision, 10), Href: v.Base.Lead(string(l.App)),
		Name: words.Or(format.BorrowerOf(l.Borrower, row.Name)), ShortID: format.ShortID(l), Place: format.PlaceOf(l.City, l.State), Chip: format.ChipOf(l), Who: string(l.Mover),
		Clock: c.Clock, Late: c.Late, Mine: l.Mover == heloc.YouMove, Overdue: c.Late != "", Owner: row.Originator,
	}
	if wait := waits[l.Stand.Answer()]; wait.Known && r.Mine {
		r.Usual = "then usually " + format.Span(wait.Usual)
	}
	if r.AmountWord, r.Amount = format.AmountOf(l); row.Masked {
		r.Place, r.Amount = "•••", "•••"
	}
	if row.Unlooked.Wire != "" {
		r.News = append(r.News, words.Stopped(row.Unlooked.Wire))
	}
	if row.Unlooked.Condition {
		r.News = append(r.News, words.Notice(string(desk.NoticeCondition), "", 1).Title)
	}
	if l.LastContactAt != 0 {
		r.Contact, r.ContactHow = v.Moment(format.Instant(l.LastContactAt)), format.Lowered(words.Contact(l.LastContact))
	}
	return r
}
