package lead

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-chi/chi/v5"

	desklead "hearthline/internal/desk/lead"
	"hearthline/views/text"
	"hearthline/web/form"
	"hearthline/web/page"
)

// documentTypes lists the content types that are passed on unchanged. Browsers treat anything else
// as binary data.
func documentTypes() []string {
	return []string{
		"application/pdf", "application/zip", "image/png", "image/jpeg", "image/tiff", "text/plain", "text/csv",
		"application/msword", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	}
}

// SafeContentType returns a content type that is safe to pass on.
func SafeContentType(contentType string) string {
	if media, _, err := mime.ParseMediaType(contentType); err == nil && slices.Contains(documentTypes(), media) {
		return media
	}
	return "application/octet-stream"
}

// OpensInline reports whether the browser itself may display a document, sandboxed. This applies
// only to PDFs.
func OpensInline(contentType string) bool { return SafeContentType(contentType) == "application/pdf" }

// Document downloads one document of the lead.
func (h *Handlers) Document(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	d, err := l.Document(r.Context(), chi.URLParam(r, "doc"))
	if err != nil {
		return err
	}
	return h.streamDocument(w, r, d, "document")
}

// DocumentsZip downloads all documents of the lead.
func (h *Handlers) DocumentsZip(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	d, err := l.DocumentsZip(r.Context())
	if err != nil {
		return err
	}
	d.ContentType, d.FileName = "application/zip", "documents-"+string(l.App())+".zip"
	return h.streamDocument(w, r, d, "documents.zip")
}

// LoanFile downloads the lead as a loan file for an LOS.
func (h *Handlers) LoanFile(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	file, err := l.LoanFile(r.Context())
	if err != nil {
		return h.renderRevealFailed(w, r, l, page.SubmittedForm{Action: "loan-file", Form: &form.Form{}}, err)
	}
	row, content := l.Row(), file.Reveal()
	header := w.Header()
	header.Set("Content-Security-Policy", h.workspace.DocumentCSP(r))
	header.Set("Content-Type", "application/xml")
	header.Set("Content-Disposition", mime.FormatMediaType("attachment",
		map[string]string{"filename": SafeFileName("loan-"+text.ShortID(&row)+".xml", "loan.xml")}))
	header.Set("Content-Length", strconv.Itoa(len(content)))
	//nolint:gosec // under a policy that lets it do nothing; an error means that the client has disconnected
	_, _ = w.Write(content)
	return nil
}

// streamDocument streams a document from the lender. The file name is the lender's, made safe; the
// type is one of a short list.
func (h *Handlers) streamDocument(w http.ResponseWriter, r *http.Request, d *desklead.Download,
	fallback string) (err error) {
	defer func() { err = errors.Join(err, d.Body.Close()) }()
	kind := SafeContentType(d.ContentType)
	disposition, policy := "attachment", h.workspace.DocumentCSP(r)
	if OpensInline(kind) && !page.BaseOf(r).Embedded() { // nothing may be shown in a frame within a frame
		disposition, policy = "inline", h.workspace.InlinePDFCSP(r)
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", mime.FormatMediaType(disposition,
		map[string]string{"filename": SafeFileName(d.FileName, fallback)}))
	if d.Length >= 0 {
		header.Set("Content-Length", strconv.FormatInt(d.Length, 10))
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err = io.Copy(&page.DeadlineWriter{W: w, Controller: http.NewResponseController(w)}, d.Body)
	return err
}

// SafeFileName reduces a file name to a single safe path segment.
func SafeFileName(name, fallback string) string {
	name = strings.Map(func(c rune) rune {
		if !unicode.IsGraphic(c) || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '_'
		}
		return c
	}, path.Base(strings.ReplaceAll(name, `\`, "/")))
	if name = strings.Trim(name, ". "); name == "" || name == "_" {
		return fallback
	}
	return name
}
