package sandbox

import (
	"math"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"hearthline/internal/heloc"
)

// prequalifyEncrypted implements version 2: the payload of version 1, encrypted (section 4.20).
func (s *Sandbox) prequalifyEncrypted(r *http.Request) (any, error) {
	p, err := s.readEncrypted(r)
	if err != nil {
		return nil, err
	}
	return s.estimate(p)
}

// prequalifyPlain implements the deprecated version 1.
func (s *Sandbox) prequalifyPlain(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.estimate(p)
}

// estimate responds without storing anything: there is no inquiry and no borrower yet.
func (s *Sandbox) estimate(p payload) (any, error) {
	if err := rejectAll(s.estimateErrors(p)); err != nil {
		return nil, err
	}
	lastName := p.text("lastName")
	if hasTrigger(lastName, triggerDown) {
		return nil, reject(http.StatusServiceUnavailable, "The service is not available at the moment.")
	}
	answer := object{"status": "NO OFFERS", "product": "HELOC", "offers": []object{}}
	if offers := estimates(p, lastName); len(offers) > 0 {
		answer["status"], answer["offers"] = "OFFERS", offers
	}
	if s.cfg.Dialect == Live {
		// The live service uses a different case than the contract.
		answer["status"] = map[any]string{"OFFERS": "Offers", "NO OFFERS": "No Offers"}[answer["status"]]
		answer["personalizedUrl"] = s.cfg.ApplyURL + "/heloc?affiliate=" + p.text("affiliateId")
		answer["cannedText"] = "See what you could borrow."
	}
	if hasTrigger(lastName, triggerLost) {
		return nil, errResponseLost
	}
	return answer, nil
}

func (s *Sandbox) estimateErrors(p payload) []string {
	c := &validator{payload: p}
	c.required("affiliateId", "requestType")
	c.oneOf("requestType", []string{"OFFERS"})
	if _, given := p.lookup("affiliateId"); given && !s.isAffiliate(p.text("affiliateId")) {
		c.addError("The affiliate is not known.")
	}
	c.texts("firstName", "lastName", "suffix", "email", "phone", "leadId", "campaignName", "campaignSubSource",
		"queryParams")
	c.oneOf("selfCreditRating", creditRatings(s.cfg.Dialect))
	c.oneOf("employmentStatus", employmentStatuses(s.cfg.Dialect))
	c.oneOf("loanPurpose", loanPurposes(s.cfg.Dialect))
	for _, at := range []string{"address", "mailingAddress"} {
		c.objects(at)
		c.texts(at+".street1", at+".street2", at+".city", at+".state", at+".zip", at+".ownerLegalName")
		c.oneOf(at+".type", addressTypes(s.cfg.Dialect))
		c.oneOf(at+".ownership", liveOnly(s.cfg.Dialect, ownershipTypes()...))
	}
	c.boolean("smsOptIn", "remarketingAllowed", "privacyPolicyOptIn")
	c.numeric("householdIncome", "amountToBorrow", "monthlyExpenses", "fico", "monthlyMortgagePayment",
		"currentMortgageBalances", "propertyValue")
	c.matches(s.patterns.ssn, "ssn")
	c.dates(s.patterns, "dob")
	checkScore(c)
	if s.cfg.Dialect == Live {
		c.required("loanPurpose", "privacyPolicyOptIn", "remarketingAllowed")
		c.integer("fico", "amountToBorrow", "currentMortgageBalances")
		c.matches(s.patterns.name, "firstName", "lastName")
		c.matches(s.patterns.phone, "phone")
		c.address("address", s.patterns)
		c.address("mailingAddress", s.patterns)
	}
	checkSelfAttested(c)
	return c.errors
}

// checkScore enforces the three digits of a credit score; the scale goes from 300 to 850.
func checkScore(c *validator) {
	c.between("fico", 300, 850)
	if n, ok := c.payload.number("fico"); ok {
		if v, err := n.Float64(); err != nil || v != math.Trunc(v) {
			c.addError("The field fico must be a whole number.")
		}
	}
}

