package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// receiptPage tells what became of one operation.
func (s *Server) receiptPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	receipt, err := d.Receipt(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	corrected, err := s.corrected(r, receipt)
	if err != nil {
		return err
	}
	return s.showReceiptPage(w, r, receiptShown{Receipt: receipt, form: &form{}, status: http.StatusOK, corrected: corrected})
}

// receiptShown is a receipt as its page shows it.
type receiptShown struct {
	*desk.Receipt
	form      *form // of giving it up
	status    int
	corrected []views.Typed
}

func (s *Server) showReceiptPage(w http.ResponseWriter, r *http.Request, receipt receiptShown) error {
	wait, err := receipt.Wait(r.Context())
	if err != nil {
		return err
	}
	name, err := receipt.Borrower(r.Context())
	if err != nil {
		return err
	}
	v := s.viewer(r)
	view := v.showOperation(receipt.Op, wait)
	view.Name, view.Form, view.Corrected = nameOf(name), receipt.form.view(""), receipt.corrected
	if handed, err := receipt.HandOver(r.Context()); err == nil {
		view.Facts = append(view.Facts, ui.Fact{Label: "New originator", Value: joined(", ", words.Or(handed.ToName), nmlsOf(handed.ToNMLS))})
	}
	if receipt.Op.App != "" {
		// The lead may have gone to somebody else since: then there is only the receipt.
		if l, err := receipt.Lead(r.Context()); err == nil {
			view.App, view.ShortID = string(l.App()), shortID(l.Row())
		}
	}
	view.Page = s.frame(r, "Receipt")
	if fragment(r) {
		return s.show(w, r, receipt.status, views.OperationPart(view))
	}
	return s.show(w, r, receipt.status, views.Operation(view))
}

// spelt is what was mended in a form, in the order of its names.
func (f *form) spelt() []desk.Spelled {
	var all []desk.Spelled
	for _, name := range slices.Sorted(maps.Keys(f.sent)) {
		all = append(all, desk.Spelled{Name: name, Typed: f.text(name), Sent: f.sent[name]})
	}
	return all
}

// corrected is what liens or a start sent otherwise than its originator typed it. It is read
// from their own draft, and of what stands withheld on the lead nothing is told.
func (s *Server) corrected(r *http.Request, receipt *desk.Receipt) ([]views.Typed, error) {
	liens, err := receipt.Spelled(r.Context())
	if err != nil || len(liens) > 0 {
		var all []views.Typed
		for _, l := range liens {
			all = append(all, views.Typed{Name: l.Name, Value: l.Typed, Sent: l.Sent})
		}
		return all, err
	}
	typed, err := receipt.Typed(r.Context())
	if err != nil {
		return nil, err
	}
	trial := form{values: url.Values(typed), sent: map[string]string{}}
	_, _ = trial.inquiry(s.viewer(r).today())
	var all []views.Typed
	for name, sent := range trial.sent {
		all = append(all, views.Typed{Name: name, Value: trial.text(name), Sent: sent})
	}
	slices.SortFunc(all, func(a, b views.Typed) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// abandonOperation gives up an operation of unknown outcome, with a reason.
func (s *Server) abandonOperation(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	receipt, err := d.Receipt(r.Context(), id)
	if err != nil {
		return err
	}
	if !f.checked("confirm.abandon") {
		f.complain("confirm.abandon", "Check the box to confirm")
	}
	reason := f.required("reason", "Say why, in a few words")
	if !f.bad() {
		err = receipt.Abandon(r.Context(), reason)
		f.wrong = append(f.wrong, fault.FieldsOf(err)...)
	}
	if f.bad() {
		return s.showReceiptPage(w, r, receiptShown{Receipt: receipt, form: f, status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Operation(id))
}

// againAt is where an operation that did nothing can be sent anew.
func (v viewer) againAt(op desk.Operation) string {
	switch op.State {
	case desk.OpRejected, desk.OpNotSent, desk.OpAbsent, desk.OpAbandoned:
	default:
		return ""
	}
	if op.Kind == heloc.OpStart && op.DraftID != "" {
		return v.base.NewLead(op.DraftID)
	}
	if op.App != "" {
		return v.base.Lead(string(op.App))
	}
	return ""
}
