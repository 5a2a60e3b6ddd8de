package gallery

import (
	"hearthline/views/text"
	"hearthline/views/ui"
)

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
