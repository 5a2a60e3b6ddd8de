package core

import (
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/partner"
)

// FreeReferences lists the controls of an inquiry's references that are the originator's own: the lender's three
// fields without the one that contains this portal's application number.
func (d Desk) FreeReferences() []string {
	var free []string
	for _, field := range []partner.ReferenceField{partner.ReferenceApp, partner.ReferenceID, partner.ReferenceCustomer} {
		if field != d.Lender.ReferenceField() {
			free = append(free, referenceControl(field))
		}
	}
	return free
}

// ReservedReference is the control of the reference that contains this portal's application number.
func (d Desk) ReservedReference() string { return referenceControl(d.Lender.ReferenceField()) }

func referenceControl(field partner.ReferenceField) string {
	return "partnerDataRequest." + string(field)
}

// CheckReferences refuses an inquiry with a value in the field of this portal's application number, which would
// replace it.
func (d Desk) CheckReferences(given *heloc.PartnerData) error {
	if given == nil {
		return nil
	}
	values := map[partner.ReferenceField]string{partner.ReferenceApp: given.AppID, partner.ReferenceID: given.ReferenceID,
		partner.ReferenceCustomer: given.CustomerID}
	if values[d.Lender.ReferenceField()] == "" {
		return nil
	}
	return fault.InvalidFields(fault.Field{Name: d.ReservedReference(),
		Message: "Hearthline uses this field for its own number. Move the value to another reference, or clear it."})
}
