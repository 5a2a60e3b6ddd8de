package desk

import (
	"strings"

	"hearthline/internal/heloc"
)

// HomeIsProperty is the control of the box which says that the borrower lives at the property.
const HomeIsProperty = "homeIsProperty"

const homeAddressPrefix = "applicant.homeAddress."

func isHomeAddressControl(control string) bool { return strings.HasPrefix(control, homeAddressPrefix) }

// CheckHomeByDefault checks the box as the form does: for a primary residence, unless another home is given.
func (t FormValues) CheckHomeByDefault() {
	if t.Value("property.propertyType") != string(heloc.PropertyPrimary) {
		return
	}
	for name := range t {
		if isHomeAddressControl(name) && strings.TrimSpace(t.Value(name)) != "" {
			return
		}
	}
	t[HomeIsProperty] = []string{"true"}
}

// livesElsewhere reports whether the occupancy says that the borrower does not live at the property.
func (t FormValues) livesElsewhere() bool {
	switch heloc.PropertyType(t.Value("property.propertyType")) {
	case heloc.PropertySecondary, heloc.PropertyInvestment:
		return true
	default:
		return false
	}
}

// isAsked reports whether the intake asks for a control: a borrower who lives at the property has no separate home
// address.
func isAsked(typed FormValues, control string) bool {
	return !isHomeAddressControl(control) || typed.Value(HomeIsProperty) != "true" || typed.livesElsewhere()
}

// sentAs returns the control whose value is sent as that of the given one: for a borrower who lives at the property,
// the home address is the property's.
func sentAs(typed FormValues, control string) string {
	if part, home := strings.CutPrefix(control, homeAddressPrefix); home && !isAsked(typed, control) {
		return "property.address." + part
	}
	return control
}
