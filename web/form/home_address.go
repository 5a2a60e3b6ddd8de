package form

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const homeGroup = "applicant.homeAddress"

// homeAddress returns where the borrower lives: the property if the box is checked, which only a primary residence
// allows, and the typed address otherwise. A program that sends neither the box nor an address for a primary residence
// says with the occupancy that the borrower lives there.
func (f *Form) homeAddress(p heloc.Property) heloc.Address {
	elsewhere := f.CheckHomeAddress()
	_, hasBox := f.Values[lead.HomeIsProperty]
	switch checked := f.IsChecked(lead.HomeIsProperty); {
	case checked && elsewhere && !f.HasAny(homeGroup+"."):
		f.address(homeGroup) // names what is missing
	case checked && p.PropertyType == heloc.PropertyPrimary && !f.HasAny(homeGroup+"."):
		return p.Address
	case checked: // has an error, or has one at the occupancy
	case !hasBox && !f.hasControl(homeGroup+".") && p.PropertyType == heloc.PropertyPrimary:
		return p.Address
	default:
		if p.PropertyType == heloc.PropertyPrimary {
			f.Required(homeGroup+".street1",
				"Enter the street and number, or check the box above if the borrower lives at the property")
		}
		return f.address(homeGroup)
	}
	return heloc.Address{}
}

// CheckHomeAddress records an error at the box if it contradicts the occupancy or the home address beside it. It
// reports whether the occupancy says that the borrower lives elsewhere.
func (f *Form) CheckHomeAddress() (elsewhere bool) {
	what := ""
	switch heloc.PropertyType(f.Text("property.propertyType")) {
	case heloc.PropertySecondary:
		what = "A second home"
	case heloc.PropertyInvestment:
		what = "An investment property"
	}
	elsewhere = what != ""
	if !f.IsChecked(lead.HomeIsProperty) {
		return elsewhere
	}
	switch typed := f.HasAny(homeGroup + "."); {
	case elsewhere && typed:
		f.AddError(lead.HomeIsProperty,
			what+" isn’t where the borrower lives. Uncheck this box to use the home address below, or change the occupancy.")
	case elsewhere:
		f.AddError(lead.HomeIsProperty,
			what+" isn’t where the borrower lives. Uncheck this box and enter the home address, or change the occupancy.")
	case typed:
		f.AddError(lead.HomeIsProperty, "Uncheck this box to use the home address below, or clear that address.")
	}
	return elsewhere
}

// hasControl reports whether the form has a control whose name begins with prefix, even an empty one.
func (f *Form) hasControl(prefix string) bool {
	for name := range f.Values {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
