// Package static contains the files that browsers fetch besides the pages: style sheets, scripts, htmx, the
// font and the icons. All of them are embedded.
//
//	static.go  the URL of a file, and its handler
//	build.go   joining, hashing and compressing, once per process
//	packed/    the files in brotli; `go generate ./static` makes it, after every change of a file
//	pack/      the program that makes it
//	*.js       the scripts; build.go lists which are joined into one file
//	embed/     the scripts for pages of CRMs, one file per version
//	css/       one file per layer; build.go lists the layers of each style sheet
//	vendor/    third-party files, with versions and checksums
//
// A file name contains a hash of the content, so caches may store a file forever, and a new release is never
// mixed with an old style sheet.
package static

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Prefix is the URL prefix of the files; mount Handler at Prefix + "*".
const Prefix = "/static/"

// URL returns the URL of a file by its plain name: "app.css", "desk.css", "lead.css", "app.js", "desk.js",
// "icons.svg", "mark.svg", "hearthline.webmanifest". It panics on an unknown name: that is a bug in a template, and a
// test renders every template.
func URL(name string) string {
	u, ok := loadBuild().urls[name]
	if !ok {
		panic("static: no file named " + name)
	}
	return u
}

// Icon returns the URL of one icon of the sprite, for <use href>. An unknown name returns the question mark,
// because icon names also come from data (text of a step), and a page must not fail because of an icon.
func Icon(name string) string {
	b := loadBuild()
	if u, ok := b.icons[name]; ok {
		return u
	}
	return b.icons["circle-help"]
}

// DeskElement returns the URL of the newest script for pages of CRMs, and its integrity (Subresource Integrity).
func DeskElement() (url, integrity string) {
	url = URL(deskElements[len(deskElements)-1])
	sum := sha512.Sum384(loadBuild().byURL[url].plain)
	return url, "sha384-" + base64.StdEncoding.EncodeToString(sum[:])
}

// IsShared reports whether pages of other sites may load a file, by its URL.
func IsShared(url string) bool { return loadBuild().byURL[url].shared }

// HasIcon reports whether the sprite has the icon.
func HasIcon(name string) bool {
	_, ok := loadBuild().icons[name]
	return ok
}

// Others returns the content of a file of another release, which Files returned there, by URL. An error means that
// there is none.
type Others func(ctx context.Context, url string) ([]byte, error)

// Handler serves the URLs that URL returns, and those of other releases, because portals are updated one after another
// and pages stay open: their URL proves what they contain. others may be nil.
func Handler(others Others) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := loadBuild().byURL[r.URL.Path]
		if !ok {
			f, ok = others.find(r.Context(), r.URL.Path)
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		serve(w, r, f)
	})
}

var urlPattern = regexp.MustCompile(`^` + Prefix + `[a-z0-9-]+\.([0-9a-f]{32})(\.[a-z0-9]+)$`)

// find returns a file of another release if its content has the hash in its URL.
func (others Others) find(ctx context.Context, url string) (file, bool) {
	parts := urlPattern.FindStringSubmatch(url)
	if others == nil || parts == nil || contentTypes[parts[2]] == "" {
		return file{}, false
	}
	content, err := others(ctx, url)
	if err != nil || hashOf(content) != parts[1] {
		return file{}, false
	}
	return file{contentType: contentTypes[parts[2]], plain: content}, true
}

// ServiceWorker serves the script that displays notifications while no page is open. Its URL has no hash: browsers look
// for a new version at the same URL.
func ServiceWorker() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentTypes[".js"])
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(loadBuild().worker) // the client is gone; there is nobody to report to
	})
}

func serve(w http.ResponseWriter, r *http.Request, f file) {
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
	if f.shared {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Set("Access-Control-Allow-Origin", "*") // integrity is checked only if the page may read it
	}
	body := f.plain
	if f.gzipped != nil {
		h.Set("Vary", "Accept-Encoding")
		switch accept := r.Header.Get("Accept-Encoding"); {
		case f.brotli != nil && accepts(accept, "br"):
			h.Set("Content-Encoding", "br")
			body = f.brotli
		case accepts(accept, "gzip"):
			h.Set("Content-Encoding", "gzip")
			body = f.gzipped
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the client is gone; there is nobody to report to
	}
}

// accepts parses an Accept-Encoding header: the encoding is listed without a weight of zero.
func accepts(accept, encoding string) bool {
	for _, part := range strings.Split(accept, ",") {
		coding, weight, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), encoding) {
			continue
		}
		_, q, hasWeight := strings.Cut(weight, "=")
		value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		return !hasWeight || err == nil && value > 0
	}
	return false
}
