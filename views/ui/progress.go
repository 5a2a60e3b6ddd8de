package ui

import (
	"fmt"
	"strconv"
	"strings"
)

// BarAmount is a part of a money bar in cents.
type BarAmount struct {
	Class string // p1, p2, p3
	Cents int64
}

// NewMoneyBar places the parts side by side. It omits parts of zero; an empty bar has a view box of one, so
// that it is still valid.
func NewMoneyBar(label string, parts ...BarAmount) MoneyBarView {
	bar := MoneyBarView{Label: label}
	var at int64
	var cuts strings.Builder
	for _, p := range parts {
		if p.Cents <= 0 {
			continue
		}
		if at > 0 {
			fmt.Fprintf(&cuts, "M%s 0V10", dollars(at))
		}
		bar.Parts = append(bar.Parts, BarPart{Class: p.Class, X: dollars(at), Width: dollars(p.Cents)})
		at += p.Cents
	}
	bar.Gaps = cuts.String()
	bar.Total = dollars(max(at, 100))
	return bar
}

// dollars formats cents as an SVG number: a decimal point, no grouping.
func dollars(cents int64) string {
	if cents%100 == 0 {
		return strconv.FormatInt(cents/100, 10)
	}
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

func (s Stage) isCurrent() bool { return s.State == "now" || s.State == "offers" || s.State == "wait" }

func (s Stage) class() string {
	if s.isCurrent() && s.State != "now" {
		return "now " + s.State
	}
	return s.State
}

func (s Stage) icon() string {
	if s.State == "done" {
		return "check"
	}
	if s.isCurrent() {
		return s.Icon
	}
	return ""
}

func (s ReceiptStep) class() string {
	if s.Done {
		return ""
	}
	return "open"
}

func (s ReceiptStep) icon() string {
	switch {
	case s.Failed:
		return "octagon-alert"
	case s.Done:
		return "circle-check"
	default:
		return "circle-dashed"
	}
}
