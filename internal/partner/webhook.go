package partner

import (
	"maps"
	"slices"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/jwe"
)

// WebhookAppID finds the application that a webhook names (interface-live.md section 5). The
// body is plain JSON or encrypted for our Opener, of any shape that contains an
// application's id. Nothing else in it is trusted or returned: the caller reads the details.
// The error is fault.Invalid and contains nothing of the body. The caller must limit the
// body's length.
func (c *Client) WebhookAppID(webhook []byte) (heloc.AppID, error) {
	tree, err := c.parseBody(webhook, false)
	if jwe.LooksEncrypted(webhook) && c.cfg.Opener == nil {
		return "", fault.New(fault.Invalid, "The webhook is encrypted and there is no key to open it.")
	}
	if err != nil {
		return "", fault.Wrap(fault.Invalid, "The webhook is not readable.", err)
	}
	for level := []any{tree}; len(level) > 0; {
		var below []any
		for _, node := range level {
			if id := applicationID(node); id != "" {
				return id, nil
			}
			below = append(below, children(node)...)
		}
		level = below
	}
	return "", fault.New(fault.Invalid, "The webhook names no application.")
}

// applicationID is an object's own application id, under any of its known names.
func applicationID(node any) heloc.AppID {
	members, _ := node.(object)
	for _, name := range []string{"applicationUuid", "appUuid", "applicationId", "appId"} {
		for member, value := range members {
			if !strings.EqualFold(strings.ReplaceAll(member, "_", ""), name) {
				continue
			}
			if id, err := heloc.ParseAppID(textOf(value)); err == nil {
				return id
			}
		}
	}
	return ""
}

func children(node any) []any {
	switch node := node.(type) {
	case []any:
		return node
	case object:
		made := make([]any, 0, len(node))
		for _, name := range slices.Sorted(maps.Keys(node)) { // sorted, so that the same body always gives the same id
			made = append(made, node[name])
		}
		return made
	default:
		return nil
	}
}
