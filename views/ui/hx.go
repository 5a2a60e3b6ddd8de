package ui

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"hearthline/views/to"
)

// Hx describes an htmx request of an element. It is the only place that writes htmx attributes, because templ
// does not sanitize them: URLs must come from views/to, and a trigger cannot have a filter, which would need
// the eval that the content security policy forbids.
//
// Every element has the nonce of its response. hx-csp strips htmx's attributes from elements without it, so
// injected markup sends no requests.
//
// The server answers with a fragment: the part alone, preceded by a <title> (FragmentTitle) if the page's
// title changed, which htmx 4 removes and sets. Statuses 40x and 5xx do not change the page (app.js shows a
// toast); 422 swaps in the form with its errors.
type Hx struct {
	Get            string // URL; Get or Post
	Post           string
	Trigger        string // event and timing, "input delay:300ms"; default by element
	Target         string // selector; default is the element
	Swap           string // default outerMorph, which keeps typed text and focus
	Include        string // selector of other controls to send
	LatestWins     bool   // a newer request cancels one in flight
	SyncSelector   string // selector of the element that LatestWins synchronizes on; default is the element
	SkipValidation bool   // also request while the form is invalid: nothing is submitted yet
}

// Attrs returns the attributes in a fixed order; ctx is the rendering context with the nonce.
func (h Hx) Attrs(ctx context.Context) templ.OrderedAttributes {
	a := make(attributes, 0, 8)
	a.put("hx-nonce", templ.GetNonce(ctx))
	a.put("hx-get", h.Get)
	a.put("hx-post", h.Post)
	a.put("hx-trigger", h.Trigger)
	a.put("hx-target", h.Target)
	a.put("hx-swap", cmp.Or(h.Swap, "outerMorph"))
	a.put("hx-include", h.Include)
	switch {
	case h.SyncSelector != "":
		a.put("hx-sync", h.SyncSelector+":replace")
	case h.LatestWins:
		a.put("hx-sync", "this:replace")
	}
	if h.SkipValidation {
		a.put("hx-validate", "false")
	}
	return templ.OrderedAttributes(a)
}

// attributes are an element's attributes in order.
type attributes templ.OrderedAttributes

// put adds an attribute unless its value is empty.
func (a *attributes) put(name, value string) {
	if value != "" {
		*a = append(*a, templ.KeyValue[string, any]{Key: name, Value: value})
	}
}

// set adds an attribute without a value, if it is on.
func (a *attributes) set(name string, on bool) {
	if on {
		*a = append(*a, templ.KeyValue[string, any]{Key: name, Value: true})
	}
}

// SkipMorph marks a part that updates of the surrounding page skip, and that hide.js empties after this many
// seconds; "" means never.
func SkipMorph(ctx context.Context, seconds string) templ.OrderedAttributes {
	a := attributes{{Key: "hx-nonce", Value: templ.GetNonce(ctx)}, {Key: "hx-morph-skip", Value: true}}
	a.put("data-hide-after", seconds)
	return templ.OrderedAttributes(a)
}

// AnyLead is the subject of Live for lists, which refresh on changes of any lead.
const AnyLead = "*"

const liveHeaders = "hx-headers"

// LastVisitHeader is the header with which an update of a lead says when the user's last visit was, in milliseconds:
// the visit that the displayed changes follow, or 0 if no changes are displayed.
const LastVisitHeader = "Last-Visit"

// ShownUntilHeader is the header with which a request for an update says which events the page already displays: those
// up to this instant, in milliseconds.
const ShownUntilHeader = "Shown-Until"

// LiveLead is Live of a page that displays the changes since the user's last visit. An update must display the same:
// the view that the page itself recorded is not a visit before this one, and a line that disappears would move what
// the user is about to press.
func LiveLead(ctx context.Context, address, subject, revision, lastVisit, shownUntil string) templ.OrderedAttributes {
	a := Live(ctx, address, subject, revision)
	for i := range a {
		if a[i].Key == liveHeaders {
			a[i].Value = `{"Session-Renew":"no","` + LastVisitHeader + `":"` + lastVisit + `","` +
				ShownUntilHeader + `":"` + shownUntil + `"}`
		}
	}
	return a
}

// Live marks a part that is fetched again when a lead changes. Subject is the lead's app id, several
// separated by spaces, or AnyLead; revision is the displayed revision of the lead, so that an event without a
// newer revision fetches nothing ("" always fetches). The part needs an id, and the response must be the same
// part with the same id: it is morphed, not replaced.
func Live(ctx context.Context, address, subject, revision string) templ.OrderedAttributes {
	return live(ctx, Hx{Get: address, Trigger: "live"}, subject, revision)
}

// LiveContent marks an element whose content is fetched after the page was displayed, and again as with Live. The
// response is the content alone.
func LiveContent(ctx context.Context, address, subject string) templ.OrderedAttributes {
	return live(ctx, Hx{Get: address, Trigger: "load, live", Swap: "innerMorph"}, subject, "")
}

func live(ctx context.Context, hx Hx, subject, revision string) templ.OrderedAttributes {
	a := attributes(hx.Attrs(ctx))
	a.put(liveHeaders, `{"Session-Renew":"no"}`) // the user did nothing, so it must not extend the session
	a = append(a, templ.KeyValue[string, any]{Key: "data-live", Value: subject})
	a.put("data-revision", revision)
	return templ.OrderedAttributes(a)
}

// paletteHx asks shortly after the last key, and when palette.js opens the dialog; the last answer wins.
func paletteHx(ctx context.Context, base to.Base) templ.OrderedAttributes {
	return Hx{Post: base.Search(), Trigger: "input delay:120ms, ask", Target: "#" + paletteResultsID, Swap: "innerHTML",
		LatestWins: true, SkipValidation: true}.Attrs(ctx)
}

// keysHx fetches the list of shortcuts when it is opened first.
func keysHx(ctx context.Context, base to.Base) templ.OrderedAttributes {
	return Hx{Get: base.Help("keyboard"), Trigger: "ask", Swap: "innerHTML"}.Attrs(ctx)
}
