package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// cancel closes an inquiry (section 4.5), even while it is being processed. After conversion
// to an application it is rejected.
func (s *Sandbox) cancel(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		c := &validator{payload: p}
		s.requestBlock(c)
		if err := rejectAll(c.errors); err != nil {
			return nil, err
		}
		if _, err := s.actor(p); err != nil {
			return nil, err
		}
		switch {
		case q.Converted:
			return nil, reject(http.StatusConflict,
				"An inquiry that was converted to an application cannot be canceled. The borrower must contact support.")
		case q.ended():
			return nil, reject(http.StatusConflict, "The inquiry is no longer open.")
		case q.Processing != nil && q.Processing.Op == heloc.OpCancel:
			return nil, reject(http.StatusConflict, "The inquiry is already being canceled.")
		}
		if err := s.startProcessing(q, processing{Op: heloc.OpCancel}); err != nil {
			return nil, err
		}
		return accepted(), nil
	})
}

// reassign moves a lead to another originator of the organization and, where there is one,
// of the same broker company (section 4.7).
func (s *Sandbox) reassign(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		c := &validator{payload: p}
		c.required("newLoanOriginatorUuid")
		if err := rejectAll(c.errors); err != nil {
			return nil, err
		}
		next, ok := s.directory.member(p.text("newLoanOriginatorUuid"))
		if !ok {
			return nil, reject(http.StatusForbidden, "The new loan originator does not belong to the organization.")
		}
		if !sameCompany(s.directory.byID[q.Originator], next) {
			return nil, reject(http.StatusForbidden, "The new loan originator does not belong to the same broker company.")
		}
		q.Originator = next.ID
		if err := s.save(q); err != nil {
			return nil, err
		}
		return accepted(), nil
	})
}

// setAttributions changes where a lead came from and the partner's ids (section 4.6): an
// absent field is unchanged, null unsets it. The live service responds with an empty body.
func (s *Sandbox) setAttributions(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		targets := q.attributions(s.cfg.Dialect)
		c := &validator{payload: p}
		s.requestBlock(c)
		c.objects("attributions", "attributions.utmParameters", "attributions.externalReferenceData")
		for path := range targets {
			if v, given := p.lookup(path); given {
				if _, text := v.(string); !text {
					c.addError("The field %s must be a string or null.", path)
				}
			}
		}
		if err := rejectAll(c.errors); err != nil {
			return nil, err
		}
		if _, err := s.actor(p); err != nil {
			return nil, err
		}
		for path, target := range targets {
			if p.has(path) {
				*target = p.text(path)
			}
		}
		if err := s.save(q); err != nil {
			return nil, err
		}
		if s.cfg.Dialect == Live {
			return emptyResponse{}, nil
		}
		return accepted(), nil
	})
}

// attributions maps the paths of the patch to the values that they change.
func (q *inquiryRecord) attributions(d Dialect) map[string]*string {
	utm, external := "attributions.utmParameters.", "attributions.externalReferenceData."
	targets := map[string]*string{
		utm + "source": &q.UTM.Source, utm + "medium": &q.UTM.Medium, utm + "campaign": &q.UTM.Campaign,
		utm + "term": &q.UTM.Term, utm + "content": &q.UTM.Content,
		external + "externalApplicationId": &q.ExternalIDs.ApplicationID,
		external + "externalReferenceId":   &q.ExternalIDs.ReferenceID,
	}
	if d == Live {
		targets[external+"externalCustomerId"] = &q.ExternalIDs.CustomerID
	}
	return targets
}
