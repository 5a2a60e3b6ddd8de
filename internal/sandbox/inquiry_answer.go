package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// resolve runs an operation that answers a step: the request block is checked, the
// actor found, the record must wait for this operation, and apply writes the answer
// into it before processing begins.
func (s *Sandbox) resolve(r *http.Request, op heloc.Operation, p payload, complaints []string, apply func(*record) error) (any, error) {
	return s.with(r, func(q *record) (any, error) {
		c := &check{p: p}
		s.requestBlock(c)
		if err := refuseAll(append(c.complaints, complaints...)); err != nil {
			return nil, err
		}
		if _, err := s.actor(p); err != nil {
			return nil, err
		}
		if err := q.mayNow(op); err != nil {
			return nil, err
		}
		if err := apply(q); err != nil {
			return nil, err
		}
		if err := s.begin(q, work{Op: op}); err != nil {
			return nil, err
		}
		return accepted(), nil
	})
}

// mayNow refuses an operation that the record does not wait for.
func (q *record) mayNow(op heloc.Operation) error {
	switch {
	case q.ended():
		return refuse(http.StatusConflict, "The inquiry is no longer open.")
	case q.Work != nil:
		return refuse(http.StatusConflict, "The inquiry is still being processed.")
	case !resolves(op, q.Step):
		return refuse(http.StatusConflict, "The operation %s does not apply at the step %s.", op, q.Step)
	}
	return nil
}

// addSSN retries the credit match (section 4.11).
func (s *Sandbox) addSSN(r *http.Request) (any, error) {
	p, err := s.readSealed(r)
	if err != nil {
		return nil, err
	}
	c := &check{p: p}
	c.required("applicant.ssn")
	c.matches(s.rules.ssn, "applicant.ssn")
	return s.resolve(r, heloc.OpAddSSN, p, c.complaints, func(q *record) error {
		q.SSN = judgeSSN(p.text("applicant.ssn"))
		return nil
	})
}

// repullCredit pulls credit again (section 4.12).
func (s *Sandbox) repullCredit(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.resolve(r, heloc.OpRepullCredit, p, nil, func(q *record) error {
		q.Repulls++
		return nil
	})
}

// verifyLiens takes the liens as the originator knows them (section 4.13).
func (s *Sandbox) verifyLiens(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	c := &check{p: p}
	c.required("liens")
	c.each("liens", func(l *check) {
		l.numeric("originalBalance", "currentBalance", "monthlyPayment")
		l.matches(s.rules.date, "originationDate")
		if s.cfg.Dialect == Live {
			l.required("lienUuid", "lenderName", "originalBalance", "originationDate")
			l.matches(s.rules.name, "lenderName")
		}
	})
	return s.resolve(r, heloc.OpVerifyLiens, p, c.complaints, func(q *record) error {
		var liens []heloc.LienInput
		if err := p.into("liens", &liens); err != nil {
			return err
		}
		for _, l := range liens {
			if _, err := heloc.ParseAppID(l.LienUUID); l.LienUUID != "" && err != nil {
				return refuse(http.StatusBadRequest, "A lienUuid is not a UUID.")
			}
			// The field wants an id on every lien, so a new one there is a new lien.
			if s.cfg.Dialect == Documented && l.LienUUID != "" && !q.knows(l.LienUUID) {
				return refuse(http.StatusBadRequest, "A lienUuid does not match a lien supplied before.")
			}
		}
		q.Liens = q.stated(liens)
		q.clear()
		return nil
	})
}

// addPropertyEstimate takes what the borrower thinks the home is worth (section 4.16).
func (s *Sandbox) addPropertyEstimate(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	c := &check{p: p}
	c.required("propertyEstimate.borrowerEstimatedValue")
	estimate, ok := p.dollars("propertyEstimate.borrowerEstimatedValue")
	if len(c.complaints) == 0 && (!ok || estimate <= 0) {
		c.complain("The field propertyEstimate.borrowerEstimatedValue must be a positive number.")
	}
	return s.resolve(r, heloc.OpPropertyValue, p, c.complaints, func(q *record) error {
		q.Asked.Property.EstimatedValue = &estimate
		q.clear()
		return nil
	})
}
