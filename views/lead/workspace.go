// Package lead contains the screens of one lead: its workspace with a tab for each subject, receipts, and the page that
// is shown to the borrower.
package lead

import (
	"hearthline/views/to"
	"hearthline/views/ui"
)

var tabNames = map[to.Tab]string{
	to.Overview: "Overview", to.Offers: "Offers", to.Property: "Property and liens", to.Underwriting: "Underwriting",
	to.Documents: "Documents", to.Funding: "Funding", to.History: "History", to.Activity: "Activity",
}

func (v WorkspaceView) tabs() []ui.TabView {
	out := make([]ui.TabView, 0, len(tabNames))
	for _, t := range to.Tabs() {
		tab := ui.TabView{Label: tabNames[t], Href: v.Page.Base.LeadTab(v.App, t), Current: t == v.Tab}
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

func (h LeadHead) name() string {
	if h.Name == "" {
		return "Name not known"
	}
	return h.Name
}

func (s SummaryView) title() string {
	if s.Title == "" {
		return "Summary"
	}
	return s.Title
}

func (c CancelView) text() string {
	return sentence(c.Who) + "The lender closes it for good. To go on later you start a new one, with a new consent."
}

// sentence ends a text that precedes another; an empty text stays empty.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return s + ". "
}

// whoCan reports who may act if this user may not.
func (v WorkspaceView) whoCan() string {
	switch {
	case v.Step.WhoCan != "":
		return v.Step.WhoCan
	case v.Head.Owner != "":
		return "You can follow this lead. " + v.Head.Owner + " can answer the lender."
	default:
		return "You can follow this lead. Only its originator can answer the lender."
	}
}
