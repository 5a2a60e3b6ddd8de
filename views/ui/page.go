package ui

import (
	"cmp"

	"github.com/a-h/templ"

	"hearthline/static"
	"hearthline/views/to"
)

// htmxConfig enables hx-csp, which lets htmx act only on elements with the page's nonce and reach the
// browser's injection sinks only through its Trusted Types policy. It disables htmx's history (pages are real
// pages, and its snapshots would contain PII) and its runtime style sheet, and sets a timeout shorter than
// users' patience. A details element that the user opened stays open through a morph. Errors other than 422
// do not change the page.
const htmxConfig = `{"extensions":"hx-csp","history":false,"includeIndicatorCSS":false,"defaultTimeout":15000,` +
	`"morphIgnore":["data-htmx-powered","open"],"noSwap":[204,304,"40x","5xx"]}`

// rootAttrs are the attributes of <html>, which app.js and the CSS read.
func (p Page) rootAttrs() templ.OrderedAttributes {
	var a attributes
	if p.Theme == "light" || p.Theme == "dark" {
		a.put("data-theme", p.Theme)
	}
	if p.Density == "compact" {
		a.put("data-density", p.Density)
	}
	a.put("data-events", p.EventsURL)
	a.put("data-now", p.Now)
	a.put("data-session-expires", p.SessionExpires)
	if p.SessionExpires != "" {
		a.put("data-stay", p.Base.RenewSession())
		a.put("data-held", p.Base.PendingForm())
	}
	if p.Shortcuts {
		a = append(a, templ.KeyValue[string, any]{Key: "data-keys", Value: p.ShortcutPages})
	}
	a.put("data-host", p.HostOrigin)
	a.put("data-login", p.SessionEndedURL)
	return templ.OrderedAttributes(a)
}

// icon is the icon of a borrower's page.
func (p BorrowerPage) icon() string { return cmp.Or(p.IconURL, static.URL("mark.svg")) }

// assets are the style sheets and scripts of a signed-in user's page.
func (p Page) assets() []string {
	files := []string{"desk.css", "lead.css", "desk.js", "app.js", "forms.js"}
	if p.Push {
		files = append(files, "push.js")
	}
	if p.IsList {
		files = []string{"desk.css", "desk.js", "app.js"}
	}
	return p.withEmbedFiles(p.withPasskeyFiles(files))
}

// withEmbedFiles adds the files of pages inside a frame: their style sheet, and the script that talks to the
// host page.
func (p Page) withEmbedFiles(files []string) []string {
	if p.Embedded {
		return append(files, "frame.css", "frame.js")
	}
	return append(files, "hearthline.webmanifest") // what a frame shows cannot be installed
}

// newWindowURL is the URL of the page in its own window.
func (p Page) newWindowURL() string { return cmp.Or(p.NewWindowURL, to.Full.Home()) }

// publicFiles are the files of a page before sign-in. Inside a frame, htmx submits the forms.
func (p Page) publicFiles() []string {
	files := []string{"signin.css", "app.js"}
	if p.Embedded {
		files = []string{"signin.css", "desk.js", "app.js"}
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
	class := "desk"
	if p.Base.Embedded() {
		class = "frame"
	}
	if p.Wide {
		class += " lead-page"
	}
	return class
}
