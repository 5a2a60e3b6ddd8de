package ui

import (
	"github.com/a-h/templ"

	"hearthline/views/to"
)

// htmxConfig: hx-csp, which lets htmx act only on elements that carry the page's nonce
// and reach the browser's sinks only through its policy of Trusted Types; no history of
// htmx's own (pages are real pages, and its copies would hold PII), no style sheet made at
// run time, a time-out shorter than a person's patience. A fold that the person opened stays open through a
// morph. Errors but 422 leave the page as it is.
const htmxConfig = `{"extensions":"hx-csp","history":false,"includeIndicatorCSS":false,"defaultTimeout":15000,` +
	`"morphIgnore":["data-htmx-powered","open"],"noSwap":[204,304,"40x","5xx"]}`

// rootAttrs stand on <html>, where app.js and the css look for them.
func (p Page) rootAttrs() templ.OrderedAttributes {
	var a templ.OrderedAttributes
	put := func(name, value string) {
		if value != "" {
			a = append(a, templ.KeyValue[string, any]{Key: name, Value: value})
		}
	}
	if p.Theme == "light" || p.Theme == "dark" {
		put("data-theme", p.Theme)
	}
	if p.Density == "compact" {
		put("data-density", p.Density)
	}
	put("data-events", p.EventsURL)
	put("data-session-expires", p.SessionExpires)
	if p.SessionExpires != "" {
		put("data-stay", p.Base.RenewSession())
		put("data-held", p.Base.PendingForm())
	}
	put("data-host", p.HostOrigin)
	put("data-login", p.SessionEndedURL)
	return a
}

// borrowerRootAttrs leave out what is live: nothing slides into a page that a borrower reads.
func (p Page) borrowerRootAttrs() templ.OrderedAttributes {
	p.EventsURL = ""
	return p.rootAttrs()
}

// assets are the sheets and scripts of a page of the desk.
func (p Page) assets() []string {
	files := []string{"desk.css", "lead.css", "desk.js", "app.js", "held.js"}
	if p.IsList {
		files = []string{"desk.css", "desk.js", "app.js"}
	}
	return p.withEmbedFiles(p.withPasskeyFiles(files))
}

// withEmbedFiles adds what only pages inside a frame have: their looks, and the script that speaks
// with the page around them.
func (p Page) withEmbedFiles(files []string) []string {
	if p.Embedded {
		return append(files, "frame.css", "frame.js")
	}
	return files
}

// newWindowURL is the page in a window of its own.
func (p Page) newWindowURL() string {
	if p.NewWindowURL != "" {
		return p.NewWindowURL
	}
	return to.Full.Home()
}

// publicFiles are those of a page before anybody is signed in. Inside a frame a form is sent
// by htmx.
func (p Page) publicFiles() []string {
	files := []string{"app.js"}
	if p.Embedded {
		files = []string{"desk.js", "app.js"}
	}
	return p.withEmbedFiles(p.withPasskeyFiles(files))
}

func (p Page) withPasskeyFiles(files []string) []string {
	if p.Passkeys {
		return append(files, "passkey.js")
	}
	return files
}

func (p Page) mainClass() string {
	if p.Base.Embedded() {
		return "frame"
	}
	return "desk"
}
