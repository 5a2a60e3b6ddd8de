package views

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// attrs let other updates pass by what stands open, and have it hidden in time. What was
// refused stays until it is answered.
func (b BorrowerView) attrs(ctx context.Context) templ.OrderedAttributes {
	switch {
	case b.Open.open():
		return ui.Passing(ctx, "300")
	case b.Refused != "" || len(b.Form.Wrong) > 0:
		return ui.Passing(ctx, "")
	default:
		return nil
	}
}

// lookHx puts the answer of a look into the panel and nowhere else.
func (v WorkspaceView) lookHx(ctx context.Context, act string) templ.OrderedAttributes {
	return ui.Hx{Post: v.Page.Base.LeadAct(v.App, act), Target: "#" + BorrowerPartID, Swap: "outerHTML"}.Attrs(ctx)
}

func (b BorrowerView) reach() []ui.Action {
	all := []ui.Action{
		{Label: "Call", Icon: "phone", Name: "contact.how", Value: "call"},
		{Label: "Text", Icon: "message-square-text", Name: "contact.how", Value: "text"},
		{Label: "E-mail", Icon: "mail", Name: "contact.how", Value: "email"},
	}
	if b.Link {
		all = append(all, ui.Action{Label: "Copy link", Icon: "link", Name: "contact.how", Value: "link"})
	}
	return all
}

func (b BorrowerView) reason() ui.Field {
	return b.Form.choice(ui.Field{Name: "reason"}, words.RevealReasons())
}

func copying(text string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "data-copy", Value: text}, {Key: "data-needs-script", Value: true}, {Key: "hidden", Value: true}}
}
