package lead

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"hearthline/internal/desk"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// ReceiptPage shows the outcome of one operation, with the form that abandons it. A rejected form is shown without the
// corrections.
func (h *Handlers) ReceiptPage(w http.ResponseWriter, r *http.Request, receipt *desk.Receipt, f *form.Form) error {
	return h.renderReceipt(w, r, receipt, receiptForms{abandon: f, adopt: &form.Form{}})
}

// receiptForms are the forms of a receipt, of which at most one was submitted.
type receiptForms struct{ abandon, adopt *form.Form }

// status is the status of the page.
func (f receiptForms) status() int { return max(page.FormStatus(f.abandon), page.FormStatus(f.adopt)) }

func (h *Handlers) renderReceipt(w http.ResponseWriter, r *http.Request, receipt *desk.Receipt,
	f receiptForms) error {
	wait, err := receipt.UsualWait(r.Context())
	if err != nil {
		return err
	}
	name, err := receipt.Borrower(r.Context())
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	model := presentOperation(v, receipt.Op, wait)
	model.Name, model.Form, model.AdoptForm = text.FullName(name), f.abandon.View(""), f.adopt.View("")
	if isLostStart(receipt.Op) {
		reported, err := receipt.StartsReported(r.Context())
		if err != nil {
			return err
		}
		presentLostStart(&model, page.LostStart(v, receipt.Op, model.Name, reported), receipt.Op.Unsaved)
	}
	if reassignment, err := receipt.Reassignment(r.Context()); err == nil {
		model.Facts = append(model.Facts, ui.Fact{Label: "New originator",
			Value: text.JoinNonEmpty(", ", text.OrDash(reassignment.ToName), text.NMLSOrUnknown(reassignment.ToNMLS))})
	}
	sent, err := receipt.Choice(r.Context())
	if err != nil {
		return err
	}
	model.Confirmed = sent.Statement
	if f.status() == http.StatusOK {
		if model.Corrected, err = h.corrections(r, receipt, sent.SpellingChanges); err != nil {
			return err
		}
	}
	if receipt.Op.App != "" {
		// The lead may have been reassigned since, so that the user can see only the receipt.
		if l, err := receipt.Lead(r.Context()); err == nil {
			row := l.Row()
			isUnseen, err := acceptedUnseen(r, l, receipt.Op, v.Now)
			if err != nil {
				return err
			}
			if isUnseen {
				unseen := text.UnseenOf(string(receipt.Op.Kind))
				note := &model.Receipt.Note
				note.Kind, note.Icon, note.Title, note.Text = unseen.Kind, unseen.Icon, unseen.Title, unseen.Text
			}
			model.App, model.ShortID = string(row.App), text.ShortID(&row)
			if canSendAgain(receipt.Op, row) {
				model.RetryURL = v.Base.Lead(model.App)
			} else if receipt.Op.State == lead.OpNotSent && receipt.Op.Kind != heloc.OpStart {
				model.Receipt.Note.Text = "The lender received nothing."
			}
		}
	}
	model.Page = h.Layout(r, "Receipt")
	if op := receipt.Op; (op.State == lead.OpSent || op.State == lead.OpUnknown) && !model.CanAbandon && !model.CanAdopt {
		h.RefreshWithoutScript(r, &model.Page, text.TimeOfMillis(op.SentAt))
	}
	return h.Render(w, r, f.status(), page.PartOrWhole(r, view.OperationPart(model), view.Operation(model)))
}

// spellings lists the corrected values of a form, in the order of the control names.
func spellings(f *form.Form) []desklead.SpellingChange {
	var all []desklead.SpellingChange
	for _, name := range slices.Sorted(maps.Keys(f.Corrections)) {
		all = append(all, desklead.SpellingChange{Control: name, Typed: f.Text(name), Sent: f.Corrections[name]})
	}
	return all
}

