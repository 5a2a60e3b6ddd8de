package lead

import (
	"net/http"
	"strconv"

	"hearthline/internal/fault"
	"hearthline/internal/paper"
	"hearthline/views"
	"hearthline/web/page"
)

// showBorrower is the page that a borrower reads: their offers and who makes them.
func (s *Handlers) ShowBorrower(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	view, err := s.borrowersView(r, l)
	if err != nil {
		return err
	}
	if err := l.Sheet(r.Context()); err != nil {
		return err
	}
	view.Page = s.Frame(r, view.Name)
	return s.Show(w, r, http.StatusOK, views.Show(view))
}

// offerSheet is the same on paper.
func (s *Handlers) OfferSheet(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	view, err := s.borrowersView(r, l)
	if err != nil {
		return err
	}
	drawn, err := paper.PDF(paperOf(view, s.Viewer(r)))
	if err != nil {
		return fault.Wrap(fault.Internal, "The offer sheet could not be drawn.", err)
	}
	if err := l.Sheet(r.Context()); err != nil {
		return err
	}
	// In a frame it would take the place of the desk, and browsers show no PDF in a frame that
	// is sandboxed. A tab would come without the frame's sign-in.
	disposition, policy := "inline", s.readingPolicy(r)
	if page.BaseOf(r).Embedded() {
		disposition, policy = "attachment", s.documentPolicy(r)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", disposition+`; filename="offer-sheet.pdf"`)
	h.Set("Content-Length", strconv.Itoa(len(drawn)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(drawn) //nolint:gosec // a PDF, under a policy that lets it do nothing; a person who has gone cannot be told
	}
	return nil
}

func (s *Handlers) borrowersView(r *http.Request, l page.Lead) (views.ShowView, error) {
	facts, err := s.factsOf(r, l)
	if err != nil {
		return views.ShowView{}, err
	}
	return showToBorrower(s.Viewer(r), facts, r.URL.Query())
}
