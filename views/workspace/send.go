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

// kind makes the answer the primary action unless the page has those that send.
func (v AskView) kind() string {
	if v.LinkShown {
		return ""
	}
	return "pri"
}

func (m MessageView) inLanguage() string { return "in " + text.ParseLang(m.Lang).Name() }
