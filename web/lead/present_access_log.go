package lead

import (
	"slices"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// presentAccessLog maps who opened the lead, who viewed borrower details, and who exported what.
// Documents have their current names at the lender.
func presentAccessLog(v text.Viewer, o desklead.AccessLog, documents []lead.KnownDocument) view.AccessLogView {
	w := view.AccessLogView{Limit: desklead.AccessLogLimit}
	for _, p := range o.Pages {
		w.PageViews = append(w.PageViews, ui.Fact{Label: p.Name, Value: v.DateTime(text.TimeOfMillis(p.ViewedAt))})
	}
	for _, r := range o.Reveals {
		why := text.RevealReason(r.Reason)
		if r.ReasonText != "" {
			why = "“" + r.ReasonText + "”"
		}
		what := r.Fields
		if what == desklead.ByLink {
			what = "sign-in link"
		}
		w.Reveals = append(w.Reveals, view.AccessRow{Who: r.UserName, When: v.DateTimeInText(text.TimeOfMillis(r.At)),
			What: what, Why: why})
	}
	for _, t := range o.Exports {
		row := view.AccessRow{Who: t.Name, When: v.DateTimeInText(text.TimeOfMillis(t.At)),
			What: text.Exported(string(t.Kind), "")}
		at := slices.IndexFunc(documents, func(d lead.KnownDocument) bool { return d.UUID == t.About && t.About != "" })
		if at >= 0 {
			row.What = text.Exported(string(t.Kind), documents[at].FileName)
		}
		if t.N > 1 {
			row.Why = text.Pluralize(t.N, "time", "times") + " total."
		}
		w.Exports = append(w.Exports, row)
	}
	return w
}
