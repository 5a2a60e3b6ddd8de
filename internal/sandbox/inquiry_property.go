package sandbox

import (
	"fmt"
	"net/http"
	"regexp"

	"hearthline/internal/heloc"
)

// candidate is one of the properties that an ambiguous address matches.
type candidate struct {
	ID      string
	Street1 string
	APN     string
	Lon     float64
	Lat     float64
}

// candidates are three units of the building. An address that is too vague has none.
func (q *inquiryRecord) candidates() []candidate {
	if q.hasBlocker(kindVague) {
		return nil
	}
	street := regexp.MustCompile(`(?i)\s+(apt|unit|ste|suite)\b.*$`).
		ReplaceAllString(q.Inquiry.Property.Address.Street1, "")
	var list []candidate
	for i := 1; i <= 3; i++ {
		roll := stableNumber("parcel", q.ID, street)
		list = append(list, candidate{
			ID:      "prop-" + derivedID(q.ID, "unit", fmt.Sprint(i))[:13],
			Street1: fmt.Sprintf("%s Unit %d", street, i),
			APN:     fmt.Sprintf("%03d-%03d-%02d", roll%1000, roll/1000%1000, i),
			Lon:     -104.9 - float64(roll%1000)/1e4, Lat: 39.7 + float64(i)/1e4,
		})
	}
	return list
}

// properties lists the matches (section 4.9). As the contract allows, it fails when the
// address is too vague to have any.
func (s *Sandbox) properties(r *http.Request) (any, error) {
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		if q.Step != heloc.StepSelectProperty {
			return nil, reject(http.StatusConflict, "Matched properties exist only at the step %s.", heloc.StepSelectProperty)
		}
		found := q.candidates()
		if len(found) == 0 {
			return nil, reject(http.StatusUnprocessableEntity,
				"The address is too ambiguous. Restart the inquiry with a more specific address.")
		}
		home := q.Inquiry.Property.Address
		list := make([]object, 0, len(found))
		for _, c := range found {
			list = append(list, object{
				"id": c.ID, "apn": c.APN, "longitude": c.Lon, "latitude": c.Lat,
				"address": object{"street1": c.Street1, "street2": nil, "city": home.City, "state": home.State, "zip": home.ZIP},
			})
		}
		return object{"properties": list, "messages": messages("INFO", "Several properties match the address.")}, nil
	})
}

// selectProperty selects one of the matched properties (section 4.10).
func (s *Sandbox) selectProperty(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	c := &validator{payload: p}
	c.required("property.propertyId")
	return s.resolve(r, heloc.OpSelectProperty, p, c.errors, func(q *inquiryRecord) error {
		for _, found := range q.candidates() {
			if found.ID == p.text("property.propertyId") {
				q.Property = found.ID
				q.Inquiry.Property.Address.Street1 = found.Street1
				q.Inquiry.Property.Address.Street2 = ""
				q.clearFirst()
				return nil
			}
		}
		return reject(http.StatusBadRequest, "The property is not one of those that match the address.")
	})
}
