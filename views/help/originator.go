package help

import (
	"cmp"

	"hearthline/views/text"
	"hearthline/views/ui"
)

// The pages for originators. Texts that a lead displays come from views/text, so that they always agree.

func helpStart() []Section {
	lanes := Section{ID: "work", Title: "2. Find your work", Text: []string{
		"Leads opens on Today: every lead that needs you now, whichever lane it is in. " +
			"In every list, an amber edge means it’s your move. Each lead is in exactly one lane, and All shows " +
			"every lead.",
		"Today, emails and notifications list leads by what waiting would cost. Lost if it waits: inquiries, " +
			"freeze lifts and quote links that expire within three days, soonest first. Waiting for you: " +
			"overdue steps, then what the lender hasn’t confirmed, then shared quotes that were opened, then other steps by " +
			"due time. " +
			"Follow up: quiet borrowers, reminders, open conditions without a contact, leads assigned to you, and no offers.",
		"After you finish a step, select “Next in Today” on the lead or press the period key. " +
			"It skips leads that you opened within the last hour.",
	}}
	for _, l := range text.Lanes() {
		if l.Key != "all" {
			lanes.Terms = append(lanes.Terms, ui.Fact{Label: l.Label, Value: l.Hint})
		}
	}
	return []Section{
		{ID: "set-up", Title: "1. Set up your account", Steps: []string{
			"On the sign-in page, select “First time signing in?” and enter the email that the lender has on file for you. " +
				"If you received an invitation, open its link instead.",
			"Create a passkey, or choose a password and add an authenticator app.",
			"Save the recovery codes. Each works once if you don’t have your passkey or app.",
			"Under Account and sign-in, check your time zone. Dates and times on your pages use it.",
			"To see expirations, appointments and reminders in your calendar app, " +
				"select “Subscribe to calendar” above your upcoming dates.",
		}},
		lanes,
		{ID: "begin", Title: "3. Start an inquiry", Text: []string{
			"New inquiry is one page, in the order of a typical call. " +
				"It’s saved as a draft while you type, without the SSN and the consent.",
			"To start from your LOS, export a MISMO 3.4 file and choose it at the top of New inquiry, " +
				"or drop it on New inquiry or your list of leads. " +
				"A review shows what the file says beside what goes into a draft. " +
				"Choose the applicant and check the liens that this home secures; “Use these” creates the draft. " +
				"Nothing is sent, the file isn’t kept, and only you can see the review, for one hour. " +
				"Enter the SSN, if you have it, when you send the inquiry.",
			"Entering the ZIP fills in any blank city and state; change them if the ZIP covers more than one city. ZIP data: " +
				"GeoNames (geonames.org), CC BY 4.0.",
			"Make sure that the borrower has heard or read the lender’s disclosure, and record how they agreed. " +
				"The lender then makes a soft pull, which doesn’t affect the credit score. " +
				"A hard pull follows if the borrower applies.",
			"If you aren’t sure whether an inquiry was sent, open its receipt before you send it again.",
		}},
		{ID: "unblock", Title: "4. Respond to the lender", Text: []string{
			"When the lender needs something, the lead appears in Today. " +
				"Its next-step card shows what happened, what to tell the borrower, and only the fields that the lender needs.",
			"After you send them, the page updates automatically when the lender responds. " +
				"You can leave it and work on another lead.",
		}},
		{ID: "select", Title: "5. Select an offer", Text: []string{
			"Choose an offer with the borrower and select it. Selecting confirms that the borrower chose this offer and " +
				"amount. You can select a different offer until the inquiry becomes an application.",
			"To continue in your LOS, select “Export for your LOS” on the lead’s Documents tab. The MISMO 3.4 file has the " +
				"borrower, the property, its liens and the selected offer, but no SSN. It counts as viewing borrower details.",
		}},
		{ID: "hand", Title: "6. Follow up with the borrower", Text: []string{
			"After you select an offer, the borrower signs in with the lender through a private link and signs the broker " +
				"documents. Log each contact on the lead: your team sees it, " +
				"and it sets when the lead returns to Today for a follow-up.",
			"After the broker documents are signed, the inquiry is complete. " +
				"When it becomes an application, follow its disclosures, signing, rescission and funding on the lead.",
		}},
		{ID: "privacy", Title: "Borrower data", Text: []string{
			"Contact details and the birth date are hidden until you show them. " +
				"Each view is logged, and the lead’s originator and their manager can see it on the lead.",
			"The SSN is encrypted for the lender and not stored here. Don’t enter it in notes.",
		}},
	}
}

