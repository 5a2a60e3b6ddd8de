package offers

import (
	"net/http"
	"strconv"

	"hearthline/internal/fault"
	"hearthline/internal/pdf"
	view "hearthline/views/offers"
	"hearthline/web/page"
)

// BorrowerViewPage shows the page for the borrower: their offers and who prepared them.
func (s *Handlers) BorrowerViewPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	model, err := s.borrowerView(r, l)
	if err != nil {
		return err
	}
	if err := l.LogOfferSheet(r.Context()); err != nil {
		return err
	}
	model.Page = s.Layout(r, model.Name)
	return s.Render(w, r, http.StatusOK, view.BorrowerScreen(model))
}

// OfferSheet returns the same page as a PDF.
func (s *Handlers) OfferSheet(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	model, err := s.borrowerView(r, l)
	if err != nil {
		return err
	}
	content, err := pdf.RenderOfferSheet(pdfSheet(model, s.Viewer(r)))
	if err != nil {
		return fault.Wrap(fault.Internal, "The offer sheet couldn’t be created.", err)
	}
	if err := l.LogOfferSheet(r.Context()); err != nil {
		return err
	}
	// In an embed, an inline PDF would replace the desk, and browsers show no PDF in a sandboxed
	// iframe. A new tab would not have the embed's session.
	disposition, policy := "inline", s.workspace.InlinePDFCSP(r)
	if page.BaseOf(r).Embedded() {
		disposition, policy = "attachment", s.workspace.DocumentCSP(r)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", disposition+`; filename="offer-sheet.pdf"`)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) //nolint:gosec // a PDF, under a policy that lets it do nothing; an error means that the client has disconnected
	}
	return nil
}

func (s *Handlers) borrowerView(r *http.Request, l page.Lead) (view.BorrowerScreenView, error) {
	details, err := l.View(r.Context())
	if err != nil {
		return view.BorrowerScreenView{}, err
	}
	load := func(query *GridQuery) (QuoteSet, error) { return loadQuotes(r.Context(), l, details, query) }
	return presentBorrowerView(s.Viewer(r), details, load, r.URL.Query())
}
