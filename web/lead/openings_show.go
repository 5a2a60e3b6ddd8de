package lead

import (
	"slices"

	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showOpenings maps who opened the lead, looked at its borrower and took what of it. Documents
// are named as the lender names them now.
func showOpenings(v format.Viewer, o desk.Openings, documents []desk.KnownDocument) views.OpeningsView {
	var w views.OpeningsView
	for _, p := range o.Pages {
		w.Pages = append(w.Pages, ui.Fact{Label: p.Name, Value: v.Moment(format.Instant(p.LookedAt))})
	}
	for _, r := range o.Reveals {
		why := words.RevealReason(r.Reason)
		if r.Words != "" {
			why = "“" + r.Words + "”"
		}
		w.Reveals = append(w.Reveals, views.OpeningRow{Who: r.UserName, When: v.Within(format.Instant(r.At)), What: r.Fields, Why: why})
	}
	for _, t := range o.Takes {
		row := views.OpeningRow{Who: t.Name, When: v.Within(format.Instant(t.At)), What: words.Taken(string(t.What), "")}
		at := slices.IndexFunc(documents, func(d desk.KnownDocument) bool { return d.UUID == t.About && t.About != "" })
		if at >= 0 {
			row.What = words.Taken(string(t.What), documents[at].FileName)
		}
		if t.N > 1 {
			row.Why = format.Counted(t.N, "time", "times") + " in all."
		}
		w.Takes = append(w.Takes, row)
	}
	return w
}
