package lead

import (
	"strings"

	"hearthline/internal/heloc"
)

// FormValues is what the intake form contains, by control name.
type FormValues map[string][]string

// Value returns the first value of a control.
func (f FormValues) Value(name string) string {
	if v := f[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// HomeIsProperty is the control of the box which says that the borrower lives at the property.
const HomeIsProperty = "homeIsProperty"

const homeAddressPrefix = "applicant.homeAddress."

func isHomeAddressControl(control string) bool { return strings.HasPrefix(control, homeAddressPrefix) }

// CheckHomeByDefault checks the box as the form does: for a primary residence, unless another home is given.
func (f FormValues) CheckHomeByDefault() {
	if f.Value("property.propertyType") != string(heloc.PropertyPrimary) {
		return
	}
	for name := range f {
		if isHomeAddressControl(name) && strings.TrimSpace(f.Value(name)) != "" {
			return
		}
	}
	f[HomeIsProperty] = []string{"true"}
}

// LivesElsewhere reports whether the occupancy says that the borrower does not live at the property.
func (f FormValues) LivesElsewhere() bool {
	switch heloc.PropertyType(f.Value("property.propertyType")) {
	case heloc.PropertySecondary, heloc.PropertyInvestment:
		return true
	default:
		return false
	}
}

// isAsked reports whether the intake asks for a control: a borrower who lives at the property has no separate home
// address.
func isAsked(typed FormValues, control string) bool {
	return !isHomeAddressControl(control) || typed.Value(HomeIsProperty) != "true" || typed.LivesElsewhere()
}

// SentAs returns the control whose value is sent as that of the given one: for a borrower who lives at the property,
// the home address is the property's.
func SentAs(typed FormValues, control string) string {
	if part, home := strings.CutPrefix(control, homeAddressPrefix); home && !isAsked(typed, control) {
		return "property.address." + part
	}
	return control
}

// FillEmpty fills empty controls with the given values.
func FillEmpty(typed, given FormValues) {
	for name, values := range given {
		if strings.TrimSpace(given.Value(name)) != "" && strings.TrimSpace(typed.Value(name)) == "" && isAsked(typed, name) {
			typed[name] = values
		}
	}
}
