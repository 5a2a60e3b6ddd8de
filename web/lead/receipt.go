package lead

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
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// receiptPage tells what became of one operation.
func (s *Handlers) ReceiptPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	receipt, err := d.Receipt(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	corrected, err := s.corrected(r, receipt)
	if err != nil {
		return err
	}
	return s.showReceiptPage(w, r, receiptShown{Receipt: receipt, form: &form.Form{}, status: http.StatusOK, corrected: corrected})
}

// receiptShown is a receipt as its page shows it.
type receiptShown struct {
	*desk.Receipt
	form      *form.Form // of giving it up
	status    int
	corrected []views.Typed
}

func (s *Handlers) showReceiptPage(w http.ResponseWriter, r *http.Request, receipt receiptShown) error {
	wait, err := receipt.Wait(r.Context())
	if err != nil {
		return err
	}
	name, err := receipt.Borrower(r.Context())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	view := showOperation(v, receipt.Op, wait)
	view.Name, view.Form, view.Corrected = format.NameOf(name), receipt.form.View(""), receipt.corrected
	if handed, err := receipt.HandOver(r.Context()); err == nil {
		view.Facts = append(view.Facts, ui.Fact{Label: "New originator", Value: format.Joined(", ", words.Or(handed.ToName), format.NmlsOf(handed.ToNMLS))})
	}
	if receipt.Op.App != "" {
		// The lead may have gone to somebody else since: then there is only the receipt.
		if l, err := receipt.Lead(r.Context()); err == nil {
			view.App, view.ShortID = string(l.App()), format.ShortID(l.Row())
		}
	}
	view.Page = s.Frame(r, "Receipt")
	if page.Fragment(r) {
		return s.Show(w, r, receipt.status, views.OperationPart(view))
	}
	return s.Show(w, r, receipt.status, views.Operation(view))
}

// spelt is what was mended in a form, in the order of its names.
func spelt(f *form.Form) []desk.Spelled {
	var all []desk.Spelled
	for _, name := range slices.Sorted(maps.Keys(f.Sent)) {
		all = append(all, desk.Spelled{Name: name, Typed: f.Text(name), Sent: f.Sent[name]})
	}
	return all
}

// corrected is what liens or a start sent otherwise than its originator typed it. It is read
// from their own draft, and of what stands withheld on the lead nothing is told.
func (s *Handlers) corrected(r *http.Request, receipt *desk.Receipt) ([]views.Typed, error) {
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
	trial := form.Form{Values: url.Values(typed), Sent: map[string]string{}}
	_, _ = trial.Inquiry(s.Viewer(r).Today())
	var all []views.Typed
	for name, sent := range trial.Sent {
		all = append(all, views.Typed{Name: name, Value: trial.Text(name), Sent: sent})
	}
	slices.SortFunc(all, func(a, b views.Typed) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// abandonOperation gives up an operation of unknown outcome, with a reason.
func (s *Handlers) AbandonOperation(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	receipt, err := d.Receipt(r.Context(), id)
	if err != nil {
		return err
	}
	if !f.Checked("confirm.abandon") {
		f.Complain("confirm.abandon", "Check the box to confirm")
	}
	reason := f.Required("reason", "Say why, in a few words")
	if !f.Bad() {
		err = receipt.Abandon(r.Context(), reason)
		f.Wrong = append(f.Wrong, fault.FieldsOf(err)...)
	}
	if f.Bad() {
		return s.showReceiptPage(w, r, receiptShown{Receipt: receipt, form: f, status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).Operation(id))
}

// againAt is where an operation that did nothing can be sent anew.
func againAt(v format.Viewer, op desk.Operation) string {
	switch op.State {
	case desk.OpRejected, desk.OpNotSent, desk.OpAbsent, desk.OpAbandoned:
	default:
		return ""
	}
	if op.Kind == heloc.OpStart && op.DraftID != "" {
		return v.Base.NewLead(op.DraftID)
	}
	if op.App != "" {
		return v.Base.Lead(string(op.App))
	}
	return ""
}
