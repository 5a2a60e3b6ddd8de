package sandbox

import (
	"strings"

	"hearthline/internal/heloc"
)

// A hurdle stands between an inquiry and its offers until the right operation
// clears it. Hurdles come from the last name, then from the numbers.
type blocker struct {
	Kind    blockerKind
	Cleared bool
	Reason  string // why there are no offers, for kindNone
}

// blockerKind names a hurdle by the trigger that asks for it.
type blockerKind string

// The kinds. Score and None end the inquiry without offers.
const (
	kindMatch  blockerKind = "Match"
	kindFrozen blockerKind = "Frozen"
	kindLiens  blockerKind = "Liens"
	kindAssets blockerKind = "Assets"
	kindPayoff blockerKind = "Payoff"
	kindValue  blockerKind = "Value"
	kindUnit   blockerKind = "Unit"
	kindVague  blockerKind = "Vague"
	kindNone   blockerKind = "None"
	kindScore  blockerKind = "Score"
)

// Triggers that say how the service answers, and are no hurdles.
const (
	triggerSlow = "Slow" // 30 s of processing
	triggerLost = "Lost" // made, and the connection closes without an answer
	triggerDown = "Down" // 503, and nothing is made
	triggerHuge = "Huge" // a very large document beside the others
)

// Reasons that stand in statusReasons when there are no offers.
const (
	reasonScore = "CREDIT_SCORE_BELOW_MINIMUM"
	reasonCLTV  = "CLTV_ABOVE_MAXIMUM"
	reasonDTI   = "DTI_ABOVE_MAXIMUM"
	reasonNone  = "NO_ELIGIBLE_PRODUCT"
)

// triggers are the parts of a last name after each hyphen, in order.
func triggers(lastName string) []string {
	_, rest, found := strings.Cut(lastName, "-")
	if !found {
		return nil
	}
	return strings.Split(rest, "-")
}

func hasTrigger(lastName, trigger string) bool {
	for _, t := range triggers(lastName) {
		if strings.EqualFold(strings.TrimSpace(t), trigger) {
			return true
		}
	}
	return false
}

// blockersOf reads the hurdles that a last name asks for.
func blockersOf(lastName string) []blocker {
	var path []blocker
	for _, t := range triggers(lastName) {
		for _, k := range []blockerKind{
			kindMatch, kindFrozen, kindLiens, kindAssets, kindPayoff, kindValue, kindUnit, kindVague, kindNone, kindScore,
		} {
			if strings.EqualFold(strings.TrimSpace(t), string(k)) {
				path = append(path, blocker{Kind: k, Reason: noOffersReason(k)})
			}
		}
	}
	return path
}

func noOffersReason(k blockerKind) string {
	switch k {
	case kindScore:
		return reasonScore
	case kindNone:
		return reasonNone
	default:
		return ""
	}
}

// step is where an inquiry waits that has this hurdle before it.
func (h blocker) step() heloc.Step {
	switch h.Kind {
	case kindMatch:
		return heloc.StepCreditMatch
	case kindFrozen:
		return heloc.StepUnfreezeCredit
	case kindLiens:
		return heloc.StepLienMatching
	case kindAssets:
		return heloc.StepMoreAssets
	case kindPayoff:
		return heloc.StepPayoff
	case kindValue:
		return heloc.StepPropertyValue
	case kindUnit, kindVague:
		return heloc.StepSelectProperty
	default:
		return heloc.StepNoOffers
	}
}

// resolves reports whether an operation answers the step that a record stands at.
func resolves(op heloc.Operation, at heloc.Step) bool {
	switch op {
	case heloc.OpAddSSN:
		return at == heloc.StepCreditMatch
	case heloc.OpRepullCredit:
		return at == heloc.StepUnfreezeCredit
	case heloc.OpVerifyLiens:
		return at == heloc.StepLienMatching
	case heloc.OpAddIncome:
		return at == heloc.StepMoreAssets
	case heloc.OpAssetDepletion:
		return at == heloc.StepMoreAssets || at == heloc.StepPayoff
	case heloc.OpPropertyValue:
		return at == heloc.StepPropertyValue
	case heloc.OpSelectProperty:
		return at == heloc.StepSelectProperty
	case heloc.OpSelectOffer:
		// Another offer may be chosen until the borrower's documents are signed.
		return at == heloc.StepOffersAvailable || at == heloc.StepBorrowerAuth || at == heloc.StepBrokerDocSigning
	default:
		return false
	}
}

// repullsNeeded clears a freeze even when nobody lifted it: the first re-pull comes
// too early, the second finds the file open.
const repullsNeeded = 2

// advance finds where the record stands once processing has ended. A well-formed
// answer has already been written into it; settle only looks at what remains.
func (q *inquiryRecord) advance() heloc.Step {
	for len(q.Blockers) > 0 && q.isCleared(&q.Blockers[0]) {
		q.Blockers = q.Blockers[1:]
	}
	q.Reasons = nil
	if len(q.Blockers) == 0 {
		return heloc.StepOffersAvailable
	}
	next := q.Blockers[0]
	switch {
	case next.Kind == kindLiens:
		q.Liens = q.detectedLiens()
	case next.Reason != "":
		q.Reasons = []string{next.Reason}
	}
	if next.Kind == kindScore {
		q.Score = lowScore
	}
	return next.step()
}

func (q *inquiryRecord) isCleared(h *blocker) bool {
	switch h.Kind {
	case kindMatch:
		return q.SSN == ssnMatches
	case kindFrozen:
		if !q.FreezeLifted && q.Repulls < repullsNeeded {
			return false
		}
		q.FreezeLifted, q.Repulls = false, 0 // a second Frozen in the name starts anew
		return true
	default:
		return h.Cleared
	}
}

// clearFirst marks the hurdle in front as answered.
func (q *inquiryRecord) clearFirst() {
	if len(q.Blockers) > 0 {
		q.Blockers[0].Cleared = true
	}
}
