// Package ui contains the components of every screen. A component is a pure function of its view model:
// strings, bools and slices, already formatted for display. No component knows the user; allowed actions
// arrive as data. The screens are in the area packages beside this one, one .templ each with its view model at the
// top; the packages under web fill the models in. A live screen has two components, the page and the part that is
// fetched again when a lead changes; the page calls the part, so both always look the same.
//
//	page.templ      layouts, inside and outside the CRM
//	basic.templ     icon, chip, button, notice, empty state
//	panel.templ     panel, fold, next-step card
//	nav.templ       tabs with counts, facts
//	table.templ     table header, pager, dash
//	field.templ     one control with label, hint and message
//	choice.templ    segments, radios, checkboxes
//	form.templ      error summary, consent, repeated rows
//	form_state.go   a form's values and errors; control_labels.go has the labels
//	progress.templ  money bar, progress lines, timeline
//	receipt.templ   receipt, dialog, menu
//	sending.templ   whether the lender responds, and buttons that send something to it
//	hx.go           the only place that writes htmx attributes
//
// URLs come from views/to, text from views/text.
package ui

import (
	"github.com/a-h/templ"

	"hearthline/views/text"
)

// StatusChip returns the chip of a lead's status.
func StatusChip(s text.Status) ChipView {
	return ChipView{Label: s.Chip, Icon: s.Icon, Tone: s.Tone}
}

func (a Action) class() string {
	c := text.JoinNonEmpty(" ", "btn", a.Kind)
	if a.FullWidth {
		c += " wide"
	}
	if a.IconOnly {
		c += " icon"
	}
	return c
}

func (a Action) kind() string {
	if a.NoSubmit || a.Popover != "" {
		return "button"
	}
	return "submit"
}

// attrs returns the attributes that only some actions have.
func (a Action) attrs() templ.OrderedAttributes {
	var out attributes
	out.put("name", a.Name)
	if a.Name != "" {
		out = append(out, templ.KeyValue[string, any]{Key: "value", Value: a.Value})
	}
	out.put("form", a.Form)
	out.put("popovertarget", a.Popover)
	if a.NewTab {
		out.put("target", "_blank")
		out.put("rel", "noopener")
	}
	out.set("formnovalidate", a.SkipValidation)
	if a.IconOnly {
		out.put("aria-label", a.Label)
	}
	if a.Busy {
		out.put("aria-busy", "true")
	}
	return append(templ.OrderedAttributes(out), a.Attrs...)
}

func (c ChipView) class() string { return text.JoinNonEmpty(" ", "chip", c.Tone) }

// Inbox is the live subject of parts that show notifications.
const Inbox = "inbox"

func (b BellView) label() string {
	if b.Unread == "" {
		return "Notifications, nothing unread"
	}
	return "Notifications, " + b.Unread + " unread"
}

// NavLink is a navigation link.
type NavLink struct {
	Label    string
	Href     string
	Icon     string // in menus only
	Count    string // "3" unread; "" for none
	Of       string // what Count counts, if it is updated live: "unassigned"
	CountURL string // from where it is updated
	Current  bool
}

// NavCountID is the id of a live count in the navigation, by which it is fetched alone. The menu of a narrow page has
// the same count with the suffix "-menu".
func NavCountID(of string) string { return "count-" + of }

func (c NextStepCardView) toneClass() string {
	switch c.Tone {
	case "yours":
		return "action"
	case "offers":
		return "action offers"
	default:
		return "action calm"
	}
}

func (t TabView) class() string {
	if t.Urgent {
		return "hot"
	}
	return ""
}

// Links adds the link to the first page, unless after is empty because this is it, and to the next page if there is
// one. The URL of a page is that of what it follows.
func (p *PagerView) Links(after, next string, url func(after string) string) {
	if after != "" {
		p.First = url("")
	}
	if next != "" {
		p.Next = url(next)
	}
}

// FactOrDash is one fact; an empty value becomes a dash.
func FactOrDash(label, value string) Fact { return Fact{Label: label, Value: text.OrDash(value)} }

// FactsOrDash pairs labels with values, in order; an empty value becomes a dash.
func FactsOrDash(pairs ...string) []Fact {
	out := make([]Fact, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, FactOrDash(pairs[i], pairs[i+1]))
	}
	return out
}

// KnownFacts is FactsOrDash without those whose value is empty.
func KnownFacts(pairs ...string) []Fact {
	var known []Fact
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			known = append(known, Fact{Label: pairs[i], Value: pairs[i+1]})
		}
	}
	return known
}

// ListSeparator returns the separator after an item of a sentence; after the last item, a period.
func ListSeparator(i, of int) string {
	if i == of-1 {
		return "."
	}
	return ", "
}

// CopyAttrs makes a button copy the text; it is hidden without JavaScript.
func CopyAttrs(words string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "data-copy", Value: words}, {Key: "data-needs-script", Value: true},
		{Key: "hidden", Value: true}}
}

// These IDs are shared by all pages: app.js writes messages into the first two, and fragments are retargeted
// to the third.
const (
	toastsID  = "toasts"
	messageID = "said"
	MainID    = "main"
)
