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

// candidates are three units of the building. An address too vague to be found has none.
func (q *record) candidates() []candidate {
	if q.awaits(kindVague) {
		return nil
	}
	street := regexp.MustCompile(`(?i)\s+(apt|unit|ste|suite)\b.*$`).ReplaceAllString(q.Asked.Property.Address.Street1, "")
	var list []candidate
	for i := 1; i <= 3; i++ {
		roll := dice("parcel", q.ID, street)
		list = append(list, candidate{
			ID:      "prop-" + derivedID(q.ID, "unit", fmt.Sprint(i))[:13],
			Street1: fmt.Sprintf("%s Unit %d", street, i),
			APN:     fmt.Sprintf("%03d-%03d-%02d", roll%1000, roll/1000%1000, i),
			Lon:     -104.9 - float64(roll%1000)/1e4, Lat: 39.7 + float64(i)/1e4,
		})
	}
	return list
}

// properties lists the matches (section 4.9). It fails, as the contract says it may,
// where the address is too vague to have any.
func (s *Sandbox) properties(r *http.Request) (any, error) {
	return s.with(r, func(q *record) (any, error) {
		if q.Step != heloc.StepSelectProperty {
			return nil, refuse(http.StatusConflict, "Matched properties exist only at the step %s.", heloc.StepSelectProperty)
		}
		found := q.candidates()
		if len(found) == 0 {
			return nil, refuse(http.StatusUnprocessableEntity,
				"The address is too ambiguous. Restart the inquiry with a more specific address.")
		}
		home := q.Asked.Property.Address
		list := make([]obj, 0, len(found))
		for _, c := range found {
			list = append(list, obj{
				"id": c.ID, "apn": c.APN, "longitude": c.Lon, "latitude": c.Lat,
				"address": obj{"street1": c.Street1, "street2": nil, "city": home.City, "state": home.State, "zip": home.ZIP},
			})
		}
		return obj{"properties": list, "messages": messages("INFO", "Several properties match the address.")}, nil
	})
}

// selectProperty settles which unit is meant (section 4.10).
func (s *Sandbox) selectProperty(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	c := &check{p: p}
	c.required("property.propertyId")
	return s.resolve(r, heloc.OpSelectProperty, p, c.complaints, func(q *record) error {
		for _, found := range q.candidates() {
			if found.ID == p.text("property.propertyId") {
				q.Property = found.ID
				q.Asked.Property.Address.Street1 = found.Street1
				q.Asked.Property.Address.Street2 = ""
				q.clear()
				return nil
			}
		}
		return refuse(http.StatusBadRequest, "The property is not one of those that match the address.")
	})
}
