package web

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
)

// cloneLead makes a draft of what was sent, to be corrected and sent anew.
func (s *Server) cloneLead(w http.ResponseWriter, r *http.Request, l Lead) error {
	id, err := l.Clone(r.Context())
	if err != nil {
		return err
	}
	return onward(w, r, baseOf(r).NewLead(id))
}

// clonable says where a fresh start helps: before the offers, and after the end. With
// offers or an application there is something to lose by it.
func (f leadFacts) clonable() bool {
	if f.view.Row.Converted || !f.can(access.PrepareDraft) || !f.can(access.RevealBorrower) {
		return false
	}
	switch f.view.Row.Stand {
	case heloc.StandChooseProperty, heloc.StandSSN, heloc.StandFrozen, heloc.StandRepull, heloc.StandLiens, heloc.StandAssets, heloc.StandPayoff,
		heloc.StandValue, heloc.StandNoOffers, heloc.StandCancelled, heloc.StandExpired, heloc.StandWithdrawn:
		return true
	default:
		return false
	}
}

// restart is the inquiry that a draft corrects; false for a draft of its own, and for an
// old inquiry that is not this person's any more.
func restart(r *http.Request, d Desk, draft string) (desk.Restart, bool, error) {
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

// showRestart says which inquiry is corrected, and what differs from it by now.
func (v viewer) showRestart(old desk.Restart, f *form) views.RestartView {
	l := old.Lead.Row()
	view := views.RestartView{
		Text: joined(", ", nameOf(old.Lead.Name), shortID(l), lowered(chipOf(l).Label)), Href: v.base.Lead(string(l.App)),
		Changed: changedSince(old.Sent, f), CanCancel: old.CanCancel,
	}
	if old.CanCancel {
		if view.Ticket = f.values.Get("cancelOld.operation"); view.Ticket == "" {
			view.Ticket = old.Lead.Ticket(heloc.OpCancel)
		}
	}
	return view
}

// changedSince lists the controls that hold something else than what was sent. How an
// amount is written is no difference.
func changedSince(sent desk.Typed, f *form) []string {
	now := f.typed()
	all := map[string]bool{}
	for name := range sent {
		all[name] = true
	}
	for name := range now {
		all[name] = true
	}
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !secretControl(name) && plainly(sent.Value(name)) != plainly(now.Value(name)) {
			changed = append(changed, name)
		}
	}
	return changed
}

// plainly is a value as far as it matters: an amount without its dress, an unticked box
// as nothing.
func plainly(value string) string {
	value = strings.TrimSpace(value)
	if m, err := heloc.ParseMoney(value); err == nil && value != "" {
		return m.String()
	}
	if value == "false" {
		return ""
	}
	return value
}

// cancelOld ends the corrected inquiry after the new one has started. Where that did not
// go through the person is led to what came of it: the new inquiry stands either way.
func (s *Server) cancelOld(r *http.Request, d Desk, page intake, next string) string {
	starts, err := d.Intake()
	if err != nil {
		return next
	}
	op, err := starts.CancelOld(r.Context(), page.draft, page.form.text("cancelOld.operation"))
	trailOf(r).note("cancelled", op.ID)
	switch {
	case err == nil && op.State == desk.OpSucceeded:
		return next
	case op.ID != "":
		return baseOf(r).Operation(op.ID)
	}
	if old, ok, err := restart(r, d, page.draft); err == nil && ok {
		return baseOf(r).Lead(string(old.Lead.App()))
	}
	return next
}
