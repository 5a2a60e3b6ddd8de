package lead

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/ui"
)

// liveAttrs make page updates skip the displayed link, and hide the link after five minutes.
func (v *HandoffView) liveAttrs(ctx context.Context) templ.OrderedAttributes {
	if v.Send == nil {
		return nil
	}
	return ui.SkipMorph(ctx, "300")
}

// linkKind makes showing the link the primary action while it is the user's move and the page asks nothing else.
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
