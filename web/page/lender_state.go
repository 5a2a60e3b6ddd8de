package page

import (
	"net/http"

	"hearthline/views/ui"
)

// LenderState renders the part of every page that says whether the lender responds. Pages fetch it again when that
// changes.
func (s *Responder) LenderState(w http.ResponseWriter, r *http.Request) error {
	return s.Render(w, r, http.StatusOK, ui.LenderState(s.BasicLayout(r, "")))
}

// lenderDownSince returns since when the lender has not responded, as text; "" while it responds.
func (s *Responder) lenderDownSince(r *http.Request) string {
	if !isSendingPaused(r) {
		return ""
	}
	v := s.Viewer(r)
	return v.SinceText(VisitOf(r).Desk.LenderDownSince())
}

// isSendingPaused reports whether the lender is known to be down, on the pages of signed-in users.
func isSendingPaused(r *http.Request) bool {
	v := VisitOf(r)
	return v != nil && v.Desk != nil && !v.Desk.LenderDownSince().IsZero()
}
