package views

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/ui"
)

// pollHx asks every few seconds whether the person has confirmed. Nobody presses anything,
// so it keeps no session alive.
func (v EmbedHomeView) pollHx(ctx context.Context) templ.OrderedAttributes {
	a := ui.Hx{Post: v.Page.Base.StepUpStatus(), Trigger: "submit, every 3s", Swap: "none"}.Attrs(ctx)
	return append(a, templ.KeyValue[string, any]{Key: "hx-headers", Value: `{"Session-Renew":"no"}`})
}

// statusToken is what the page around the frame is told of when it changes: the same as on the
// lead's own page, and empty while there is no lead.
func (v EmbedHomeView) statusToken() string {
	if v.Lead.App == "" {
		return ""
	}
	return StatusToken(v.Lead.App, v.Lead.Chip)
}

// StatusToken is where a record's lead stands, told in a word that changes when it does.
func StatusToken(app string, chip ui.ChipView) string { return app + " " + chip.Label }

func (v ConnectView) title() string {
	if v.AlreadyConnected {
		return "Confirm it is you"
	}
	return "Connect " + v.CRM
}

func (v ConnectView) button() string {
	if v.AlreadyConnected {
		return "Confirm it is me"
	}
	return "Connect it to my account"
}
