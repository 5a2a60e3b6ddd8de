package offers

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	deskoffers "hearthline/internal/desk/offers"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/fault"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
)

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
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Moz", "X-Purpose"} {
		if value := strings.ToLower(h.Get(name)); strings.Contains(value, "prefetch") ||
			strings.Contains(value, "prerender") || strings.Contains(value, "preview") {
			return false
		}
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
