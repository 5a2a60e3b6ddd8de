// Package gallery shows every shared component in every state, for developers. Only the demo has this page.
package gallery

import (
	"hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// Samples for the gallery: one of each, for the component page.

// Chips returns a chip for every status.
func Chips() []ui.ChipView {
	var out []ui.ChipView
	for _, key := range text.StatusKeys() {
		s := text.StatusOf(key, "")
		out = append(out, ui.StatusChip(s))
	}
	unknown := text.StatusOf("other", "REVIEW_TITLE_TERMS")
	return append(out, ui.StatusChip(unknown))
}

func sampleRow(app, name, cityState, key string, set func(*page.LeadRow)) page.LeadRow {
	s := text.StatusOf(key, "")
	r := page.LeadRow{App: app, Revision: "1", Href: "#" + app, Name: name, ShortID: "1-26324-0" + app,
		CityState: cityState,
		Chip:      ui.StatusChip(s), Owner: "Olivia Bennett"}
	set(&r)
	return r
}

// Rows returns six leads in the possible states of a row.
func Rows() []page.LeadRow {
	return []page.LeadRow{
		sampleRow("19", "Shelby Okonkwo", "Savannah, GA", "choose-property", func(r *page.LeadRow) {
			r.Mover, r.Timing, r.YourMove, r.Overdue = "you", text.FixedText("due 38 min ago"), true, true
		}),
		sampleRow("06", "Graham Pettibone", "Portsmouth, NH", "no-offers", func(r *page.LeadRow) {
			r.Mover, r.Timing, r.YourMove, r.Overdue, r.Owner, r.OwnerNote = "you", text.FixedText("due Thu"), true, true,
				"Marcus Reyes", "covered by you"
			r.Contact, r.ContactHow = "Mon 9:30 AM", "call"
		}),
		sampleRow("21", "Priya Raghunathan", "Boise, ID", "verify-liens", func(r *page.LeadRow) {
			r.Mover, r.Timing, r.YourMove, r.Contact, r.ContactHow = "you", text.FixedText("11 min (usually about 5 min)"), true,
				"Today 9:20 AM", "call"
		}),
		sampleRow("18", "Elaine Toland", "Burlington, VT", "offers", func(r *page.LeadRow) {
			r.Mover, r.Timing, r.YourMove, r.AmountLabel, r.Amount = "you", text.FixedText("due by 5:15 PM"), true,
				"Up to", "$220,000"
		}),
		sampleRow("22", "Tomasz Wieczorek", "Chicago, IL", "in-progress", func(r *page.LeadRow) {
			r.Mover, r.Timing = "lender", text.FixedText("40 sec (usually about 50 sec)")
		}),
		sampleRow("04", "Lucía Ferrer-Ortiz", "Santa Fe, NM", "rescission", func(r *page.LeadRow) {
			r.Timing, r.AmountLabel, r.Amount = text.FixedText("ends Tue, Nov 24"), "Selected", "$205,000"
		}),
	}
}

var sampleNotices = []ui.Notice{
	{Icon: "clock", Title: "Lender updates are delayed.", Text: "You’re seeing data as of 10:36 AM.",
		Actions: []ui.Action{{Label: "Refresh", Icon: "refresh-cw", NoSubmit: true}}},
	{Kind: "fail", Icon: "cloud-off", Title: "The lender has been unreachable since 10:31 AM. Sending is paused.",
		Text: "You can still view leads and save drafts and notes. You can send again when the lender responds."},
	{Kind: "yours", Icon: "fingerprint", Title: "Confirm it’s you.", Text: "A confirmation lasts one hour.",
		Actions: []ui.Action{{Label: "Confirm", Kind: "pri", NoSubmit: true}}},
	{Kind: "yours", Icon: "triangle-alert", Title: "Still no match", Text: "after the SSN you sent at 10:44 AM.",
		More: "Second attempt: confirm the number digit by digit."},
	{Icon: "hourglass", Title: "Nothing has changed yet.", More: "Sent 2 minutes ago (usually about 50 sec)."},
}

var sampleProgress = ui.ProgressView{Position: "Inquiry step 2 of 5",
	Inquiry: []ui.Stage{
		{Label: "Inquiry", Sub: "Today 9:02 AM", State: "done"},
		{Label: "Details", Sub: "Verify liens", State: "now", Icon: "triangle-alert"},
		{Label: "Offers"}, {Label: "Borrower sign-in"}, {Label: "Broker documents"},
	},
	Application: []ui.Stage{{Label: "Application"}, {Label: "Disclosures"}, {Label: "Signing"}, {Label: "Rescission"},
		{Label: "Funded"}},
}

var sampleActions = [][]ui.Action{
	{
		{Label: "Primary", Kind: "pri", NoSubmit: true}, {Label: "Second", NoSubmit: true},
		{Label: "Third", Kind: "ghost", NoSubmit: true}, {Label: "Cancel inquiry", Kind: "danger", NoSubmit: true},
		{Label: "More", Icon: "ellipsis", IconOnly: true, NoSubmit: true},
	},
	{{Label: "Disabled", Kind: "pri", Disabled: true}, {Label: "Disabled", Disabled: true},
		{Label: "Sending…", Kind: "pri", Busy: true, NoSubmit: true}},
	{{Label: "A link", Icon: "external-link", Href: "#s-btn"}, {Label: "Copy link", Icon: "copy", NoSubmit: true}},
}

var sampleTabs = []ui.TabView{
	{Label: "Today", Href: "#today", Count: "6", Urgent: true}, {Label: "Offers", Href: "#offers", Count: "2"},
	{Label: "All", Href: "#all", Count: "999+", Current: true},
}

var sampleErrorLinks = []ui.ErrorLink{{ID: "s.balance", Label: "Current balance"}, {ID: "s.state", Label: "State"}}

var sampleInputs = []ui.Field{
	{Name: "s.empty", Label: "Empty", Placeholder: "mm/dd/yyyy", Span: "c6"},
	{Name: "s.filled", Label: "Filled", Optional: "(optional)", Value: "Treasure Valley CU", Span: "c6"},
	{Name: "s.street2", Label: "Corrected", Value: "Apt #4", Corrected: "Apt 4", Span: "c6"},
	{Name: "s.off", Label: "Disabled", Value: "After the offers", Disabled: true, Span: "c6"},
	{Name: "s.ssn", Label: "SSN", Icon: "lock", Mode: "numeric", Placeholder: "XXX-XX-XXXX", Secret: true,
		Hint: "Encrypted for the lender. Not stored.", Span: "c12"},
}

var sampleMoney = []ui.Field{
	{Name: "s.balance", Label: "Current balance", Value: "418,750", Error: "More than the original amount, $60,000",
		Span: "c6"},
	{Name: "s.want", Label: "Requested amount", Value: "60,000", Hint: "Not sent to the lender; used for your first quote",
		Span: "c6"},
}

var sampleSelects = []ui.Field{{Name: "s.state", Label: "State", Error: "Choose the state",
	Options: ui.Choices("", text.States()...), Span: "c6"}}

var sampleSegment = ui.Field{Name: "s.sale", Label: "Listed for sale?", Span: "c6",
	Options: ui.Choices("false", [2]string{"false", "No"}, [2]string{"true", "Yes"})}

var sampleRadios = ui.Field{Name: "s.method", Label: "How did the borrower agree?", Span: "c12",
	Options: ui.Choices("", text.Consents()...)}

var sampleCheckbox = ui.Field{Name: "s.home", Label: "Lives at the property.",
	Optional: "Uncheck if the borrower lives elsewhere.", Value: "true", Span: "c12"}

var sampleRows = ui.RowsView{ID: "s-liens", Add: ui.Action{Label: "Add a lien", Name: "add", Value: "liens"}}

var sampleConsent = ui.ConsentView{
	Text: "You authorize the lender to obtain your credit report from one or more credit bureaus, " +
		"for prequalification only. This is a soft inquiry: " +
		"it is not seen by other lenders and does not affect your score. Do you agree?",
	Version: "2026-10-01",
	Method: ui.Field{Name: "consent.method", Label: "How did the borrower agree?",
		Options: ui.Choices("", text.Consents()...), Span: "c12"},
	Attested: ui.Field{Name: "consent.attested", Label: "The borrower heard or read this disclosure and agreed.",
		Span: "c12"},
}

type sampleReceipt struct {
	id, title string
	view      ui.ReceiptView
}

var sampleReceipts = []sampleReceipt{
	{"s-ok", "Receipt: done", ui.ReceiptView{
		Note: ui.Notice{Kind: "ready", Icon: "circle-check", Title: "Liens sent."},
		Steps: []ui.ReceiptStep{
			{Label: "Sent", Text: "10:57:41 AM", Done: true}, {Label: "Seen by the lender", Text: "10:57:43 AM", Done: true},
			{Label: "Step changed", Text: "to offers ready, 10:58:36 AM", Done: true},
		},
	}},
	{"s-unk", "Receipt: outcome unknown", ui.ReceiptView{
		Note: ui.Notice{Kind: "yours", Icon: "circle-help", Title: text.VerdictOf("unknown").Title,
			More: text.OperationOf("start").WhileUnknown},
		Steps: []ui.ReceiptStep{
			{Label: "Sent", Text: "10:57:41 AM", Done: true}, {Label: "Seen by the lender", Text: "not confirmed"},
			{Label: "Step changed"},
		},
		Number: "7K2M-94",
	}},
	{"s-rej", "Receipt: not accepted", ui.ReceiptView{
		Note: ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: text.VerdictOf("rejected").Title,
			Text: "“No associated broker licensed for the state.”", More: text.VerdictOf("rejected").Text},
		Steps: []ui.ReceiptStep{{Label: "Sent", Text: "10:57:41 AM", Done: true},
			{Label: "Not accepted", Text: "10:57:42 AM", Failed: true}},
		Number: "7K2M-95",
	}},
}

