package lead

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/web/page"
)

// documentCSP lets a document do nothing: no script, no form, nothing fetched. It may
// stand where its page may.
func (s *Handlers) documentCSP(r *http.Request) string {
	return "sandbox; default-src 'none'; frame-ancestors " + s.FrameAncestors(r)
}

// inlinePDFCSP is that of a RenderOfferSheet which a browser shows by itself. WebKit shows it within a
// page of its own making that stands under our policy too, and stays empty without scripts,
// its origin and its styles: so all but styles is shut by name. What would pass itself off
// as a document runs nothing still: no script has a source that it may come from. It fetches
// and sends nothing, and opens no window.
func (s *Handlers) inlinePDFCSP(r *http.Request) string {
	shut := []string{"script-src", "object-src", "connect-src", "img-src", "font-src", "media-src", "frame-src", "worker-src", "manifest-src", "base-uri", "form-action"}
	return "sandbox allow-scripts allow-same-origin; " + strings.Join(shut, " 'none'; ") + " 'none'; frame-ancestors " + s.FrameAncestors(r)
}

// documentTypes are the content types that are passed on as the lender says them.
// Anything else is only bytes to a browser.
func documentTypes() []string {
	return []string{
		"application/pdf", "application/zip", "image/png", "image/jpeg", "image/tiff", "text/plain", "text/csv", "application/msword",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	}
}

// SafeContentType is a content type that may be passed on.
func SafeContentType(said string) string {
	media, _, err := mime.ParseMediaType(said)
	if err == nil {
		for _, known := range documentTypes() {
			if media == known {
				return known
			}
		}
	}
	return "application/octet-stream"
}

// OpensInline says whether a browser shows it by itself, sandboxed; PDFs alone.
func OpensInline(contentType string) bool { return SafeContentType(contentType) == "application/pdf" }

func (s *Handlers) Document(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	d, err := l.Document(r.Context(), chi.URLParam(r, "doc"))
	if err != nil {
		return err
	}
	return s.streamDocument(w, r, d, "document")
}

func (s *Handlers) DocumentsZip(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	d, err := l.DocumentsZip(r.Context())
	if err != nil {
		return err
	}
	d.ContentType, d.FileName = "application/zip", "documents-"+string(l.App())+".zip"
	return s.streamDocument(w, r, d, "documents.zip")
}

// streamDocument passes a document on as it comes. The file name is the lender's, made
// harmless; the type is one of a short list.
func (s *Handlers) streamDocument(w http.ResponseWriter, r *http.Request, d *desk.Download, fallback string) (err error) {
	defer func() { err = errors.Join(err, d.Body.Close()) }()
	kind := SafeContentType(d.ContentType)
	disposition, policy := "attachment", s.documentCSP(r)
	if OpensInline(kind) && !page.BaseOf(r).Embedded() { // nothing may be shown in a frame within a frame
		disposition, policy = "inline", s.inlinePDFCSP(r)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": SafeFileName(d.FileName, fallback)}))
	if d.Length >= 0 {
		h.Set("Content-Length", strconv.FormatInt(d.Length, 10))
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err = io.Copy(&page.DeadlineWriter{W: w, Controller: http.NewResponseController(w)}, d.Body)
	return err
}

// SafeFileName keeps a file name to one harmless piece.
func SafeFileName(name, fallback string) string {
	name = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '_'
		}
		return c
	}, path.Base(strings.ReplaceAll(name, `\`, "/")))
	if name = strings.Trim(name, ". "); name == "" || name == "_" {
		return fallback
	}
	return name
}
