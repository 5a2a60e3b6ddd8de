// Package workspace contains the page around every tab of a lead: header, progress, tabs, notices and the rail. The
// tabs themselves are in views/lead and views/offers.
package workspace

import (
	"cmp"
	"context"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

func (v *View) tabs() []ui.TabView {
	out := make([]ui.TabView, 0, len(to.Tabs()))
	for _, t := range to.Tabs() {
		tab := ui.TabView{Label: text.LeadTab(string(t)), Href: v.URLs.Tab(t), Current: t == v.Tab}
		switch t {
		case to.Offers:
			tab.Count = v.Counts.Offers
		case to.Documents:
			tab.Count = v.Counts.Documents
			if v.Counts.NewDocs {
				tab.Count += " · new"
			}
		case to.Funding:
			tab.Count = v.Counts.Conditions
		}
		out = append(out, tab)
	}
	return out
}

func (h Head) name() string {
	if h.Name == "" {
		return "Name not known"
	}
	return h.Name
}

// headMenu lists the actions that the line does not show; on a phone these are all of them.
func (v *View) headMenu() []ui.Action {
	var items []ui.Action
	if v.Head.CanReassign {
		items = append(items, ui.Action{
			Label: "Reassign", Icon: "users", Href: v.Head.ReassignURL,
			Attrs: templ.OrderedAttributes{{Key: "class", Value: "only-narrow"}},
		})
	}
	if v.Cancel.Can && !v.Cancel.Redisplayed {
		items = append(items, ui.Action{Label: "Cancel inquiry…", Icon: "x", Popover: "cancel"})
	}
	return items
}

func (c CancelView) text() string {
	return sentence(c.Who) + "This permanently closes the inquiry with the lender. " +
		"To continue later, start a new inquiry with a new consent."
}

// sentence ends a text that precedes another; an empty text stays empty.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return s + ". "
}

// SelectionControls selects the controls that a request about the offers includes, so that the response has the
// same offer, pins, discounts and payoffs.
const SelectionControls = `#offers .cell :checked, #offers [name="pin"], [name="offer.selectedDiscounts"], ` +
	`[name="offer.selectedAccountsToPayoff"], [name="plan"]`

// live is ui.LiveLead. While offers are displayed, the update requests the same draw and offer; otherwise the
// payments would not match the displayed amount.
func (v *View) live(ctx context.Context) templ.OrderedAttributes {
	address := cmp.Or(v.UpdateURL, v.URLs.Tab(v.Tab))
	all := ui.LiveLead(ctx, address, v.URLs.App, v.Revision, v.LastVisit)
	if !v.KeepsOffers {
		return all
	}
	attrs := ui.Hx{Get: address, Trigger: "live", Include: "#quote, " + SelectionControls}.Attrs(ctx)
	for _, a := range all {
		// This header marks a request without user activity; it must be preserved here.
		if strings.HasPrefix(a.Key, "data-") || a.Key == "hx-headers" {
			attrs = append(attrs, a)
		}
	}
	return attrs
}
