// Package static holds what a browser fetches beside the pages: the css, the
// one script, htmx, the typeface and the icons. Everything is embedded.
//
//	static.go   the address of a file, and the handler that answers there
//	build.go    joining, hashing and compressing, once per process
//	css/        a file a layer; build.go says which stand in which sheet
//	vendor/     what is taken from others, with versions and sums
//
// A name carries a hash of the content, so a file may be kept for ever by any
// cache and a new release is never mixed with an old stylesheet.
package static

import (
	"net/http"
	"strconv"
	"strings"
)

// Prefix is where the files stand; mount Handler at Prefix + "*".
const Prefix = "/static/"

// URL is the address of a file by its plain name: "app.css", "desk.css",
// "lead.css", "app.js", "desk.js", "icons.svg", "mark.svg". It panics on a name that does not
// exist: that is a slip in a template, and every template is rendered by a
// test.
func URL(name string) string {
	u, ok := loadBuild().urls[name]
	if !ok {
		panic("static: no file named " + name)
	}
	return u
}

// Icon is the address of one icon of the sprite, for <use href>. A name that
// the sprite lacks gives the question mark, because icon names also come from
// data (words of a step), and a page must not fail for a picture.
func Icon(name string) string {
	b := loadBuild()
	if u, ok := b.icons[name]; ok {
		return u
	}
	return b.icons["circle-help"]
}

// HasIcon tells whether the sprite has the icon.
func HasIcon(name string) bool {
	_, ok := loadBuild().icons[name]
	return ok
}

// Handler answers at the addresses that URL gives, and at no other.
func Handler() http.Handler {
	return http.HandlerFunc(serve)
}

func serve(w http.ResponseWriter, r *http.Request) {
	f, ok := loadBuild().byURL[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	body := f.plain
	if f.gzipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Get("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			body = f.gzipped
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the reader has gone; nobody is left to tell
	}
}

// acceptsGzip reads an Accept-Encoding header: gzip named, and not refused by a
// weight of zero.
func acceptsGzip(accept string) bool {
	for _, part := range strings.Split(accept, ",") {
		coding, weight, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		_, q, given := strings.Cut(weight, "=")
		value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		return !given || err == nil && value > 0
	}
	return false
}
