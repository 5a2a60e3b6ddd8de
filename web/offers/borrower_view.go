package offers

import (
	"net/http"
	"net/url"
	"strconv"

	deskoffers "hearthline/internal/desk/offers"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pdf"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
)

// BorrowerViewPage shows the page for the borrower: their offers, and whom to call.
func (h *Handlers) BorrowerViewPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	shown, err := h.borrowerView(r, l)
	if err != nil {
		return err
	}
	if err := l.LogOfferSheet(r.Context()); err != nil {
		return err
	}
	return h.Render(w, r, http.StatusOK, view.BorrowerScreen(shown.page))
}

// OfferSheet returns the same page as a PDF.
func (h *Handlers) OfferSheet(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	shown, err := h.borrowerView(r, l)
	if err != nil {
		return err
	}
	content, err := h.renderPDF(r, shown.page, shown.quote.PreparedOn, shown.contact.Brand)
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

func (h *Handlers) renderPDF(r *http.Request, model view.BorrowerView, preparedOn heloc.Date, b lead.CompanyBrand) ([]byte, error) {
	sheet := PDFSheet(model, preparedOn)
	if err := h.addBrandToPDF(r, &sheet, b); err != nil {
		return nil, err
	}
	content, err := pdf.RenderOfferSheet(sheet)
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
		_, _ = w.Write(content) //nolint:gosec // under a policy that lets it do nothing; an error means that the client has disconnected
	}
}

// borrowerQuote builds what the request asks to show, and the query that asks for the same again.
func (h *Handlers) borrowerQuote(r *http.Request, l page.Lead, params url.Values) (lead.BorrowerQuote, to.OfferSheetQuery, error) {
	details, err := l.Snapshot(r.Context())
	if err != nil {
		return lead.BorrowerQuote{}, to.OfferSheetQuery{}, err
	}
	load := func(query *GridQuery) (QuoteSet, error) { return loadQuotes(r.Context(), l, details, query) }
	return buildBorrowerQuote(h.Viewer(r), details, load, params)
}

// shownQuote is a quote with the page that shows it.
type shownQuote struct {
	quote   lead.BorrowerQuote
	contact deskoffers.BorrowerContact
	page    view.BorrowerView
}

func (h *Handlers) borrowerView(r *http.Request, l page.Lead) (shownQuote, error) {
	var shown shownQuote
	quote, query, err := h.borrowerQuote(r, l, r.URL.Query())
	if err != nil {
		return shown, err
	}
	contact, err := l.Offers().BorrowerContact(r.Context())
	if err != nil {
		return shown, err
	}
	shown = shownQuote{quote, contact, h.presentBorrowerPage(r, quote, contact)}
	base, app := page.BaseOf(r), string(l.App())
	inLang := func(what string, lang text.Lang) string {
		query.Lang = langParam(lang)
		return base.OfferSheet(app, what, query)
	}
	m := &shown.page
	m.EnglishURL, m.SpanishURL = inLang("show", text.English), inLang("show", text.Spanish)
	m.PDFURL, m.BackURL = inLang("offer-sheet", m.Lang), base.LeadTab(app, to.Offers)
	return shown, nil
}

// langParam is the value of a language in a URL, in which English is the default.
func langParam(lang text.Lang) string {
	if lang == text.Spanish {
		return string(lang)
	}
	return ""
}

// presentBorrowerPage maps a quote to the page in the language of the request.
func (h *Handlers) presentBorrowerPage(r *http.Request, quote lead.BorrowerQuote, contact deskoffers.BorrowerContact) view.BorrowerView {
	model := PresentBorrowerQuote(quote, contact, text.ParseLang(r.URL.Query().Get("lang")))
	model.Page.Title = model.Text.Product + " · " + model.Company.Name
	addBrand(&model, contact.Brand)
	model.Page.Theme = h.PublicLayout(r, "").Theme
	return model
}
