package sandbox

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/heloc"
)

// inquiryDays is how long an inquiry stays open.
const inquiryDays = 30

// start makes an inquiry (section 4.1).
func (s *Sandbox) start(r *http.Request) (any, error) {
	p, err := s.readSealed(r)
	if err != nil {
		return nil, err
	}
	if err := refuseAll(s.startComplaints(p)); err != nil {
		return nil, err
	}
	actor, err := s.actor(p)
	if err != nil {
		return nil, err
	}
	q, err := s.conceive(p, actor)
	if err != nil {
		return nil, err
	}
	lastName := q.Asked.Applicant.Name.Last
	if hasTrigger(lastName, triggerDown) {
		return nil, refuse(http.StatusServiceUnavailable, "The service is not available at the moment.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q.ShortID = s.shortID(q.Created)
	if err := s.begin(q, work{Op: heloc.OpStart}); err != nil {
		return nil, err
	}
	if hasTrigger(lastName, triggerLost) {
		return nil, errLost
	}
	return data(obj{"appUuid": q.ID}), nil
}

// startComplaints holds the payload against the dialect. The contract marks nothing
// as required; without these few the lender could not even look the home up.
func (s *Sandbox) startComplaints(p payload) []string {
	c := &check{p: p}
	s.requestBlock(c)
	home := "property.address"
	c.required("applicant.name.firstName", "applicant.name.lastName",
		home+".street1", home+".city", home+".state", home+".zip")
	c.matches(s.rules.state, home+".state")
	c.matches(s.rules.ssn, "applicant.ssn")
	c.matches(s.rules.date, "applicant.dob")
	c.boolean("property.isListedForSale")
	c.income("applicant.income")
	c.numeric("property.borrowerEstimatedValue")
	c.each("property.liens", func(l *check) { l.numeric("originalBalance", "currentBalance", "monthlyPayment") })
	if s.cfg.Dialect == Live {
		s.liveStart(c)
	}
	return c.complaints
}

// liveStart adds what the field demands (interface-live.md section 2).
func (s *Sandbox) liveStart(c *check) {
	c.required("applicant.dob", "applicant.email", "applicant.phone",
		"applicant.income.employmentType", "applicant.income.grossAnnualIncome",
		"property.isListedForSale", "property.propertyType")
	c.matches(s.rules.name, "applicant.name.prefix", "applicant.name.firstName", "applicant.name.middleName", "applicant.name.lastName")
	c.matches(s.rules.phone, "applicant.phone")
	c.wholeAddress("applicant.homeAddress", s.rules)
	c.address("property.address", s.rules)
	if _, given := c.p.at("businessInfo.address"); given {
		c.wholeAddress("businessInfo.address", s.rules)
	}
	c.each("property.liens", func(l *check) {
		l.required("originalBalance", "originationDate")
		l.matches(s.rules.name, "lenderName")
		l.matches(s.rules.date, "originationDate")
	})
	c.each("testVariantsRequest.variants", func(v *check) { v.required("name") })
}

// conceive makes the record of a payload and judges its numbers; nothing is kept yet.
func (s *Sandbox) conceive(p payload, actor heloc.Originator) (*record, error) {
	now := s.clock.now()
	q := &record{
		ID: uuid.NewString(), Created: now, Originator: actor.ID, Step: heloc.StepUnknown,
		SSN: judgeSSN(p.text("applicant.ssn")), Score: goodScore,
	}
	// A dangling branch decodes to zero values; only wrong types are refused.
	if err := p.into("applicant", &q.Asked.Applicant); err != nil {
		return nil, err
	}
	if err := p.into("property", &q.Asked.Property); err != nil {
		return nil, err
	}
	if err := p.into("partnerDataRequest", &q.Asked.PartnerData); err != nil {
		return nil, err
	}
	if err := p.into("testVariantsRequest", &q.Asked.TestVariants); err != nil {
		return nil, err
	}
	if err := p.into("businessInfo", &q.Asked.Business); err != nil {
		return nil, err
	}
	if state := q.Asked.Property.Address.State; !licensed(state) {
		return nil, refuse(http.StatusBadRequest, "No associated broker is licensed for the state %s.", state)
	}
	if d := q.Asked.PartnerData; d != nil {
		q.External = heloc.Integrations{ApplicationID: d.AppID, ReferenceID: d.ReferenceID, CustomerID: d.CustomerID}
		if d.UTM != nil {
			q.UTM = *d.UTM
		}
	}
	q.Income = q.Asked.Applicant.Income
	q.Liens = q.stated(q.Asked.Property.Liens)
	q.Hurdles = hurdlesOf(q.Asked.Applicant.Name.Last)
	q.judge()
	q.Life.Expiration = day(now).AddDate(0, 0, inquiryDays)
	q.note(now)
	return q, nil
}

// day is the calendar day of an instant, as midnight UTC.
func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
