package ui

func (c NextStepCardView) toneClass() string {
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
	if t.Urgent {
		return "hot"
	}
	return ""
}
