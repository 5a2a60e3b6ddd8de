package sandbox

import (
	"strings"

	"hearthline/internal/heloc"
)

// A blocker blocks an inquiry's offers until the right operation clears it. Blockers come
// from the last name first and then from the numbers.
type blocker struct {
	Kind    blockerKind
	Cleared bool
	Reason  string // why there are no offers, for kindNone
}

// blockerKind names a blocker by the trigger that requests it.
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

// Triggers that change how the service responds and are not blockers.
const (
	triggerSlow = "Slow" // 30 s of processing
	triggerLost = "Lost" // the operation is done, and the connection closes without a response
	triggerDown = "Down" // 503, and nothing is done
	triggerHuge = "Huge" // a very large document in addition to the others
)

// The values of statusReasons when there are no offers.
const (
	reasonScore = "CREDIT_SCORE_BELOW_MINIMUM"
	reasonCLTV  = "CLTV_ABOVE_MAXIMUM"
	reasonDTI   = "DTI_ABOVE_MAXIMUM"
	reasonNone  = "NO_ELIGIBLE_PRODUCT"
)

// triggers returns the parts of a last name after each hyphen, in order.
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

// blockersOf returns the blockers that a last name requests.
func blockersOf(lastName string) []blocker {
	var blockers []blocker
	for _, t := range triggers(lastName) {
		for _, k := range []blockerKind{
			kindMatch, kindFrozen, kindLiens, kindAssets, kindPayoff, kindValue, kindUnit, kindVague, kindNone, kindScore,
		} {
			if strings.EqualFold(strings.TrimSpace(t), string(k)) {
				blockers = append(blockers, blocker{Kind: k, Reason: noOffersReason(k)})
			}
		}
	}
	return blockers
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

// step is the step at which an inquiry with this blocker waits.
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

// resolves reports whether an operation resolves the step that a record is at.
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
		// The selection may be changed until the borrower's documents are signed.
		return at == heloc.StepOffersAvailable || at == heloc.StepBorrowerAuth || at == heloc.StepBrokerDocSigning
	default:
		return false
	}
}

// repullsNeeded clears a freeze even when nobody lifted it: the first re-pull fails, the
// second succeeds.
const repullsNeeded = 2

// advance determines the record's step after processing. The answer is already stored in
// the record; advance only checks what remains.
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
		q.FreezeLifted, q.Repulls = false, 0 // a second Frozen in the name needs another thaw
		return true
	default:
		return h.Cleared
	}
}

// clearFirst marks the first blocker as cleared.
func (q *inquiryRecord) clearFirst() {
	if len(q.Blockers) > 0 {
		q.Blockers[0].Cleared = true
	}
}
