// Package help contains the help pages and the sample files that they show.
package help

import (
	"slices"
	"strings"

	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// pages lists the pages in order: URL segment, name, and contents.
var pages = []struct {
	key, title string
	sections   func(base to.Base) []Section
}{
	{"start", "A lead from start to hand-over", sameForAllBases(helpStart)},
	{"steps", "What each step means", sameForAllBases(helpSteps)},
	{"receipts", "Receipts, and what is not known", sameForAllBases(helpReceipts)},
	{"words", "Words", sameForAllBases(helpWords)},
	{"crm", "Inside a CRM, for its administrators", helpCRM},
	{"crm-custom", "A CRM of your own", helpCRMCustom},
	{"crm-salesforce", "Salesforce", helpCRMSalesforce},
	{"crm-hubspot", "HubSpot", helpCRMHubSpot},
	{"crm-dynamics", "Dynamics and Power Apps", helpCRMDynamics},
}

// Pages returns the links between the pages. Pages about one kind of CRM are included only if the current
// page is about CRMs.
func Pages(base to.Base, current string) []ui.NavLink {
	var out []ui.NavLink
	for _, p := range pages {
		if strings.HasPrefix(p.key, "crm-") && !strings.HasPrefix(current, "crm") {
			continue
		}
		out = append(out, ui.NavLink{Label: p.title, Href: base.Help(p.key), Current: p.key == current})
	}
	return out
}

// Page returns the page with this key, or false if there is none. The caller fills Page.
func Page(base to.Base, key string) (View, bool) {
	for _, p := range pages {
		if p.key == key {
			return View{Title: p.title, Pages: Pages(base, key), Sections: p.sections(base)}, true
		}
	}
	return View{}, false
}

// PublicPages returns the keys of the pages for readers without an account: CRM administrators.
func PublicPages() []string {
	var keys []string
	for _, p := range pages {
		if strings.HasPrefix(p.key, "crm") {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// Public returns a public page without the links to pages that require signing in.
func (v View) Public() View {
	v.Pages = slices.DeleteFunc(v.Pages, func(l ui.NavLink) bool {
		return !slices.ContainsFunc(PublicPages(), func(key string) bool { return l.Href == to.Full.Help(key) })
	})
	return v
}

// sameForAllBases adapts a page that does not depend on the base.
func sameForAllBases(sections func() []Section) func(to.Base) []Section {
	return func(to.Base) []Section { return sections() }
}

func helpStart() []Section {
	return []Section{
		{ID: "begin", Title: "Begin", Text: []string{
			"New inquiry is one page in the order of a call. What you type is kept as a draft after each pause; the SSN and the consent never are.",
			"Read the consent text aloud and say how the borrower agreed. The lender then makes a soft inquiry, which does not touch the score. A hard inquiry follows only if the borrower applies.",
		}},
		{ID: "unblock", Title: "When the lender asks for something", Text: []string{
			"The lead comes to Today. Its card says what happened, what you may say to the borrower, and asks only for what the lender needs.",
			"After you have sent it, the lender answers by itself, mostly within a minute. The page changes when the answer is there.",
		}},
		{ID: "choose", Title: "Offers", Text: []string{
			"Rows are terms, columns are fees, and each cell is our estimate of the payment with the rate under it. Nothing is marked for the borrower.",
			"When the borrower has chosen, tick the box and select the offer. It can be changed until the lender makes an application of the inquiry.",
		}},
		{ID: "hand", Title: "The borrower takes over", Text: []string{
			"The borrower signs in with the lender by their own link, then signs the broker documents. Remind them from the lead; each reminder you note moves the next one.",
		}},
	}
}

// helpSteps takes its text from the next-step cards, so they always agree.
func helpSteps() []Section {
	s := Section{ID: "steps", Title: "Steps"}
	for _, key := range words.StatusKeys() {
		w := words.StatusOf(key, "")
		s.Terms = append(s.Terms, ui.Fact{Label: w.Chip, Value: w.Happened + " " + w.Next})
	}
	return []Section{s}
}

func helpReceipts() []Section {
	s := Section{ID: "receipts", Title: "Receipts", Text: []string{
		"Everything you send to the lender has a receipt. Nothing is ever sent a second time by itself.",
		"When the answer was lost, the receipt says so. Do not send it again: the portal looks at the lender’s details for what became of it. A new inquiry, a selection, a cancellation and a change of originator show there. Of anything else it can only say whether the lead has moved on.",
	}}
	for _, state := range []string{"prepared", "sent", "succeeded", "rejected", "not_sent", "unknown", words.MovedOn, "confirmed", "absent", "abandoned"} {
		v := words.VerdictOf(state)
		s.Terms = append(s.Terms, ui.Fact{Label: v.Label, Value: v.Title + " " + v.Text})
	}
	return []Section{s}
}

func helpWords() []Section {
	return []Section{{ID: "words", Title: "Words", Terms: []ui.Fact{
		{Label: "Lead", Value: "A borrower’s inquiry or application; what is handed over."},
		{Label: "Inquiry", Value: "The stage before an application, with a soft inquiry only."},
		{Label: "Application", Value: "What the lender makes of an inquiry. It cannot be cancelled here."},
		{Label: "Net draw", Value: "What the borrower takes at closing, the fee not counted."},
		{Label: "Loan amount", Value: "To the borrower, plus what is paid off, plus the fee."},
		{Label: "CLTV", Value: "The liens and this line, as a share of the home’s value."},
		{Label: "DTI", Value: "What is owed each month, as a share of gross monthly income."},
		{Label: "Cancelled", Value: "A person ended the inquiry."},
		{Label: "Withdrawn", Value: "The lender’s system ended it; no person decided."},
		{Label: "Declined", Value: "The lender decided against it, and writes to the borrower."},
		{Label: "Expired", Value: "Its time ran out."},
		{Label: "No offers", Value: "There are none for what was sent. That is no denial."},
	}}}
}
