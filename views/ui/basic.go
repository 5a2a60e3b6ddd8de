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
	c := "btn"
	if a.Kind != "" {
		c += " " + a.Kind
	}
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
	var out templ.OrderedAttributes
	put := func(name, value string) {
		if value != "" {
			out = append(out, templ.KeyValue[string, any]{Key: name, Value: value})
		}
	}
	put("name", a.Name)
	if a.Name != "" {
		out = append(out, templ.KeyValue[string, any]{Key: "value", Value: a.Value})
	}
	put("form", a.Form)
	put("popovertarget", a.Popover)
	if a.NewTab {
		put("target", "_blank")
		put("rel", "noopener")
	}
	if a.SkipValidation {
		out = append(out, templ.KeyValue[string, any]{Key: "formnovalidate", Value: true})
	}
	if a.IconOnly {
		put("aria-label", a.Label)
	}
	if a.Busy {
		put("aria-busy", "true")
	}
	return append(out, a.Attrs...)
}

func (c ChipView) class() string {
	if c.Tone == "" {
		return "chip"
	}
	return "chip " + c.Tone
}
