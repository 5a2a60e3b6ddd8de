package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// resolve executes an operation that resolves a step: it validates the request block, finds
// the acting originator, checks that the record waits for this operation, stores the answer
// with apply, and starts processing.
func (s *Sandbox) resolve(r *http.Request, op heloc.Operation, p payload, fieldErrors []string,
	apply func(*inquiryRecord) error) (any, error) {
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		c := &validator{payload: p}
		s.requestBlock(c)
		if err := rejectAll(append(c.errors, fieldErrors...)); err != nil {
			return nil, err
		}
		if _, err := s.actor(p); err != nil {
			return nil, err
		}
		if err := q.checkAllowed(op); err != nil {
			return nil, err
		}
		if err := apply(q); err != nil {
			return nil, err
		}
		if err := s.startProcessing(q, processing{Op: op}); err != nil {
			return nil, err
		}
		return accepted(), nil
	})
}

// checkAllowed rejects an operation that the record does not wait for.
func (q *inquiryRecord) checkAllowed(op heloc.Operation) error {
	switch {
	case q.ended():
		return reject(http.StatusConflict, "The inquiry is no longer open.")
	case q.Processing != nil:
		return reject(http.StatusConflict, "The inquiry is still being processed.")
	case !resolves(op, q.Step):
		return reject(http.StatusConflict, "The operation %s does not apply at the step %s.", op, q.Step)
	}
	return nil
}

// addSSN retries the credit match (section 4.11).
func (s *Sandbox) addSSN(r *http.Request) (any, error) {
	p, err := s.readEncrypted(r)
	if err != nil {
		return nil, err
	}
	c := &validator{payload: p}
	c.required("applicant.ssn")
	c.matches(s.patterns.ssn, "applicant.ssn")
	return s.resolve(r, heloc.OpAddSSN, p, c.errors, func(q *inquiryRecord) error {
		q.SSN = ssnVerdictOf(p.text("applicant.ssn"))
		return nil
	})
}

// repullCredit pulls credit again (section 4.12).
func (s *Sandbox) repullCredit(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.resolve(r, heloc.OpRepullCredit, p, nil, func(q *inquiryRecord) error {
		q.Repulls++
		return nil
	})
}

// verifyLiens accepts the liens that the originator states (section 4.13).
func (s *Sandbox) verifyLiens(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	c := &validator{payload: p}
	c.required("liens")
	c.forEach("liens", func(l *validator) {
		l.numeric("originalBalance", "currentBalance", "monthlyPayment")
		l.dates(s.patterns, "originationDate")
		if s.cfg.Dialect == Live {
			l.required("lienUuid", "lenderName", "originalBalance", "originationDate")
			l.matches(s.patterns.name, "lenderName")
		}
	})
	return s.resolve(r, heloc.OpVerifyLiens, p, c.errors, func(q *inquiryRecord) error {
		var liens []heloc.LienInput
		if err := p.decode("liens", &liens); err != nil {
			return err
		}
		for _, l := range liens {
			if _, err := heloc.ParseAppID(l.LienUUID); l.LienUUID != "" && err != nil {
				return reject(http.StatusBadRequest, "A lienUuid is not a UUID.")
			}
			// The live service requires an id on every lien, so an unknown id there is a new lien.
			if s.cfg.Dialect == Documented && l.LienUUID != "" && !q.hasLien(l.LienUUID) {
				return reject(http.StatusBadRequest, "A lienUuid does not match a lien supplied before.")
			}
		}
		q.Liens = q.statedLiens(liens)
		q.clearFirst()
		return nil
	})
}

// addPropertyEstimate accepts the borrower's estimate of the home's value (section 4.16).
func (s *Sandbox) addPropertyEstimate(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	c := &validator{payload: p}
	c.required("propertyEstimate.borrowerEstimatedValue")
	estimate, ok := p.dollars("propertyEstimate.borrowerEstimatedValue")
	if len(c.errors) == 0 && (!ok || estimate <= 0) {
		c.addError("The field propertyEstimate.borrowerEstimatedValue must be a positive number.")
	}
	return s.resolve(r, heloc.OpPropertyValue, p, c.errors, func(q *inquiryRecord) error {
		q.Inquiry.Property.EstimatedValue = &estimate
		q.clearFirst()
		return nil
	})
}
