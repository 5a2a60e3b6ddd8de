package views

func (c Cell) cellClass() string {
	if c.Num {
		return "num tn"
	}
	return ""
}
