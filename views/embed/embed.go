// Package embed contains the screens of the portal inside a CRM's frame: launching, connecting an account, and the
// record's lead.
package embed

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// pollHx asks every few seconds whether the user has confirmed. It runs without user activity, so it does not
// extend the session.
func (v HomeView) pollHx(ctx context.Context) templ.OrderedAttributes {
	a := ui.Hx{Post: v.Page.Base.StepUpStatus(), Trigger: "submit, every 3s", Swap: "none"}.Attrs(ctx)
	return append(a, templ.KeyValue[string, any]{Key: "hx-headers", Value: `{"Session-Renew":"no"}`})
}

// waitHx asks every few seconds whether the user has connected, and then continues.
func (v LaunchView) waitHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{Post: to.EmbedStart(v.Client), Trigger: "every 3s", Target: "body", Swap: "innerHTML"}.Attrs(ctx)
}

func (v ConnectView) title() string {
	if v.AlreadyConnected {
		return "Confirm it’s you"
	}
	return "Connect " + v.CRM
}

func (v ConnectView) button() string {
	if v.AlreadyConnected {
		return "Confirm it’s me"
	}
	return "Connect to my account"
}
