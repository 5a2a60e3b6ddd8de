package ui

import (
	"context"

	"github.com/a-h/templ"
)

// Hx is what htmx shall do for an element. It is the only place that writes
// htmx attributes, because templ does not sanitise them: the addresses must
// come from views/to, and a trigger can hold no filter, which would need the
// eval that the content policy forbids.
//
// Every element carries the nonce of its response. hx-csp strips htmx's attributes
// from an element that does not, so that markup which somebody managed to plant asks
// for nothing.
//
// The server answers such a request with a fragment: the part alone, and if
// the page's title changed, a <title> in front of it (FragmentTitle), which
// htmx 4 takes out and sets. Statuses 40x and 5xx change nothing on the page
// (app.js says so in a toast); 422 brings the form back and is swapped.
type Hx struct {
	Get            string // address; Get or Post
	Post           string
	Trigger        string // event and timing, "input delay:300ms"; default by element
	Target         string // selector; default the element itself
	Swap           string // default outerMorph, which keeps typed text and focus
	Include        string // selector of further controls to send
	LatestWins     bool   // a newer request replaces one on its way: last answer wins
	SyncSelector   string // selector of what several share for that; default the element itself
	SkipValidation bool   // ask also while the form lacks something: nothing is being sent yet
}

// Attrs are the attributes, in a fixed order; ctx is the rendering's, with the nonce.
func (h Hx) Attrs(ctx context.Context) templ.OrderedAttributes {
	var a templ.OrderedAttributes
	put := func(name, value string) {
		if value != "" {
			a = append(a, templ.KeyValue[string, any]{Key: name, Value: value})
		}
	}
	put("hx-nonce", templ.GetNonce(ctx))
	put("hx-get", h.Get)
	put("hx-post", h.Post)
	put("hx-trigger", h.Trigger)
	put("hx-target", h.Target)
	swap := h.Swap
	if swap == "" {
		swap = "outerMorph"
	}
	put("hx-swap", swap)
	put("hx-include", h.Include)
	switch {
	case h.SyncSelector != "":
		put("hx-sync", h.SyncSelector+":replace")
	case h.LatestWins:
		put("hx-sync", "this:replace")
	}
	if h.SkipValidation {
		put("hx-validate", "false")
	}
	return a
}

// SkipMorph is a part that updates of the page around it pass by, and that hide.js empties
// after so many seconds; "" never.
func SkipMorph(ctx context.Context, seconds string) templ.OrderedAttributes {
	a := templ.OrderedAttributes{{Key: "hx-nonce", Value: templ.GetNonce(ctx)}, {Key: "hx-morph-skip", Value: true}}
	if seconds != "" {
		a = append(a, templ.KeyValue[string, any]{Key: "data-hide-after", Value: seconds})
	}
	return a
}

// AnyLead as the subject of Live: a list cares about any of them.
const AnyLead = "*"

// Live marks a part that is fetched again when a lead changes. Subject is the
// lead's app id, several with a space between, or AnyLead; revision is the
// lead's as it is shown, so that an event which brings nothing new fetches
// nothing ("" always fetches). The part needs an id, and the answer must be
// the same part with the same id: it is morphed, not replaced.
func Live(ctx context.Context, address, subject, revision string) templ.OrderedAttributes {
	a := Hx{Get: address, Trigger: "live"}.Attrs(ctx)
	// Nobody pressed anything: such a fetch must not keep a session alive.
	a = append(a, templ.KeyValue[string, any]{Key: "hx-headers", Value: `{"Session-Renew":"no"}`})
	a = append(a, templ.KeyValue[string, any]{Key: "data-live", Value: subject})
	if revision != "" {
		a = append(a, templ.KeyValue[string, any]{Key: "data-revision", Value: revision})
	}
	return a
}
