package intake

import (
	"context"

	"github.com/a-h/templ"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// licenseHx checks the state whenever the address changes; only the state is sent.
func licenseHx(ctx context.Context, base to.Base) templ.OrderedAttributes {
	return ui.Hx{Get: base.StateLicense(), Trigger: "change", Target: "#license",
		Include: `[name="property.address.state"]`}.Attrs(ctx)
}
