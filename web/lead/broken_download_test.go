package lead_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// brokenDownload answers every download of a document with something else than the document.
type brokenDownload struct {
	answer atomic.Pointer[http.HandlerFunc]
}

func (b *brokenDownload) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer := b.answer.Load(); answer != nil && strings.Contains(r.URL.Path, "/download") {
			(*answer)(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestDownload_NotTheDocument_BadGateway(t *testing.T) {
	t.Parallel()
	respond := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	answers := map[string]http.HandlerFunc{
		"204":                   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"206":                   respond(http.StatusPartialContent, "application/pdf", "%PDF-1.7 half"),
		"empty":                 respond(http.StatusOK, "application/pdf", ""),
		"HTML":                  respond(http.StatusOK, "text/html", "<!DOCTYPE html><title>Sign in</title>"),
		"HTML that says PDF":    respond(http.StatusOK, "application/pdf", "\n<html><body>Sign in</body></html>"),
		"JSON":                  respond(http.StatusOK, "application/json", `{"messages":[]}`),
		"JSON that says binary": respond(http.StatusOK, "application/octet-stream", `{"messages":[]}`),
		"breaks off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Length", "5000")
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		},
	}
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			var broken brokenDownload
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: broken.middleware})
			olivia := h.SignInAs("olivia")
			path, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
			one := olivia.WaitFor(path+"/documents", `a[href*="/documents/"][href*="-"]`).Find(`a[href*="/documents/"]`).First().
				AttrOr("href", "")
			files := []string{one, path + "/documents.zip"}
			for name, answer := range answers {
				broken.answer.Store(&answer)
				for _, file := range files {
					got := olivia.Get(file)
					if got.Status != http.StatusBadGateway || got.Header.Get("Content-Disposition") != "" ||
						got.Find("h1").Length() != 1 {
						t.Errorf("%s, %s: got %d %v, want 502 and a page",
							name, file[strings.LastIndexByte(file, '/'):], got.Status, got.Header)
						continue
					}
					got.WantText("nothing was downloaded")
				}
			}
			broken.answer.Store(nil)
			for _, file := range files {
				if got := olivia.Get(file); got.Status != http.StatusOK || len(got.Body) < 500 {
					t.Errorf("%s: got %d, %d bytes, want the file again", file, got.Status, len(got.Body))
				}
			}
		})
	}
}
