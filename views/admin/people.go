// Package admin contains the administration screens. Most are tables and forms inside one layout.
package admin

import "hearthline/views/ui"

// roleHint says what a new role does to the leads of an originator.
func (v PersonView) roleHint() string {
	hint := "An assistant sees only the leads of the originators that a manager of their company chooses."
	if v.Originator {
		hint = "If they become an assistant or administrator, their open leads become unassigned. " + hint
	}
	return hint
}

// reasonField is the reason in the form of an action. Only the form that is redisplayed has its error; the others get
// their own id, because ids are unique.
func (v PersonView) reasonField(act, hint string) ui.Field {
	f := ui.Field{Name: "reason", ID: "reason-" + act, Label: "Reason", Span: "c8", Max: "500", Autocomplete: "off",
		Hint: hint}
	if v.Posted == act {
		f.ID, f.Value, f.Error = "", v.Reason, v.Admin.Form.ErrorOf("reason")
	}
	return f
}

// blockLabel labels the checkbox that ends the current sign-in methods, which a request does only when it is approved.
func (v PersonView) blockLabel() string {
	if v.Privileged {
		return "When approved, also block all current sign-in methods"
	}
	return "Block all current sign-in methods now, for example because a phone or computer was stolen"
}

func (c Cell) cellClass() string {
	if c.Num {
		return "num tn"
	}
	return ""
}
