package lead

import (
	"cmp"

	"hearthline/internal/heloc"
)

// Code is a value that is sent to CRMs. Codes are a contract: programs that others wrote compare them, so a code is
// never changed or removed, whatever becomes of the name that the portal uses. New ones may be added.
type Code string

// CodeGroup is what a code is about.
type CodeGroup string

// The groups.
const (
	CodeStep    CodeGroup = "step"
	CodeLane    CodeGroup = "lane"
	CodeMove    CodeGroup = "move"
	CodeOutcome CodeGroup = "outcome"
	CodeEvent   CodeGroup = "event"
)

// CodeRow is one row of the table of codes: the portal's own value, and its code. Several values may
// have one code: a step that the borrower must be reminded of is still the same step.
type CodeRow struct {
	Group CodeGroup
	Value string
	Code  Code
}

// Codes is the table of every code that is sent to CRMs.
func Codes() []CodeRow { return codes }

var codes = []CodeRow{
	{CodeStep, string(heloc.StatusInProgress), "in_progress"},
	{CodeStep, string(heloc.StatusChooseProperty), "select_property"},
	{CodeStep, string(heloc.StatusSSNNeeded), "credit_match_required"},
	{CodeStep, string(heloc.StatusCreditFrozen), "unfreeze_credit"},
	{CodeStep, string(heloc.StatusStillFrozen), "unfreeze_credit"},
	{CodeStep, string(heloc.StatusRepullDue), "unfreeze_credit"},
	{CodeStep, string(heloc.StatusVerifyLiens), "lien_matching_required"},
	{CodeStep, string(heloc.StatusMoreAssets), "more_assets_required"},
	{CodeStep, string(heloc.StatusPayoff), "payoff_required"},
	{CodeStep, string(heloc.StatusPropertyValue), "property_value_required"},
	{CodeStep, string(heloc.StatusOffers), "offers_available"},
	{CodeStep, string(heloc.StatusRefinance), "refinance_offer"},
	{CodeStep, string(heloc.StatusNoOffers), "no_offers"},
	{CodeStep, string(heloc.StatusBorrowerSignIn), "borrower_auth_required"},
	{CodeStep, string(heloc.StatusFollowUpSignIn), "borrower_auth_required"},
	{CodeStep, string(heloc.StatusBrokerDocs), "broker_doc_signing_required"},
	{CodeStep, string(heloc.StatusFollowUpDocs), "broker_doc_signing_required"},
	{CodeStep, string(heloc.StatusComplete), "inquiry_complete"},
	{CodeStep, string(heloc.StatusApplication), "application"},
	{CodeStep, string(heloc.StatusDisclosures), "disclosures"},
	{CodeStep, string(heloc.StatusSigning), "signing"},
	{CodeStep, string(heloc.StatusSigned), "signed"},
	{CodeStep, string(heloc.StatusRescission), "rescission"},
	{CodeStep, string(heloc.StatusFunding), "funding"},
	{CodeStep, string(heloc.StatusFunded), "funded"},
	{CodeStep, string(heloc.StatusCanceled), "canceled"},
	{CodeStep, string(heloc.StatusDeclined), "declined"},
	{CodeStep, string(heloc.StatusExpired), "expired"},
	{CodeStep, string(heloc.StatusWithdrawn), "withdrawn"},
	{CodeStep, string(heloc.StatusOther), codeOther},
	{CodeLane, string(heloc.LaneBlocked), "blocked"},
	{CodeLane, string(heloc.LaneOffers), "offers"},
	{CodeLane, string(heloc.LaneBorrower), "borrower"},
	{CodeLane, string(heloc.LaneLender), "lender"},
	{CodeLane, string(heloc.LaneClosing), "closing"},
	{CodeLane, string(heloc.LaneEnded), "ended"},
	{CodeMove, string(heloc.MoverYou), "originator"},
	{CodeMove, string(heloc.MoverBorrower), "borrower"},
	{CodeMove, string(heloc.MoverLender), "lender"},
	{CodeMove, moverConditions, "conditions"},
	{CodeMove, string(heloc.MoverNobody), "none"},
	{CodeOutcome, string(OutcomeOpen), "open"},
	{CodeOutcome, string(OutcomeFunded), "funded"},
	{CodeOutcome, string(OutcomeCanceled), "canceled"},
	{CodeOutcome, string(OutcomeDeclined), "declined"},
	{CodeOutcome, string(OutcomeExpired), "expired"},
	{CodeOutcome, string(OutcomeWithdrawn), "withdrawn"},
	{CodeOutcome, string(OutcomeClosed), "closed"},
	{CodeEvent, "started", "lead.started"},
	{CodeEvent, "step", "lead.step_changed"},
	{CodeEvent, "offers", "lead.offers_ready"},
	{CodeEvent, "selected", "lead.offer_selected"},
	{CodeEvent, "condition", "lead.condition_changed"},
	{CodeEvent, "funded", "lead.funded"},
	{CodeEvent, "ended", "lead.ended"},
	{CodeEvent, "reassigned", "lead.reassigned"},
}

// codeOther is the code of a value that has none, such as a step that the lender has just introduced.
const codeOther Code = "other"

// CodeOf returns the code of a value.
func CodeOf(group CodeGroup, value string) Code {
	var code Code
	for _, row := range Codes() {
		if row.Group == group && row.Value == value {
			code = row.Code
		}
	}
	return cmp.Or(code, codeOther)
}

// moverConditions means open conditions: the lender does not say who has to clear them.
const moverConditions = "conditions"

// MoveCode returns the code for whose move it is.
func MoveCode(lane heloc.Lane, mover heloc.Mover) Code {
	if lane == heloc.LaneClosing && mover == heloc.MoverBorrower {
		return CodeOf(CodeMove, moverConditions)
	}
	return CodeOf(CodeMove, string(mover))
}

// CodesIn lists the codes of a group, each once, in the order of the table.
func CodesIn(group CodeGroup) (all []Code) {
	seen := map[Code]bool{}
	for _, row := range Codes() {
		if row.Group == group && !seen[row.Code] {
			all, seen[row.Code] = append(all, row.Code), true
		}
	}
	return all
}
