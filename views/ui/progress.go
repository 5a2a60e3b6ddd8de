package ui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/a-h/templ"
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

// lenderDownNotice reports that the lender does not respond, and since when: "10:31 AM".
func lenderDownNotice(since string) Notice {
	return Notice{
		Kind: "fail", Icon: "cloud-off", Title: "The lender has been unreachable since " + since + ". Sending is paused.",
		Text: "You can still view leads and save drafts and notes. You can send again when the lender responds.",
	}
}

// blockedLabel replaces the label of a button while an earlier request may have arrived.
const blockedLabel = "Waiting for confirmation"

// SendAction is the button that submits the form to the lender. While an earlier request blocks the form, it is
// disabled, because the page then says not to send it again.
func (f Form) SendAction(a Action) Action {
	if f.Blocked {
		a.Label, a.Disabled = blockedLabel, true
	}
	return a
}

// sending marks a button for app.js and disables it while sending is paused. A button that is disabled for another
// reason stays as it is.
func (a Action) sending(ctx context.Context) Action {
	if a.Disabled {
		return a
	}
	a.Attrs = append(append(templ.OrderedAttributes{}, a.Attrs...),
		templ.KeyValue[string, any]{Key: "data-sends", Value: a.Label})
	if sendingPaused(ctx) {
		a.Label, a.Disabled = sendingPausedLabel, true
	}
	return a
}