// checkSelfAttested enforces the rule for self-attested data: all of it, and exactly one of
// the two mortgage fields.
func checkSelfAttested(c *validator) {
	_, fico := c.payload.number("fico")
	_, value := c.payload.number("propertyValue")
	if !fico && !value {
		return
	}
	c.required("fico", "monthlyExpenses", "propertyValue")
	_, payment := c.payload.number("monthlyMortgagePayment")
	_, balance := c.payload.number("currentMortgageBalances")
	if payment == balance {
		c.addError("Exactly one of monthlyMortgagePayment and currentMortgageBalances is required.")
	}
}

func (s *Sandbox) isAffiliate(id string) bool {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 || parsed == uuid.Nil {
		return false
	}
	return s.cfg.AffiliateID == "" || strings.EqualFold(id, s.cfg.AffiliateID)
}

// estimates are four fixed offers, or none. Here the fee is a percentage of the whole loan
// amount and included in it, unlike the origination fee of an inquiry.
func estimates(p payload, lastName string) []object {
	e := p.estimateFigures()
	if hasTrigger(lastName, string(kindNone)) || hasTrigger(lastName, string(kindScore)) || e.score < minScore {
		return nil
	}
	const step = heloc.Money(10_00)
	wanted := divide(min(e.amount, lineCeiling)*1_000_000, heloc.Money(1_000_000-int64(maxFee)))
	limit := min(percentOf(e.value, maxCLTV)-e.mortgage, lineCeiling) / step * step // rounded down: it is a limit
	loan := min(divide(wanted, step)*step, limit)
	if loan < minimumLine(e.state) {
		return nil
	}
	price := pricing{Score: e.score, Value: e.value, Owed: e.mortgage}
	fee := divide(percentOf(loan, maxFee), 1_00) * 1_00
	var offers []object
	for _, term := range terms() {
		rate := price.fixedRate(loan, maxFee, term)
		payment := levelPayment(loan, rate, term)
		offers = append(offers, object{
			"term": term, "loanAmount": loan, "interestRate": rate, "monthlyPayment": payment,
			"apr": apr(loan-fee, payment, term), "originationFee": fee, "rateType": "fixed",
		})
	}
	return offers
}

type estimateInput struct {
	amount, value, mortgage heloc.Money
	score                   int
	state                   string
}

// estimateFigures uses the given values and typical ones for the rest.
func (p payload) estimateFigures() estimateInput {
	f := estimateInput{amount: 50_000_00, value: usualValue, score: goodScore, state: p.text("address.state")}
	if m, ok := p.dollars("amountToBorrow"); ok && m > 0 {
		f.amount = m
	}
	if m, ok := p.dollars("propertyValue"); ok && m > 0 {
		f.value = m
	}
	if m, ok := p.dollars("currentMortgageBalances"); ok {
		f.mortgage = m
	} else if m, ok := p.dollars("monthlyMortgagePayment"); ok {
		f.mortgage = m * 165 // a typical balance for such a payment
	}
	switch p.text("selfCreditRating") {
	case "POOR":
		f.score = lowScore
	case "FAIR":
		f.score = 660
	case "EXCELLENT":
		f.score = 780
	}
	if n, ok := p.number("fico"); ok {
		if v, err := n.Float64(); err == nil {
			f.score = int(v)
		}
	}
	return f
}

// apr is the annual rate at which the present value of the payments equals the amount paid out.
func apr(paidOut, payment heloc.Money, months int) heloc.Rate {
	low, high := heloc.Rate(0), heloc.Rate(40_0000)
	for low+1 < high {
		middle := (low + high) / 2
		if levelPayment(paidOut, middle, months) < payment {
			low = middle
		} else {
			high = middle
		}
	}
	return (high + 5) / 10 * 10 // three decimals
}
