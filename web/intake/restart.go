package intake

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/lead"

	"hearthline/internal/heloc"
	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/web/form"
	"hearthline/web/page"
)

// CloneLead creates a draft with the values of a sent inquiry, to be corrected and sent again.
func (h *Handlers) CloneLead(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	id, err := l.Clone(r.Context())
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).NewLead(id))
}

// presentRestart shows which inquiry the draft corrects, and which values differ from it.
func presentRestart(v text.Viewer, old deskintake.Restart, f *form.Form) view.RestartView {
	l := old.Lead.Row()
	model := view.RestartView{
		Text: text.JoinNonEmpty(", ", text.FullName(old.Lead.Name), text.ShortID(&l),
			text.LowerFirst(text.LeadStatus(&l).Chip)), Href: v.Base.Lead(string(l.App)),
		Changed: ChangedControls(old.SentValues, f, v.Today()), CanCancel: old.CanCancel,
	}
	if old.CanCancel {
		if model.CancelOperationID = f.Values.Get("cancelOld.operation"); model.CancelOperationID == "" {
			model.CancelOperationID = old.Lead.NewOperationID(heloc.OpCancel)
		}
	}
	return model
}

// ChangedControls lists the controls whose values differ from what was sent. The format of an
// amount or a date does not count.
func ChangedControls(sent lead.FormValues, f *form.Form, today heloc.Date) []string {
	now := f.DraftValues()
	all := maps.Clone(now)
	maps.Copy(all, sent)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !form.IsSecretControl(name) && comparableValue(name, sent.Value(name), today) != comparableValue(name,
			now.Value(name), today) {
			changed = append(changed, name)
		}
	}
	return changed
}

// comparableValue normalizes a control's value for comparison: the format of an amount or a date does not count, and
// an unchecked box equals an empty value.
func comparableValue(name, value string, today heloc.Date) string {
	value = strings.TrimSpace(value)
	if form.IsDateControl(name) {
		return form.NormalDate(name, value, today)
	}
	if m, problem := form.ParseMoney(value); problem == "" {
		return m.String()
	}
	if value == "false" {
		return ""
	}
	return value
}
