// Package ui holds the parts that every screen is made of. A part is a pure
// function of its view model: strings, bools and slices, already in the words
// and formats that stand on the page. Nothing here knows who is looking; what
// may be done arrives as data.
//
//	page.templ     the frame of a page, inside and outside the CRM
//	basic.templ    icon, chip, button, note, empty state
//	panel.templ    panel, fold, next-step card
//	nav.templ      tabs with counts, facts
//	table.templ    table head, pager, dash
//	field.templ    one control with label, hint and message
//	choice.templ   segments, radios, checkboxes
//	form.templ     error summary, consent, repeated rows
//	figure.templ   money bar, life lines, timeline
//	receipt.templ  receipt, dialog, menu
//	hx.go          the only place that writes htmx attributes
//
// Addresses come from views/to, words from views/words.
package ui

// IDs that pages share: app.js speaks into these two, and a page's parts are
// retargeted to the third.
const (
	toastsID  = "toasts"
	messageID = "said"
	MainID    = "main"
)