// blockedSteps lists what the originator does at each step that needs a response.
var blockedSteps = []struct{ key, action string }{
	{"choose-property", "Ask the borrower for the unit, as shown on the tax bill, and choose that property. " +
		"If it isn’t listed, copy the inquiry to a new one with the correct address."},
	{"ssn-needed", "Enter the borrower’s Social Security number and send it. " +
		"If the bureau still can’t find the borrower, confirm the number digit by digit."},
	{"credit-frozen", "Ask the borrower to lift the freeze at each bureau. Never ask for a password or PIN. " +
		"Record when the freeze is lifted, and re-pull credit an hour later, or schedule the re-pull."},
	{"still-frozen", "Tell the borrower that the freeze was still in place, and log the contact. " +
		"A lift can be missing at one bureau or start later. Record when it’s lifted, and re-pull credit an hour later, " +
		"or schedule the re-pull."},
	{"repull-due", "Read the disclosure again, record the consent, and re-pull credit."},
	{"verify-liens", "For each loan secured by the home, confirm the lender, the date it was opened, " +
		"the original amount and the current balance. Add missing loans. Enter 0 for a loan that was paid off."},
	{"more-assets", "Enter income or assets that the inquiry doesn’t include. You can also choose debts to pay off. " +
		"The borrower doesn’t have to disclose alimony, child support or separate maintenance."},
	{"payoff", "Choose the debts with the borrower. The list shows what each payoff improves, " +
		"and why some debts can’t be paid off."},
	{"property-value", "Enter the borrower’s estimate of what the home would sell for."},
	{"no-offers", "Correct the information by copying the inquiry to a new one, or close the lead. " +
		"Don’t say “denied” or give reasons: the lender will send any required notice."},
	{"chase-sign-in", "Send the borrower the private sign-in link with the prepared message, and log the contact."},
	{"chase-documents", "Remind the borrower to sign the broker documents, and log the contact."},
	{"refinance", "Review the lender’s proposal with the borrower, contact the lender, and note the answer."},
	{"other", "The next-step card shows the lender’s own name for the step. " +
		"Contact the lender, note the answer, and refresh the lead."},
}

func helpSteps() []Section {
	blocked := map[string]bool{}
	var all []Section
	for _, b := range blockedSteps {
		w := text.StatusOf(b.key, "")
		blocked[b.key] = true
		s := Section{ID: b.key, Title: w.Chip, Terms: []ui.Fact{{Label: "What happened", Value: w.Happened},
			{Label: "What to do", Value: b.action}}}
		if script := w.Script(text.English); script != "" {
			s.Terms = append(s.Terms, ui.Fact{Label: "What you can say", Value: "“" + script + "”"})
		}
		if w.Next != "" {
			s.Terms = append(s.Terms, ui.Fact{Label: "What’s next", Value: w.Next})
		}
		all = append(all, s)
	}
	rest := Section{ID: "steps", Title: "All other steps"}
	for _, key := range text.StatusKeys() {
		if w := text.StatusOf(key, ""); !blocked[key] {
			words := w.Happened
			if w.Next != "" {
				words += " Next: " + text.LowerFirst(w.Next)
			}
			rest.Terms = append(rest.Terms, ui.Fact{Label: w.Chip, Value: words})
		}
	}
	return append(all, rest)
}

