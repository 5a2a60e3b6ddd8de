package workspace

import (
	"cmp"
	"slices"
	"strings"

	"hearthline/views/text"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
)

// presentUnsent maps a form that was not accepted and that the page does not contain: a local form without a place for
// its error, or the form of an operation that the lead no longer asks for. What was typed in the latter would
// otherwise be lost.
func presentUnsent(d *Data) view.UnsentView {
	if d.Submitted == nil || d.Submitted.Form.FormError == "" {
		return view.UnsentView{}
	}
	f := d.Submitted.Form.View("")
	if !slices.Contains(text.Operations(), d.Submitted.Action) {
		if d.Submitted.Action == "set-aside" || d.Submitted.Form.Values.Has("thaw.liftedAt") {
			return view.UnsentView{} // these show it themselves
		}
		return view.UnsentView{Notice: ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not saved.", Text: f.FormError,
			Role: "alert"}}
	}
	if d.redisplayed {
		return view.UnsentView{}
	}
	u := view.UnsentView{
		Notice: ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: text.OperationOf(d.Submitted.Action).Subject + ": " +
			text.LowerFirst(cmp.Or(f.ErrorTitle, ui.NotSent)), Text: f.FormError, Role: "alert"},
	}
	for _, typed := range f.Values {
		if !typed.IsUserInput() || isChoiceByID(typed.Name) {
			continue
		}
		u.Typed = append(u.Typed, ui.Fact{Label: ui.LabelOf(typed.Name), Value: unsentValue(typed.Value)})
	}
	return u
}

// isChoiceByID reports whether a control says nothing to the user without its form: a confirmation, a previous value,
// or the lender's id of a choice.
func isChoiceByID(name string) bool {
	return strings.HasPrefix(name, "confirm.") || strings.HasPrefix(name, "consent.") || strings.HasPrefix(name, "was.") ||
		strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "selectedAccountsToPayoff")
}

// unsentValue formats what a control was submitted with: text as it was typed, a choice in words.
func unsentValue(value string) string {
	switch {
	case value == "true":
		return "Yes"
	case value == "false":
		return "No"
	case value == strings.ToUpper(value) && strings.Contains(value, "_"):
		return text.Name(value)
	default:
		return value
	}
}
