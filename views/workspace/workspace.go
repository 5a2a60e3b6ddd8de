// Package workspace contains the page around every tab of a lead: header, progress, tabs, notices and the rail. The
// tabs themselves are in views/lead and views/offers.
package workspace

import (
	"cmp"
	"context"
	"strconv"
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
			if n := strconv.Itoa(v.Counts.NewDocs); n == tab.Count && n != "0" {
				tab.Count += " new"
			} else if n != "0" {
				tab.Count += ", " + n + " new"
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

// newTab are the attributes of a link that opens outside the frame and gives the other site nothing of this page.
var newTab = templ.OrderedAttributes{{Key: "target", Value: "_blank"}, {Key: "rel", Value: "noopener noreferrer"}}

// headMenu lists the actions that the line does not show; on a phone these are all of them.
func (v *View) headMenu() []ui.Action {
	var items []ui.Action
	if v.Head.CanReassign {
		items = append(items, ui.Action{
			Label: "Reassign", Icon: "users", Href: v.Head.ReassignURL,
			Attrs: templ.OrderedAttributes{{Key: "class", Value: "only-narrow"}},
		})
	}
	if links := v.CRMRecords.Links; v.URLs.Base.Embedded() && len(links) > 0 {
		items = append(items, ui.Action{Label: "Open in the CRM", Icon: "external-link", Href: links[0].URL, Attrs: newTab})
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
	all := ui.LiveLead(ctx, address, v.URLs.App, v.Revision, v.LastVisit, v.ShownUntil)
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

// Unread reports that the lender's response could not be used, what is displayed instead, and the
// lender's message. Without a time, the lead was never read.
func Unread(asOf, message string) ui.Notice {
	n := ui.Notice{
		Icon: "clock", Title: "The lender’s last response for this lead couldn’t be read.",
		Text: "We keep checking. No details of this lead have been loaded yet.",
	}
	if asOf != "" {
		n.Text = "We keep checking. This page is as of " + asOf + "."
	}
	if message != "" {
		n.More = "The lender says: “" + message + "”"
	}
	return n
}

// Claimed returns what the lender's last response would remove from the lead. None of it is displayed elsewhere until
// the next response says the same.
func Claimed(claim string) ui.Notice {
	return ui.Notice{
		Icon: "clock", Title: claim,
		Text: "We’re asking again before we change anything. This page shows what we knew before.",
	}
}

// Unseen reports that the lender accepted an operation and that its records contradict it.
func Unseen(base to.Base, id, operation string) ui.Notice {
	v := text.UnseenOf(operation)
	return ui.Notice{
		Kind: v.Kind, Icon: v.Icon, Title: v.Title, Text: v.Text,
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
}

// LostDiscountsNotice reports which discounts, by the lender's own types, were sent with the selection but
// are not included in the selected offer, whose rate the lender reports.
func LostDiscountsNotice(types []string, rate string) ui.Notice {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = text.Name(t)
	}
	one, subject := "discount", "It was"
	if len(names) > 1 {
		one, subject = "discounts", "They were"
	}
	list := strings.Join(names, ", ")
	n := ui.Notice{
		Kind: "yours", Icon: "triangle-alert", Title: list + " " + one + " missing.",
		Text: subject + " sent with the selection, but not included in the selected offer",
	}
	if rate != "" {
		n.Text += " (rate " + rate + ")"
	}
	n.Text += ". Contact the lender, and tell the borrower."
	return n
}

// liveAttrs make other updates skip revealed data, and hide it in time.
func (r RevealedView) liveAttrs(ctx context.Context) templ.OrderedAttributes {
	if r.hasContent() {
		return ui.SkipMorph(ctx, "300")
	}
	return nil
}

// liveAttrs do the same for the panel. A form with errors stays until the user answers it.
func (b BorrowerPanelView) liveAttrs(ctx context.Context) templ.OrderedAttributes {
	if b.Error != "" || len(b.Form.FieldErrors) > 0 {
		return ui.SkipMorph(ctx, "")
	}
	return b.Revealed.liveAttrs(ctx)
}

// revealHx replaces only the panel with the revealed data.
func (v *View) revealHx(ctx context.Context, act string) templ.OrderedAttributes {
	return ui.Hx{Post: v.URLs.Action(act), Target: "#" + BorrowerPanelID, Swap: "outerHTML"}.Attrs(ctx)
}

// showActions show one field each. None of them logs a contact.
func (b BorrowerPanelView) showActions() []ui.Action {
	all := []ui.Action{
		{Label: "Show phone", Icon: "phone", Name: "contact.how", Value: "call"},
		{Label: "Show email", Icon: "mail", Name: "contact.how", Value: "email"},
	}
	if b.HasLink {
		all = append(all, ui.Action{Label: "Show link", Icon: "link", Name: "contact.how", Value: "link"})
	}
	return all
}

// loggedText says what the buttons of the panel log.
func (b BorrowerPanelView) loggedText() string {
	views := b.CanContact || b.CanReveal
	switch {
	case views && b.CanLog:
		return "Viewing and each contact are logged."
	case views:
		return "Viewing is logged."
	case b.CanLog:
		return "Each contact is logged."
	}
	return ""
}

// logActions log a contact that the user made, with or without the data on the page.
func (b BorrowerPanelView) logActions() []ui.Action {
	return []ui.Action{
		{Label: "I called", Icon: "phone", Name: "contact.how", Value: "call"},
		{Label: "I texted", Icon: "message-square-text", Name: "contact.how", Value: "text"},
		{Label: "I emailed", Icon: "mail", Name: "contact.how", Value: "email"},
	}
}

func (b BorrowerPanelView) reasonField() ui.Field {
	return b.Form.SelectField(ui.Field{Name: "reason"}, text.RevealReasons())
}