func helpOffers() []Section {
	return []Section{
		{ID: "grid", Title: "The offer grid", Text: []string{
			"Rows are terms, and columns are origination fees. Each cell shows our estimate of the monthly payment and the " +
				"rate. Rates aren’t APRs. Hearthline doesn’t recommend an offer.",
			"Rate type, net draw, fee, discounts and payoffs are in the bar above the grid. " +
				"Choose an offer to see its loan amount, what it costs, the balance over time and what a variable rate costs if " +
				"prime rises. A higher fee lowers the rate; the break-even month is when the lower rate has paid for the " +
				"higher fee.",
			"A fixed offer has one payment. A variable offer usually has two: interest only while the line can be drawn, " +
				"and a higher payment afterward, which repays the whole loan over the remaining months. " +
				"Where the length of the draw period isn’t known, the grid says only that the payment rises, and shows no total.",
			"A discount that the lender hasn’t priced in is subtracted from the rate as our estimate, and the page says so.",
			"Pin up to four offers to compare them side by side.",
		}},
		{ID: "quote", Title: "Get a new quote", Text: []string{
			"Change the net draw, the discounts or the debts to pay off, and get a quote. The lender prices each quote; " +
				"nothing is selected.",
			"If the lender returns no offers for a combination, change it back or choose an earlier quote from the " +
				"quote history.",
		}},
		{ID: "share", Title: "Show it to the borrower", Text: []string{
			"The borrower’s page and the offer sheet (PDF) show the same information in English and in Spanish: " +
				"payments, rates, fees, the debts it pays off, your phone and NMLS ID, and that it is an estimate. " +
				"With a few pinned offers, they also show the balance over time. " +
				"They don’t show the borrower’s name, address or credit score. Pin up to four offers to show only those.",
			"Your administrator sets your company’s logo and color.",
		}},
		{ID: "share-link", Title: "Share a link", Text: []string{
			"Share link creates a link and a QR code to the same page, with the figures as they are at that moment. " +
				"It works for 1, 3, 7 or 14 days, and never after the lender’s inquiry has expired. Revoke it at any time. " +
				"After that, and after the lead has ended, the page shows only whom to call.",
			"The link follows the lead: after a reassignment, the new originator sees it, can revoke it, " +
				"and is the one whose name, phone and NMLS ID the page shows.",
			"You are notified when a link is opened for the first time, and the lead shows how often it was opened. " +
				"Known link previews and scanners aren’t counted. Hearthline can’t tell who opened a link.",
		}},
		{ID: "select", Title: "Select an offer", Steps: []string{
			"Enter the net draw and choose the offer.",
			"Read the sentence in the bar at the bottom. Selecting confirms that the borrower chose this offer and amount.",
			"Select the offer. The lender’s own payment then appears on the lead. " +
				"If it differs from our estimate, the lead shows the difference.",
			"To change it, select a different offer. After the inquiry becomes an application, contact the lender.",
		}},
	}
}

