package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed css/*.css assets vendor/*.js *.js embed/*.js
var sources embed.FS

// packed has the compressible files in brotli, named by their hash. Package pack makes it, because the highest level
// takes a fifth of a second for the largest file, which the first visitor after a start would wait.
//
//go:generate go run hearthline/static/pack packed
//go:embed packed
var packed embed.FS

// stylesheet is a style sheet and its layers, each a file in css.
type stylesheet struct {
	name   string
	layers []string
}

// stylesheets are in the order of their layers, in which a later one wins: every page has the first, pages before
// sign-in also the second, signed-in pages the third, the pages of a single lead the fourth, pages inside a frame the
// fifth, and pages for a borrower the last.
var stylesheets = [...]stylesheet{
	{"app.css", []string{"tokens", "base", "layout", "parts", "shared_pages"}},
	{"signin.css", []string{"signin"}},
	{"desk.css", []string{"pages", "palette"}},
	{"lead.css", []string{"parts_lead", "lead"}},
	{"frame.css", []string{"frame"}},
	{"borrower.css", []string{"borrower"}},
}

// plainFiles maps the name that a template uses to the file.
var plainFiles = [...][2]string{
	{"inter.woff2", "assets/inter.woff2"},
	{"caret.svg", "assets/caret.svg"},
	{"mark.svg", "assets/mark.svg"},
	{"icons.svg", "assets/icons.svg"},
	{"icon-192.png", "assets/icon-192.png"},
	{"icon-512.png", "assets/icon-512.png"},
	{"icon-maskable.png", "assets/icon-maskable.png"},
	{"icon-touch.png", "assets/icon-touch.png"},
}

// deskElements are the scripts that pages of CRMs load, the newest last. CRMs name them with their hash, so one that
// was released never changes: a change is another file.
var deskElements = [...]string{"hearthline-desk-1.js", "hearthline-desk-2.js"}

// contentTypes are the content types that we serve; a missing type is a programming error.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".woff2": "font/woff2",

	".webmanifest": "application/manifest+json",
}

type file struct {
	contentType string
	plain       []byte
	gzipped     []byte // gzip; nil if it would not be smaller
	shared      bool   // pages of other sites may load it
	brotli      []byte // the smallest; nil if gzipped is, or if the file has changed since packed was made
}

type build struct {
	urls  map[string]string // plain name → URL
	byURL map[string]file
	icons map[string]string // icon name → URL with fragment

	compressible map[string][]byte // by hash

	worker []byte // the service worker
}

// loadBuild joins, hashes and compresses the files once, on first use, in about 20 ms.
var loadBuild = sync.OnceValue(func() build {
	b := build{urls: map[string]string{}, byURL: map[string]file{}, icons: map[string]string{},
		compressible: map[string][]byte{}}
	for _, f := range plainFiles {
		b.add(f[0], mustRead(f[1]))
	}
	b.add("hearthline.webmanifest", b.manifest())
	b.add("app.js", jsComment.ReplaceAll(mustRead("app.js"), nil))
	b.add("forms.js", jsComment.ReplaceAll(slices.Concat(mustRead("pending_form.js"), mustRead("invalid.js"),
		mustRead("copy.js"), mustRead("rows.js"), mustRead("draft.js"), mustRead("import.js"), mustRead("sending.js"),
		mustRead("lead.js"), mustRead("offer_keys.js")), nil))
	b.add("frame.js", jsComment.ReplaceAll(slices.Concat(mustRead("frame.js"), mustRead("frame_history.js")), nil))
	b.add("borrower.js", jsComment.ReplaceAll(mustRead("borrower.js"), nil))
	b.add("push.js", jsComment.ReplaceAll(mustRead("push.js"), nil))
	b.worker = bytes.ReplaceAll(jsComment.ReplaceAll(mustRead("sw.js"), nil), []byte("ICON"),
		[]byte(b.urls["icon-192.png"]))
	for _, name := range deskElements {
		b.add(name, mustRead("embed/"+name))
	}
	b.add("passkey.js", jsComment.ReplaceAll(mustRead("passkey.js"), nil))
	// The additional scripts of signed-in pages in one file: hx-csp must be ready before htmx processes the
	// page.
	b.add("desk.js", slices.Concat(mustRead("vendor/htmx.min.js"), []byte("\n"), mustRead("vendor/hx-csp.min.js"),
		[]byte("\n"), jsComment.ReplaceAll(slices.Concat(mustRead("hide.js"), mustRead("relative.js"), mustRead("select.js"),
			mustRead("palette.js"), mustRead("keys.js"), mustRead("drop.js")), nil)))
	for _, s := range stylesheets {
		b.add(s.name, b.stylesheet(s))
	}
	for _, m := range symbolID.FindAllSubmatch(mustRead("assets/icons.svg"), -1) {
		b.icons[string(m[1])] = b.urls["icons.svg"] + "#" + string(m[1])
	}
	return b
})

var (
	symbolID   = regexp.MustCompile(`<symbol id="([^"]+)"`)
	iconSource = regexp.MustCompile(`"src": "([^"]+)"`)
	cssURL     = regexp.MustCompile(`url\(([a-z0-9.-]+)\)`)
	jsComment  = regexp.MustCompile(`(?m)^[ ]*//.*\n|^[ ]+`) // whole lines and indents; app.js has no multi-line strings
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/\s*`)
	cssSpace   = regexp.MustCompile(`"[^"]*"|\s*([{};,])\s*|(: )|\s+`) // in a string, space stays
)

