package offers

import (
	"net/http"
	"strconv"

	"hearthline/internal/fault"
	"hearthline/internal/pdf"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
)

// BorrowerViewPage shows the page for the borrower: their offers, and whom to call.
func (h *Handlers) BorrowerViewPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	model, err := h.borrowerView(r, l)
	if err != nil {
		return err
	}
	if err := l.LogOfferSheet(r.Context()); err != nil {
		return err
	}
	return h.Render(w, r, http.StatusOK, view.BorrowerScreen(model))
}

// OfferSheet returns the same page as a PDF.
func (h *Handlers) OfferSheet(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	model, err := h.borrowerView(r, l)
	if err != nil {
		return err
	}
	content, err := h.renderPDF(r, model)
	if err != nil {
		return err
	}
	if err := l.LogOfferSheet(r.Context()); err != nil {
		return err
	}
	// In an embed, an inline PDF would replace the desk, and browsers show no PDF in a sandboxed
	// iframe. A new tab would not have the embed's session.
	disposition, policy := "inline", h.Workspace.InlinePDFCSP(r)
	if page.BaseOf(r).Embedded() {
		disposition, policy = "attachment", h.Workspace.DocumentCSP(r)
	}
	writePDF(w, r, content, disposition, policy)
	return nil
}

// renderPDF states what the page does, with the company's logo.
func (h *Handlers) renderPDF(r *http.Request, model view.BorrowerView) ([]byte, error) {
	if model.LogoDigest != "" {
		logo, err := h.Desks.CompanyLogo(r.Context(), model.LogoDigest)
		if err != nil && !fault.Is(err, fault.NotFound) { // it was removed in the meantime
			return nil, err
		}
		model.Logo = logo
	}
	content, err := pdf.RenderOfferSheet(model.Sheet)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "The offer sheet couldn’t be created.", err)
	}
	return content, nil
}

func writePDF(w http.ResponseWriter, r *http.Request, content []byte, disposition, policy string) {
	w.Header().Set("Content-Disposition", disposition+`; filename="offer-sheet.pdf"`)
	writeContent(w, r, "application/pdf", policy, content)
}

// writeContent responds with a file made here.
func writeContent(w http.ResponseWriter, r *http.Request, kind, policy string, content []byte) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		//nolint:gosec // under a policy that lets it do nothing; an error means that the client has disconnected
		_, _ = w.Write(content)
	}
}

// borrowerView maps what the request asks to show, in the language of the request.
func (h *Handlers) borrowerView(r *http.Request, l page.Lead) (view.BorrowerView, error) {
	quote, query, err := h.borrowerQuote(r, l, r.URL.Query())
	if err != nil {
		return view.BorrowerView{}, err
	}
	contact, err := l.Offers().BorrowerContact(r.Context())
	if err != nil {
		return view.BorrowerView{}, err
	}
	lang := text.ParseLang(r.URL.Query().Get("lang"))
	m := PresentBorrowerQuote(quote, contact, lang)
	m.Page.Theme = h.PublicLayout(r, "").Theme
	base, app := page.BaseOf(r), string(l.App())
	inLang := func(what string, lang text.Lang) string {
		query.Lang = ""
		if lang == text.Spanish { // English is the default
			query.Lang = string(lang)
		}
		return base.OfferSheet(app, what, query)
	}
	m.EnglishURL, m.SpanishURL = inLang("show", text.English), inLang("show", text.Spanish)
	m.PDFURL, m.BackURL = inLang("offer-sheet", lang), base.LeadTab(app, to.Offers)
	return m, nil
}
