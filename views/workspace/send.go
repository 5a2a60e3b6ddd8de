package workspace

import "hearthline/views/text"

func (t Tick) icon() string {
	switch t.State {
	case "ok":
		return "circle-check"
	case "now":
		return "circle-dot"
	default:
		return "circle-dashed"
	}
}

func (m MessageView) inLanguage() string { return "in " + text.ParseLang(m.Lang).Name() }