// stylesheet joins the layers of a style sheet; the first style sheet declares the order of all layers.
// Comments are removed, and every url() refers to the hashed name, so browsers may cache the font as long as
// the rest.
func (b build) stylesheet(s stylesheet) []byte {
	var out bytes.Buffer
	if s.name == stylesheets[0].name {
		var order []string
		for _, each := range stylesheets {
			order = append(order, each.layers...)
		}
		out.WriteString("@layer " + strings.Join(order, ",") + ";\n")
	}
	for _, name := range s.layers {
		css := minifyCSS(mustRead("css/" + name + ".css"))
		css = cssURL.ReplaceAllFunc(css, func(m []byte) []byte {
			name := string(m[len("url(") : len(m)-1])
			u, ok := b.urls[name]
			if !ok {
				panic("static: css points at " + name)
			}
			return []byte("url(" + u + ")")
		})
		out.WriteString("@layer " + name + "{\n")
		out.Write(css)
		out.WriteString("}\n")
	}
	return out.Bytes()
}

// minifyCSS removes comments, and the space that only people read.
func minifyCSS(css []byte) []byte {
	css = cssSpace.ReplaceAllFunc(bytes.TrimSpace(cssComment.ReplaceAll(css, nil)), func(m []byte) []byte {
		switch trimmed := bytes.TrimSpace(m); {
		case m[0] == '"':
			return m
		case len(trimmed) == 0:
			return []byte(" ")
		default:
			return trimmed
		}
	})
	return bytes.ReplaceAll(css, []byte(";}"), []byte("}"))
}

// manifest describes the portal to browsers that install it, with the hashed names of its icons. There is no service
// worker: browsers install a site without one, and it would store pages with borrowers' names.
func (b build) manifest() []byte {
	return iconSource.ReplaceAllFunc(mustRead("assets/hearthline.webmanifest"), func(m []byte) []byte {
		u, ok := b.urls[string(iconSource.FindSubmatch(m)[1])]
		if !ok {
			panic("static: the manifest has an icon that is not served: " + string(m))
		}
		return []byte(`"src": "` + u + `"`)
	})
}

func (b build) add(name string, content []byte) {
	ext := path.Ext(name)
	hash := hashOf(content)
	u := Prefix + strings.TrimSuffix(name, ext) + "." + hash + ext
	b.urls[name] = u
	f := file{contentType: contentTypes[ext], plain: content, gzipped: compress(content),
		shared: slices.Contains(deskElements[:], name)}
	if f.gzipped != nil {
		f.brotli, _ = packed.ReadFile("packed/" + hash + ".br")
		b.compressible[hash] = content
	}
	b.byURL[u] = f
}

// hashOf returns the hash of a content in its URL. It is long enough that nobody can make another content with the
// same.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// Files returns the content of every file, by URL.
func Files() map[string][]byte {
	files := map[string][]byte{}
	for u, f := range loadBuild().byURL {
		files[u] = f.plain
	}
	return files
}

// Compressible returns the files that are worth compressing, by their hash.
func Compressible() map[string][]byte { return loadBuild().compressible }

// compress compresses at the highest level. A file that does not shrink by a tenth (the font is already
// compressed) is served as it is.
func compress(content []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		panic(err) // only for a level that does not exist
	}
	_, _ = w.Write(content) // a bytes.Buffer never fails
	_ = w.Close()
	if out.Len() > len(content)*9/10 {
		return nil
	}
	return out.Bytes()
}

func mustRead(name string) []byte {
	content, err := sources.ReadFile(name)
	if err != nil {
		panic(err) // embedded at build time
	}
	return content
}