var sampleReassign = []ui.ReceiptStep{
	{Label: "Bernice Cho", Text: "now with Grace Liu", Done: true},
	{Label: "Wendell Ames", Text: "not accepted by the lender: “No associated broker licensed for the state.”",
		Failed: true},
}

func sampleCard(id, key, mover, elapsed, tone string) ui.NextStepCardView {
	s := text.StatusOf(key, "")
	return ui.NextStepCardView{ID: id, Icon: s.Icon, Title: s.Title, Happened: s.Happened,
		BorrowerScript: s.Script(text.English), MoverText: mover, Elapsed: elapsed, Tone: tone, Next: s.Next}
}

var sampleCards = []ui.NextStepCardView{
	sampleCard("s-card", "verify-liens", "Your move", "11 min", "yours"),
	sampleCard("s-card-offers", "offers", "Your move", "5 min", "offers"),
	sampleCard("s-card-calm", "borrower-sign-in", "With the borrower", "1 day", ""),
}

var sampleBar = ui.NewMoneyBar("Of a value of $642,000: liens $280,285, this line $145,000, remaining equity $216,715",
	ui.BarAmount{Class: "p1", Cents: 28028500}, ui.BarAmount{Class: "p2", Cents: 14500000},
	ui.BarAmount{Class: "p3", Cents: 21671500})

