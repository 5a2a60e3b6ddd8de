package lead

import (
	"net/http"
	"strconv"

	"hearthline/internal/fault"
	"hearthline/internal/pdf"
	"hearthline/views"
	"hearthline/web/page"
)

// BorrowerViewPage is the page that a borrower reads: their offers and who makes them.
func (s *Handlers) BorrowerViewPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	view, err := s.borrowerView(r, l)
	if err != nil {
		return err
	}
	if err := l.LogOfferSheet(r.Context()); err != nil {
		return err
	}
	view.Page = s.Layout(r, view.Name)
	return s.Render(w, r, http.StatusOK, views.BorrowerScreen(view))
}

// OfferSheet is the same on paper.
func (s *Handlers) OfferSheet(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	view, err := s.borrowerView(r, l)
	if err != nil {
		return err
	}
	drawn, err := pdf.RenderOfferSheet(pdfSheet(view, s.Viewer(r)))
	if err != nil {
		return fault.Wrap(fault.Internal, "The offer sheet could not be drawn.", err)
	}
	if err := l.LogOfferSheet(r.Context()); err != nil {
		return err
	}
	// In a frame it would take the place of the desk, and browsers show no RenderOfferSheet in a frame that
	// is sandboxed. A tab would come without the frame's sign-in.
	disposition, policy := "inline", s.inlinePDFCSP(r)
	if page.BaseOf(r).Embedded() {
		disposition, policy = "attachment", s.documentCSP(r)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", disposition+`; filename="offer-sheet.pdf"`)
	h.Set("Content-Length", strconv.Itoa(len(drawn)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(drawn) //nolint:gosec // a RenderOfferSheet, under a policy that lets it do nothing; a person who has gone cannot be told
	}
	return nil
}

func (s *Handlers) borrowerView(r *http.Request, l page.Lead) (views.BorrowerScreenView, error) {
	facts, err := s.loadLead(r, l)
	if err != nil {
		return views.BorrowerScreenView{}, err
	}
	return presentBorrowerView(s.Viewer(r), facts, r.URL.Query())
}
