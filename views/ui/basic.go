package ui

import (
	"github.com/a-h/templ"

	"hearthline/views/text"
)

// StatusChip returns the chip of a lead's status.
func StatusChip(s text.Status) ChipView {
	return ChipView{Label: s.Chip, Icon: s.Icon, Tone: s.Tone}
}

func (a Action) class() string {
	c := text.JoinNonEmpty(" ", "btn", a.Kind)
	if a.FullWidth {
		c += " wide"
	}
	if a.IconOnly {
		c += " icon"
	}
	return c
}

func (a Action) kind() string {
	if a.NoSubmit || a.Popover != "" {
		return "button"
	}
	return "submit"
}

// attrs returns the attributes that only some actions have.
func (a Action) attrs() templ.OrderedAttributes {
	var out attributes
	out.put("name", a.Name)
	if a.Name != "" {
		out = append(out, templ.KeyValue[string, any]{Key: "value", Value: a.Value})
	}
	out.put("form", a.Form)
	out.put("popovertarget", a.Popover)
	if a.NewTab {
		out.put("target", "_blank")
		out.put("rel", "noopener")
	}
	out.set("formnovalidate", a.SkipValidation)
	if a.IconOnly {
		out.put("aria-label", a.Label)
	}
	if a.Busy {
		out.put("aria-busy", "true")
	}
	return append(templ.OrderedAttributes(out), a.Attrs...)
}

func (c ChipView) class() string { return text.JoinNonEmpty(" ", "chip", c.Tone) }
