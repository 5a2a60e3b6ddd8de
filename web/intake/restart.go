package intake

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// CloneLead makes a draft of what was sent, to be corrected and sent anew.
func (s *Handlers) CloneLead(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	id, err := l.Clone(r.Context())
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).NewLead(id))
}

// restartOf is the inquiry that a draft corrects; false for a draft of its own, and for an
// old inquiry that is not this person's any more.
func restartOf(r *http.Request, d page.Desk, draft string) (desk.Restart, bool, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return desk.Restart{}, false, err
	}
	old, err := drafts.Restart(r.Context(), draft)
	if fault.KindOf(err) == fault.NotFound {
		return desk.Restart{}, false, nil
	}
	return old, err == nil, err
}

// presentRestart says which inquiry is corrected, and what differs from it by now.
func presentRestart(v format.Viewer, old desk.Restart, f *form.Form) views.RestartView {
	l := old.Lead.Row()
	view := views.RestartView{
		Text: format.JoinNonEmpty(", ", format.FullName(old.Lead.Name), format.ShortID(l), format.LowerFirst(format.StatusChip(l).Label)), Href: v.Base.Lead(string(l.App)),
		Changed: ChangedControls(old.SentValues, f), CanCancel: old.CanCancel,
	}
	if old.CanCancel {
		if view.CancelOperationID = f.Values.Get("cancelOld.operation"); view.CancelOperationID == "" {
			view.CancelOperationID = old.Lead.NewOperationID(heloc.OpCancel)
		}
	}
	return view
}

// ChangedControls lists the controls that hold something else than what was sent. How an
// amount is written is no difference.
func ChangedControls(sent desk.FormValues, f *form.Form) []string {
	now := f.DraftValues()
	all := map[string]bool{}
	for name := range sent {
		all[name] = true
	}
	for name := range now {
		all[name] = true
	}
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !form.IsSecretControl(name) && comparableValue(sent.Value(name)) != comparableValue(now.Value(name)) {
			changed = append(changed, name)
		}
	}
	return changed
}

// comparableValue is a value as far as it matters: an amount without its dress, an unticked box
// as nothing.
func comparableValue(value string) string {
	value = strings.TrimSpace(value)
	if m, err := heloc.ParseMoney(value); err == nil && value != "" {
		return m.String()
	}
	if value == "false" {
		return ""
	}
	return value
}

// cancelReplaced ends the corrected inquiry after the new one has started. Where that did not
// go through the person is led to what came of it: the new inquiry stands either way.
func (s *Handlers) cancelReplaced(r *http.Request, d page.Desk, shown intakeState, next string) string {
	starts, err := d.Intake()
	if err != nil {
		return next
	}
	op, err := starts.CancelReplaced(r.Context(), shown.draft, shown.form.Text("cancelOld.operation"))
	page.RequestLogOf(r).AddAttr("cancelled", op.ID)
	switch {
	case err == nil && op.State == desk.OpSucceeded:
		return next
	case op.ID != "":
		return page.BaseOf(r).Operation(op.ID)
	}
	if old, ok, err := restartOf(r, d, shown.draft); err == nil && ok {
		return page.BaseOf(r).Lead(string(old.Lead.App()))
	}
	return next
}
