package workspace

import (
	"cmp"
	"slices"
	"strconv"

	"hearthline/internal/heloc"
	"hearthline/views/ui"
)

// progressFacts is what the two progress lines are derived from: text for the known dates, "" for the others.
type progressFacts struct {
	StatusKey        heloc.StatusKey
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
	Funded           string // "Sent Dec 1"; only if money was sent
}

// newProgress builds both lines. A stage is done only if the next one proves it, and funding only if money
// was sent.
func newProgress(f progressFacts) ui.ProgressView {
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
	case f.StatusKey == heloc.StatusComplete && !f.Converted:
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
		if f.StatusKey == heloc.StatusNoOffers {
			inquiry[at].Label, inquiry[at].Sub, inquiry[at].Icon = f.Chip, "", f.Icon
		}
		markStages(inquiry, at, f)
		l.Position, l.AfterPosition = "Step "+strconv.Itoa(at+1)+" of 5 · ", ", then the application"
	}
	return l
}

// stageOf is the index of the current stage.
func stageOf(f progressFacts) int {
	switch f.StatusKey {
	case heloc.StatusInProgress:
		if f.HasOffers {
			return 2
		}
		return 0
	case heloc.StatusOffers, heloc.StatusNoOffers:
		return 2
	case heloc.StatusBorrowerSignIn, heloc.StatusFollowUpSignIn:
		return 3
	case heloc.StatusBrokerDocs, heloc.StatusFollowUpDocs:
		return 4
	case heloc.StatusApplication:
		return 0
	case heloc.StatusDisclosures:
		return 1
	case heloc.StatusSigning:
		return 2
	case heloc.StatusSigned, heloc.StatusRescission:
		return 3
	case heloc.StatusFunding, heloc.StatusFunded:
		return 4
	default:
		return 1
	}
}

// pastInquiry reports whether the lead is past the inquiry: converted, or about to be.
func (f progressFacts) pastInquiry() bool {
	switch f.StatusKey {
	case heloc.StatusApplication, heloc.StatusDisclosures, heloc.StatusSigning, heloc.StatusSigned, heloc.StatusRescission, heloc.StatusFunding, heloc.StatusFunded:
		return true
	}
	return false
}

// ended reports whether the lead has ended without funding.
func (f progressFacts) ended() bool {
	switch f.StatusKey {
	case heloc.StatusCanceled, heloc.StatusDeclined, heloc.StatusExpired, heloc.StatusWithdrawn:
		return true
	}
	return false
}

func markStages(stages []ui.Stage, at int, f progressFacts) {
	for i := range stages {
		switch {
		case i < at:
			stages[i].State = "done"
		case i > at:
			stages[i].Sub = ""
		case f.StatusKey == heloc.StatusFunded:
			stages[i].State = "done"
		case f.StatusKey == heloc.StatusOffers:
			stages[i].State = "offers"
		case f.WaitingForOthers:
			stages[i].State = "wait"
		default:
			stages[i].State = "now"
		}
	}
}

// markEndedStages marks only the stages of an ended lead that are known to have happened.
func markEndedStages(f progressFacts, inquiry, application []ui.Stage) {
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
			stages[i].Sub = "—"
		}
	}
}