func helpReassign() []Section {
	return []Section{
		{ID: "one", Title: "Reassign a lead", Steps: []string{
			"Open the lead and select Reassign.",
			"Find the new originator by name or NMLS ID. If they aren’t listed, enter their full email to look it up with the " +
				"lender. Only originators at the lead’s broker company can receive it.",
			"Check the note on licenses. “No license on file” means that Hearthline doesn’t know; check with the originator. " +
				"An originator who isn’t licensed in the property’s state can’t receive the lead.",
			"Add a note, check the box, and reassign. The lead moves when the lender confirms the new originator.",
		}},
		{ID: "several", Title: "Reassign several leads", Text: []string{
			"Check up to 200 leads in the list and select Reassign. When all leads on the page are checked, " +
				"you can select all leads that match the filters, on all pages. " +
				"Managers can also select Reassign beside a person on the Team page.",
			"Choose one originator or several. Originators licensed in the leads’ states come first. " +
				"Leads are split evenly, by open leads or by license, and you can change the originator of each lead. " +
				"The list shows who would get which lead, and why others can’t be reassigned. Nothing is sent until you confirm.",
			"Each new originator who has an account gets one notification. " +
				"It opens a page with all of their leads and your note.",
			"Each lead has its own result and receipt. You can retry the leads that weren’t reassigned. " +
				"You can leave the page while it runs.",
		}},
		{ID: "along", Title: "What moves with a lead", Text: []string{
			"The new originator sees your note, the current step, the last contact, key dates, " +
				"and what was sent to the lender. Notes and everything scheduled for the lead move with it.",
			"Drafts aren’t leads. Transfer a draft under Drafts.",
		}},
		{ID: "undo", Title: "Undo", Text: []string{
			"You can undo all leads of a bulk reassignment for 15 minutes. " +
				"Leads that others have acted on since stay with the new originator and are listed.",
			"You can undo a reassignment for 15 minutes, from your list of leads or from the results of a bulk reassignment, " +
				"unless the lead has been reassigned again. After that, ask the new originator or your manager to reassign it.",
		}},
		{ID: "unassigned", Title: "When an originator leaves", Text: []string{
			"Their leads become unassigned, and managers are notified. Managers assign leads and drafts under Unassigned. " +
				"There they can also set assignment rules: leads are then assigned automatically, in turn, " +
				"to the people they chose. A lead’s activity and your notification say when a manager’s assignment rules " +
				"assigned it.",
		}},
	}
}

func helpReceipts() []Section {
	s := Section{ID: "receipts", Title: "What a receipt shows", Text: []string{
		"Every inquiry, quick estimate, response, offer selection, cancellation and reassignment has a receipt with a " +
			"number, the time and the result. Quotes are in the quote history. A lead’s receipts are on its Activity tab.",
	}}
	for _, state := range []string{"sent", "succeeded", "rejected", "not_sent", "unknown", text.MovedOn, "confirmed",
		"absent", "abandoned"} {
		v := text.VerdictOf(state)
		s.Terms = append(s.Terms, ui.Fact{Label: v.Label, Value: cmp.Or(v.Text, v.Title)})
	}
	return []Section{s, {ID: "lost", Title: "When a response is lost", Text: []string{
		"We never resend automatically. If the lender’s response is lost, the receipt says that it isn’t confirmed. " +
			"Don’t resend it before the receipt shows the result. " +
			"A quick estimate changes nothing, so we don’t check it, and you can request it again at any time.",
		"We look for a selected offer, a cancellation and a reassignment in the lender’s records. " +
			"For other responses on a lead, we can only see whether the lead moved to another step. " +
			"Ask the lender before you send it again.",
		"A new inquiry has no lead yet, so there are no records to check. Call the lender with the borrower’s name and the " +
			"time it was sent; both are on the receipt. Then paste the lender’s application ID on the receipt or, if the " +
			"lender didn’t receive the inquiry, mark it as not received. Until then it stays above your list of leads, and " +
			"above the list of a colleague who covers for you. " +
			"If the lender notifies us about it with our reference, it becomes a lead automatically.",
	}}}
}

// helpKeyboard describes the keys of every browser. The portal's own shortcuts precede them on the page.
func helpKeyboard() []Section {
	return []Section{{ID: "keys", Title: "Without shortcuts", Text: []string{
		"Every page works with these keys alone.",
	}, Terms: []ui.Fact{
		{Label: "Tab, Shift + Tab", Value: "Move to the next or previous link, button or field. " +
			"The first Tab on a page offers “Skip to content”."},
		{Label: "Enter", Value: "Open the focused link, or press the focused button."},
		{Label: "Space", Value: "Press the focused button, or check or uncheck a box."},
		{Label: "Esc", Value: "Close a menu or dialog."},
	}}}
}

func helpWords() []Section {
	s := Section{ID: "words", Title: "Words on a lead"}
	for _, term := range text.Glossary() {
		if term.Meaning != "" {
			s.Terms = append(s.Terms, ui.Fact{Label: term.Name, Value: term.Meaning})
		}
	}
	return []Section{s}
}
