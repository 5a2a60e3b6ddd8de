package offers

import (
	"slices"
	"strconv"
)

// CompareColumn is one offer.
type CompareColumn struct {
	UUID   string
	Title  string // "10 years fixed, fee 2.99%"
	Note   string // out of range: "up to $120,000 only"
	InGrid bool   // its pin is in the grid; otherwise the pin is rendered here
	Pinned bool
	Chosen bool
}

// CompareTable is offers side by side, with their figures in groups: what leaves the account, what the offer costs in
// the end, and what stays open.
type CompareTable struct {
	Columns []CompareColumn // the chosen offer first
	Groups  []CompareGroup
	Same    []string // figures that are the same for all offers: "Loan amount $92,691"
}

// CompareGroup is the figures below one heading.
type CompareGroup struct {
	Name string
	Rows []CompareRow
}

// CompareRow is one figure of every offer.
type CompareRow struct {
	Label  string
	Main   bool // the figure that the offers are compared by
	Values []string
}

// Same reports whether two or more offers have the same figure.
func (r CompareRow) Same() bool {
	return len(r.Values) > 1 && !slices.ContainsFunc(r.Values, func(v string) bool { return v != r.Values[0] })
}

// class marks the column of the chosen offer.
func (c *CompareColumn) class() string {
	if c.Chosen {
		return "num chosen"
	}
	return "num"
}

func (c *CompareColumn) tag() string {
	if c.Chosen {
		return "Chosen"
	}
	return "Pinned"
}

// tableColumns is how many offers the table shows at its usual widths.
const tableColumns = 4

func (t CompareTable) pinned() int {
	n := 0
	for _, c := range t.Columns {
		if c.Pinned {
			n++
		}
	}
	return n
}

// pinCount is how many offers are pinned, and how many can be.
func (t CompareTable) pinCount() string { return strconv.Itoa(t.pinned()) + " of 4 pinned" }

// freeColumns is how many columns are free. One row has a cell for each, because HTML wants a cell to begin in every
// column.
func (t CompareTable) freeColumns() int { return max(0, tableColumns-len(t.Columns)) }

// free is freeColumns as the span of a cell; "" for none.
func (t CompareTable) free() string {
	if n := t.freeColumns(); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// pinMore says how the free columns are used.
func (t CompareTable) pinMore() string {
	if t.pinned() == 0 {
		return "Pin offers to compare them"
	}
	return "Pin another to compare"
}