var sampleFacts = []ui.Fact{
	{Label: "Estimated value", Value: "$642,000"}, {Label: "Liens, not verified", Value: "$280,285", Key: "p1"},
	{Label: "This line, requested", Value: "$145,000", Key: "p2"},
	{Label: "Remaining equity", Value: "$216,715", Key: "p3"}, {Label: "Flood zone", Value: text.Dash},
}

var sampleEvents = []ui.Event{
	{Icon: "triangle-alert", Tone: "yours", ISO: "2026-11-20T10:41:00Z", Time: "10:41 AM", Title: "Verify liens",
		Text: "Two found."},
	{Icon: "phone", ISO: "2026-11-20T10:41:00Z", Time: "9:20 AM", Title: "Called",
		Text: "By you. “Will have both statements after 10.”"},
	{Icon: "check", ISO: "2026-11-20T10:41:00Z", Time: "9:02 AM", Title: "Inquiry started",
		Text: "Consent on a recorded call, disclosure of Oct 1, 2026."},
}

var sampleMenu = []ui.Action{
	{Label: "Copy to a new inquiry", Icon: "pencil", Href: "#s-pop"},
	{Label: "Attributions", Icon: "link", Href: "#s-pop"},
	{Label: "Cancel inquiry…", Icon: "trash-2", Popover: "s-dialog"},
}
