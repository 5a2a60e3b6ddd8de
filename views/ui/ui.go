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

// These IDs are shared by all pages: app.js writes messages into the first two, and fragments are retargeted
// to the third.
const (
	toastsID  = "toasts"
	messageID = "said"
	MainID    = "main"
)
