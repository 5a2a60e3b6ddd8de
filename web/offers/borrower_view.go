package offers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/brand"
	deskoffers "hearthline/internal/desk/offers"
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

// brandStyleFile names the style sheet of a color. The name has the digest of the content, so that a browser may keep
// the file forever; nothing is stored, because the color is in the name.
func brandStyleFile(c brand.Color) (name, content string) {
	content = brand.NewPalette(c).CSS()
	sum := sha256.Sum256([]byte(content))
	return c.Hex() + "-" + hex.EncodeToString(sum[:6]) + ".css", content
}

// BrandFile serves a company's logo or style sheet. It is public, reads no session, and its content never changes.
func (h *Handlers) BrandFile(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "file")
	base, isLogo := strings.CutSuffix(name, ".png")
	kind := "text/css; charset=utf-8"
	var content []byte
	if isLogo {
		kind = "image/png"
		logo, err := h.Desks.CompanyLogo(r.Context(), base)
		if err != nil {
			return err
		}
		content = logo
	} else {
		hexColor, _, _ := strings.Cut(name, "-")
		color, ok := brand.ParseColor(hexColor)
		file, css := brandStyleFile(color)
		if !ok || file != name {
			return fault.New(fault.NotFound, "Page not found.")
		}
		content = []byte(css)
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	writeContent(w, r, kind, "default-src 'none'; frame-ancestors 'none'", content)
	return nil
}

// sharedQuoteCSP is the policy of a shared page: our style sheets, images and font, and nothing else. It has no script.
const sharedQuoteCSP = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// SharedQuotePage shows a quote to whoever has its link. It reads no session.
func (h *Handlers) SharedQuotePage(w http.ResponseWriter, r *http.Request) error {
	if h.opens.OnLimit(w, r, page.ClientAddress(r)) {
		return fault.Wrap(fault.Unavailable, "Too many requests. Try again in a minute.", errors.New("shared quotes"))
	}
	header := w.Header()
	header.Set("Content-Security-Policy", sharedQuoteCSP)
	header.Del("Reporting-Endpoints")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	token := chi.URLParam(r, "token")
	opened, err := h.Desks.OpenSharedQuote(r.Context(), token)
	lang := text.ParseLang(cmp.Or(r.URL.Query().Get("lang"), opened.Language))
	if fault.Is(err, fault.NotFound) { // it does not exist, or is incomplete: the two look alike
		m := newBorrowerView(lang, deskoffers.BorrowerContact{})
		m.Title, m.Page.Title = m.Text.NoLinkTitle, m.Text.NoLinkTitle
		return h.Render(w, r, http.StatusNotFound, view.SharedEnded(m, m.Text.NoLink))
	}
	if err != nil {
		return err
	}
	if opened.Ended { // the page shows whom to call, and no figure
		m := newBorrowerView(lang, opened.Contact)
		m.Title, m.Page.Title = m.Text.EndedTitle, m.Text.EndedTitle
		addSharedLanguages(&m, token)
		return h.Render(w, r, http.StatusGone, view.SharedEnded(m, m.Text.Ended))
	}
	model := PresentBorrowerQuote(opened.Quote, opened.Contact, lang)
	addSharedLanguages(&model, token)
	model.PDFURL = to.SharedQuoteIn(token, string(lang), true)
	if r.URL.Query().Get("as") == "pdf" {
		content, err := h.renderPDF(r, model)
		if err != nil {
			return err
		}
		writePDF(w, r, content, "inline", h.Workspace.InlinePDFCSP(r))
		return nil
	}
	if isOpening(r) {
		if err := h.Desks.CountOpening(r.Context(), token); err != nil {
			return err
		}
	}
	return h.Render(w, r, http.StatusOK, view.BorrowerScreen(model))
}

func addSharedLanguages(m *view.BorrowerView, token string) {
	m.EnglishURL, m.SpanishURL = to.SharedQuoteIn(token, "en", false), to.SharedQuoteIn(token, "es", false)
}

// isOpening reports whether a request counts as an opening: a browser's visit of the link itself. The language switch
// and the PDF are part of the same visit. Requests ahead of a visit and known makers of link previews do not count.
func isOpening(r *http.Request) bool {
	h := r.Header
	if r.Method != http.MethodGet || r.URL.RawQuery != "" && r.URL.Query().Has("lang") {
		return false
	}
	if page.IsAheadOfVisit(r) {
		return false
	}
	if mode := h.Get("Sec-Fetch-Mode"); mode != "" && mode != "navigate" {
		return false
	}
	agent := strings.ToLower(h.Get("User-Agent"))
	return strings.HasPrefix(agent, "mozilla/") &&
		!slices.ContainsFunc(previewAgents, func(machine string) bool { return strings.Contains(agent, machine) })
}

// previewAgents are parts of the names by which makers of link previews, scanners and tools identify themselves. They
// often claim to be Mozilla too.
var previewAgents = []string{
	"bot", "crawl", "spider", "preview", "facebookexternalhit", "facebot", "whatsapp", "slack", "discord", "telegram",
	"skypeuri", "embedly", "vkshare", "pinterest", "safelinks", "barracuda", "proofpoint", "mimecast", "scanner",
	"headless", "python", "curl", "wget", "go-http", "java/", "okhttp", "monitor",
}

// OpensPerMinute is how many shared quotes one address may request. The tokens cannot be guessed; the limit protects
// the one writer, which counts openings.
const OpensPerMinute = 60
