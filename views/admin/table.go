// Package admin contains the administration screens. Most are tables and forms inside one layout.
package admin

func (c Cell) cellClass() string {
	if c.Num {
		return "num tn"
	}
	return ""
}
