package lead

import (
	"cmp"
	"slices"
	"strconv"

	"hearthline/views/ui"
)

// ProgressFacts is what the two progress lines are derived from: text for the known dates, "" for the others.
type ProgressFacts struct {
	StatusKey        string // the status key
	Converted        bool
	WaitingForOthers bool   // it is not the user's move
	Chip             string // the status chip: "Verify liens"
	Icon             string
	Started          string // "Today 9:02 AM"
	Resolved         string // "Liens verified 10:58 AM"
	Priced           string // "Since 10:59 AM"; "" before offers
	Selected         string // "Selected 11:20 AM"
	SignedIn         string // when the borrower signed in, if known
	DocsSigned       string
	HasOffers        bool   // an offer exists or was selected
	Application      string // when it was converted
	Disclosures      string
	Signing          string // date or appointment
	SigningDone      bool   // the signing date is past and the agreement e-signed
	Rescission       string // "Ends Tue, Nov 24"
	RescissionOver   bool
	Funded           string // "Sent Dec 1"; only if money was sent
}

// NewProgress builds both lines. A stage is done only if the next one proves it, and funding only if money
// was sent.
func NewProgress(f ProgressFacts) ui.ProgressView {
	at := stageOf(f)
	f.Converted = f.Converted || f.pastInquiry()
	inquiry := []ui.Stage{
		{Label: "Inquiry", Sub: f.Started, Icon: "hourglass"},
		{Label: "Resolve", Sub: f.Resolved, Icon: f.Icon},
		{Label: "Offers", Sub: cmp.Or(f.Selected, f.Priced), Icon: "circle-check"},
		{Label: "Borrower sign-in", Sub: f.SignedIn, Icon: "user-round"},
		{Label: "Broker documents", Sub: f.DocsSigned, Icon: "file-text"},
	}
	application := []ui.Stage{
		{Label: "Application", Sub: f.Application, Icon: "file-text"},
		{Label: "Disclosures", Sub: f.Disclosures, Icon: "mail"},
		{Label: "Signing", Sub: f.Signing, Icon: "pencil"},
		{Label: "Rescission", Sub: f.Rescission, Icon: "calendar"},
		{Label: "Funded", Sub: f.Funded, Icon: "check"},
	}
	l := ui.ProgressView{Inquiry: inquiry, Application: application, Converted: f.Converted, PositionStep: f.Chip}
	switch {
	case f.ended():
		markEndedStages(f, inquiry, application)
	case f.StatusKey == "complete" && !f.Converted:
		markStages(inquiry, len(inquiry), f)
		l.AfterPosition = ", then the application"
	case f.Converted:
		markStages(inquiry, len(inquiry), f)
		dates := slices.Clone(application)
		markStages(application, at, f)
		for i := range application {
			application[i].Sub = dates[i].Sub // a future date is worth displaying
		}
		l.Position = "Step " + strconv.Itoa(at+1) + " of 5 of the application · "
		fillUnknown(application)
	default:
		if at == 1 {
			inquiry[1].Sub = f.Chip
		}
		if f.StatusKey == "no-offers" {
			inquiry[at].Label, inquiry[at].Sub, inquiry[at].Icon = f.Chip, "", f.Icon
		}
		markStages(inquiry, at, f)
		l.Position, l.AfterPosition = "Step "+strconv.Itoa(at+1)+" of 5 · ", ", then the application"
	}
	return l
}

// stageOf is the index of the current stage.
func stageOf(f ProgressFacts) int {
	switch f.StatusKey {
	case "in-progress":
		if f.HasOffers {
			return 2
		}
		return 0
	case "offers", "no-offers":
		return 2
	case "borrower-sign-in", "chase-sign-in":
		return 3
	case "broker-documents", "chase-documents":
		return 4
	case "application":
		return 0
	case "disclosures":
		return 1
	case "signing":
		return 2
	case "signed", "rescission":
		return 3
	case "funding", "funded":
		return 4
	default:
		return 1
	}
}

// pastInquiry reports whether the lead is past the inquiry: converted, or about to be.
func (f ProgressFacts) pastInquiry() bool {
	switch f.StatusKey {
	case "application", "disclosures", "signing", "signed", "rescission", "funding", "funded":
		return true
	}
	return false
}

// ended reports whether the lead has ended without funding.
func (f ProgressFacts) ended() bool {
	switch f.StatusKey {
	case "cancelled", "declined", "expired", "withdrawn":
		return true
	}
	return false
}

func markStages(stages []ui.Stage, at int, f ProgressFacts) {
	for i := range stages {
		switch {
		case i < at:
			stages[i].State = "done"
		case i > at:
			stages[i].Sub = ""
		case f.StatusKey == "funded":
			stages[i].State = "done"
		case f.StatusKey == "offers":
			stages[i].State = "offers"
		case f.WaitingForOthers:
			stages[i].State = "wait"
		default:
			stages[i].State = "now"
		}
	}
}

// markEndedStages marks only the stages of an ended lead that are known to have happened.
func markEndedStages(f ProgressFacts, inquiry, application []ui.Stage) {
	reached := 1
	if f.HasOffers {
		reached = 3
	}
	if f.Converted {
		reached = len(inquiry)
	}
	markStages(inquiry[:reached], reached, f)
	for i := range application {
		if application[i].Sub != "" {
			application[i].State = "done"
		}
	}
}

// fillUnknown adds "not known" to stages for which the lender gave no date.
func fillUnknown(stages []ui.Stage) {
	for i := range stages {
		if stages[i].Sub == "" {
			stages[i].Sub = "not known yet"
		}
	}
}
