package views

func (c Cell) class() string {
	if c.Num {
		return "num tn"
	}
	return ""
}
