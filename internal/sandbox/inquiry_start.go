package sandbox

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/heloc"
)

// inquiryDays is how many days an inquiry stays open.
const inquiryDays = 30

// start creates an inquiry (section 4.1).
func (s *Sandbox) start(r *http.Request) (any, error) {
	p, err := s.readEncrypted(r)
	if err != nil {
		return nil, err
	}
	if err := rejectAll(s.startErrors(p)); err != nil {
		return nil, err
	}
	actor, err := s.actor(p)
	if err != nil {
		return nil, err
	}
	q, err := s.newInquiry(p, actor)
	if err != nil {
		return nil, err
	}
	lastName := q.Inquiry.Applicant.Name.Last
	if hasTrigger(lastName, triggerDown) {
		return nil, reject(http.StatusServiceUnavailable, "The service is not available at the moment.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q.ShortID = s.shortID(q.Created)
	if err := s.startProcessing(q, processing{Op: heloc.OpStart}); err != nil {
		return nil, err
	}
	if hasTrigger(lastName, triggerLost) {
		return nil, errResponseLost
	}
	return withData(object{"appUuid": q.ID}), nil
}

// startErrors validates the payload for the dialect. The contract marks nothing as required;
// without these few fields the lender could not find the property.
func (s *Sandbox) startErrors(p payload) []string {
	c := &validator{payload: p}
	s.requestBlock(c)
	home := "property.address"
	c.required("applicant.name.firstName", "applicant.name.lastName",
		home+".street1", home+".city", home+".state", home+".zip")
	c.matches(s.patterns.state, home+".state")
	c.matches(s.patterns.ssn, "applicant.ssn")
	c.dates(s.patterns, "applicant.dob")
	c.boolean("property.isListedForSale")
	c.income("applicant.income", s.cfg.Dialect)
	c.oneOf("property.propertyType", propertyTypes())
	c.oneOf("property.ownershipType", ownershipTypes())
	c.numeric("property.borrowerEstimatedValue", "businessInfo.ownershipPercentage", "businessInfo.totalMonthlyRevenue")
	c.between("businessInfo.ownershipPercentage", 0, 100)
	c.oneOf("businessInfo.entityType", entityTypes(s.cfg.Dialect))
	c.stateCode(s.patterns, "businessInfo.stateOfIncorporation")
	c.forEach("property.liens", func(l *validator) {
		l.numeric("originalBalance", "currentBalance", "monthlyPayment")
		l.dates(s.patterns, "originationDate")
	})
	if s.cfg.Dialect == Live {
		s.liveStart(c)
	}
	return c.errors
}

// liveStart adds the requirements of the live service (interface-live.md section 2).
func (s *Sandbox) liveStart(c *validator) {
	c.required("applicant.dob", "applicant.email", "applicant.phone",
		"applicant.income.employmentType", "applicant.income.grossAnnualIncome",
		"property.isListedForSale", "property.propertyType")
	c.matches(s.patterns.name, "applicant.name.prefix", "applicant.name.firstName", "applicant.name.middleName",
		"applicant.name.lastName")
	c.matches(s.patterns.phone, "applicant.phone")
	c.wholeAddress("applicant.homeAddress", s.patterns)
	c.address("property.address", s.patterns)
	if _, given := c.payload.lookup("businessInfo.address"); given {
		c.wholeAddress("businessInfo.address", s.patterns)
	}
	c.forEach("property.liens", func(l *validator) {
		l.required("originalBalance", "originationDate")
		l.matches(s.patterns.name, "lenderName")
	})
	c.forEach("testVariantsRequest.variants", func(v *validator) { v.required("name") })
}

// newInquiry creates the record for a payload and underwrites it; it does not store it yet.
func (s *Sandbox) newInquiry(p payload, actor heloc.Originator) (*inquiryRecord, error) {
	now := s.clock.lenderTime()
	q := &inquiryRecord{
		ID: uuid.NewString(), Created: now, Originator: actor.ID, Step: heloc.StepUnknown,
		SSN: ssnVerdictOf(p.text("applicant.ssn")), Score: goodScore, terms: s.terms,
	}
	// A missing branch decodes to zero values; only wrong types are rejected.
	if err := p.decode("applicant", &q.Inquiry.Applicant); err != nil {
		return nil, err
	}
	if err := p.decode("property", &q.Inquiry.Property); err != nil {
		return nil, err
	}
	if err := p.decode("partnerDataRequest", &q.Inquiry.PartnerData); err != nil {
		return nil, err
	}
	if err := p.decode("testVariantsRequest", &q.Inquiry.TestVariants); err != nil {
		return nil, err
	}
	if err := p.decode("businessInfo", &q.Inquiry.Business); err != nil {
		return nil, err
	}
	if state := q.Inquiry.Property.Address.State; !licensed(state) {
		return nil, reject(http.StatusBadRequest, "No associated broker is licensed for the state %s.", state)
	}
	if d := q.Inquiry.PartnerData; d != nil {
		q.ExternalIDs = heloc.Integrations{ApplicationID: d.AppID, ReferenceID: d.ReferenceID, CustomerID: d.CustomerID}
		if d.UTM != nil {
			q.UTM = *d.UTM
		}
	}
	q.Income = q.Inquiry.Applicant.Income
	q.Liens = q.statedLiens(q.Inquiry.Property.Liens)
	q.Blockers = blockersOf(q.Inquiry.Applicant.Name.Last)
	q.underwrite()
	q.Dates.Expiration = day(now).AddDate(0, 0, inquiryDays)
	q.addHistory(now)
	return q, nil
}

// day is the beginning of the calendar day of an instant in its location.
func day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}