// corrections lists the values of a liens form or a start that were sent differently from how the originator typed
// them. For a start, it reads them from the user's own draft, and it includes nothing that the lead withholds.
func (h *Handlers) corrections(r *http.Request, receipt *desk.Receipt,
	changes []desklead.SpellingChange) ([]ui.SubmittedValue, error) {
	if len(changes) == 0 {
		typed, err := receipt.Typed(r.Context())
		if err != nil {
			return nil, err
		}
		trial := page.NewForm(r, url.Values(typed))
		_, _ = trial.Inquiry(h.Viewer(r).Today())
		changes = spellings(trial)
	}
	var all []ui.SubmittedValue
	for _, c := range changes {
		all = append(all, ui.SubmittedValue{Name: c.Control, Value: c.Typed, Corrected: c.Sent})
	}
	return all, nil
}

// AbandonOperation abandons an operation with an unknown outcome, with a reason.
func (h *Handlers) AbandonOperation(w http.ResponseWriter, r *http.Request, receipt *desk.Receipt, f *form.Form) error {
	reason := f.Required("reason", "Enter a reason")
	f.RequireCheck("confirm.abandon", "Check the box to confirm")
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return receipt.Abandon(r.Context(), reason) },
		Next:      page.BaseOf(r).Operation(receipt.Op.ID),
		Redisplay: func() error { return h.ReceiptPage(w, r, receipt, f) },
	})
}

// AdoptStart settles a lost start with the application that the lender named to the user.
func (h *Handlers) AdoptStart(w http.ResponseWriter, r *http.Request, receipt *desk.Receipt, f *form.Form) error {
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return receipt.AdoptStart(r.Context(), f.Text("appUuid")) },
		Next:  page.BaseOf(r).Operation(receipt.Op.ID),
		Kinds: []fault.Kind{fault.Upstream, fault.Unavailable}, // the ID stays in the form
		Redisplay: func() error {
			f.ErrorTitle = "Not added."
			return h.renderReceipt(w, r, receipt, receiptForms{abandon: &form.Form{}, adopt: f})
		},
	})
}

// hadNoEffect reports whether nothing shows that an operation had an effect.
func hadNoEffect(op lead.Operation) bool {
	return op.State == lead.OpRejected || op.State == lead.OpNotSent || op.State == lead.OpAbsent ||
		op.State == lead.OpAbandoned
}

// retryURL returns where a start that had no effect can be sent again.
func retryURL(v text.Viewer, op lead.Operation) string {
	if hadNoEffect(op) && op.Kind == heloc.OpStart && op.DraftID != "" && op.ActorID == v.Who.UserID {
		return v.Base.NewLead(op.DraftID)
	}
	return ""
}

// canSendAgain reports whether the page of the lead still has the form of an operation that had no effect.
func canSendAgain(op lead.Operation, row lead.Row) bool {
	if !hadNoEffect(op) || row.StatusKey.Ended() {
		return false
	}
	answersStep := func(b heloc.BlockedStep) bool { return slices.Contains(b.Operations, op.Kind) && b.Step == row.Step }
	return slices.ContainsFunc(heloc.BlockedSteps(), answersStep) ||
		!slices.Contains(heloc.StepOperations(), op.Kind) && op.Kind != heloc.OpAddIncome
}

// acceptedUnseen reports whether the lender's records still contradict an accepted operation, and no later one of its
// kind can be why. The lead's events and operations are read only if they matter.
func acceptedUnseen(r *http.Request, l page.Lead, op lead.Operation, now time.Time) (bool, error) {
	if !op.AcceptedUnseen(l.Row(), nil, now) {
		return false, nil
	}
	model, err := l.Snapshot(r.Context())
	if err != nil {
		return false, err
	}
	newest := slices.IndexFunc(model.Operations, func(o lead.Operation) bool { // newest first
		return o.Kind == op.Kind && o.State != lead.OpRejected && o.State != lead.OpNotSent
	})
	return newest >= 0 && model.Operations[newest].ID == op.ID && op.AcceptedUnseen(model.Row, model.Events, now), nil
}
