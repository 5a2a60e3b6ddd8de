package ui

func (c CardView) edge() string {
	switch c.Tone {
	case "yours":
		return "action"
	case "offers":
		return "action offers"
	default:
		return "action calm"
	}
}

func (t TabView) class() string {
	if t.Hot {
		return "hot"
	}
	return ""
}
