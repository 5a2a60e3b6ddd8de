package lead

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/ui"
)

// liveAttrs make updates of the page skip the displayed link, and hide it in time.
func (v *HandoffView) liveAttrs(ctx context.Context) templ.OrderedAttributes {
	if v.Send == nil {
		return nil
	}
	return ui.SkipMorph(ctx, "300")
}

// linkKind makes showing the link the primary action while it is the user's move and nothing is being asked.
func (v *HandoffView) linkKind() string {
	if v.YourMove && v.Asks == "" {
		return "pri"
	}
	return ""
}

func (v *HandoffView) logLabel() string {
	if v.Asks != "" {
		return "Log another contact"
	}
	return "Log a contact"
}
