package workspace

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/text"
	"hearthline/views/ui"
)

// liveAttrs make other updates skip revealed data, and hide it in time.
func (r RevealedView) liveAttrs(ctx context.Context) templ.OrderedAttributes {
	if r.hasContent() {
		return ui.SkipMorph(ctx, "300")
	}
	return nil
}

// liveAttrs do the same for the panel. A form with errors stays until the user answers it.
func (b BorrowerPanelView) liveAttrs(ctx context.Context) templ.OrderedAttributes {
	if b.Error != "" || len(b.Form.FieldErrors) > 0 {
		return ui.SkipMorph(ctx, "")
	}
	return b.Revealed.liveAttrs(ctx)
}

// revealHx replaces only the panel with the revealed data.
func (v *View) revealHx(ctx context.Context, act string) templ.OrderedAttributes {
	return ui.Hx{Post: v.URLs.Action(act), Target: "#" + BorrowerPanelID, Swap: "outerHTML"}.Attrs(ctx)
}

// showActions show one field each. None of them logs a contact.
func (b BorrowerPanelView) showActions() []ui.Action {
	all := []ui.Action{
		{Label: "Show phone", Icon: "phone", Name: "contact.how", Value: "call"},
		{Label: "Show email", Icon: "mail", Name: "contact.how", Value: "email"},
	}
	if b.HasLink {
		all = append(all, ui.Action{Label: "Show link", Icon: "link", Name: "contact.how", Value: "link"})
	}
	return all
}

// loggedText says what the buttons of the panel log.
func (b BorrowerPanelView) loggedText() string {
	views := b.CanContact || b.CanReveal
	switch {
	case views && b.CanLog:
		return "Viewing and each contact are logged."
	case views:
		return "Viewing is logged."
	case b.CanLog:
		return "Each contact is logged."
	}
	return ""
}

// logActions log a contact that the user made, with or without the data on the page.
func (b BorrowerPanelView) logActions() []ui.Action {
	return []ui.Action{
		{Label: "I called", Icon: "phone", Name: "contact.how", Value: "call"},
		{Label: "I texted", Icon: "message-square-text", Name: "contact.how", Value: "text"},
		{Label: "I emailed", Icon: "mail", Name: "contact.how", Value: "email"},
	}
}

func (b BorrowerPanelView) reasonField() ui.Field {
	return b.Form.SelectField(ui.Field{Name: "reason"}, text.RevealReasons())
}
