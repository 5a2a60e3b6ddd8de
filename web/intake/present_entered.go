package intake

import (
	"hearthline/internal/heloc"
	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/web/form"
)

// unbroken is a space at which the browser does not break a line.
const unbroken = "\u00a0"

// presentEntered maps what was entered so far, by section, for the summary beside the form. An entry that cannot be
// sent as it is is left out, and so is the SSN.
func presentEntered(f *form.Form, in heloc.Inquiry, requested heloc.Money) []view.Entered {
	var all []view.Entered
	add := func(section string, lines ...string) {
		kept := lines[:0]
		for _, line := range lines {
			if line != "" {
				kept = append(kept, line)
			}
		}
		if len(kept) > 0 {
			all = append(all, view.Entered{Section: section, Lines: kept})
		}
	}
	typed := func(name string) string { return f.Text("property.address." + name) }
	wanted, occupancy := "", ""
	if requested > 0 {
		wanted = text.Money(requested) + unbroken + "requested"
	}
	if in.Property.PropertyType != "" {
		occupancy = text.Property(string(in.Property.PropertyType))
	}
	street := text.JoinNonEmpty(" ", typed("street1"), typed("street2"))
	add("property", text.JoinNonEmpty(", ", street, typed("city"),
		text.JoinNonEmpty(unbroken, typed("state"), typed("zip"))), text.JoinNonEmpty(" · ", occupancy, wanted))
	add("borrower", borrowerNameIn(f))
	if pay := in.Applicant.Income.GrossAnnual; pay != nil {
		add("income", "Annual gross pay "+text.Money(*pay))
	}
	add("liens", liensText(in.Property.Liens))
	add("business", f.Text("businessInfo.entityName"))
	if method := f.Consent().Method; text.IsConsent(method) {
		add("consent", text.Consent(method))
	}
	return all
}

// liensText counts the liens and adds up their balances.
func liensText(liens []heloc.LienInput) string {
	if len(liens) == 0 {
		return ""
	}
	var sum heloc.Money
	for _, l := range liens {
		if l.CurrentBalance != nil {
			sum += *l.CurrentBalance
		}
	}
	return text.JoinNonEmpty(" · ", text.Pluralize(len(liens), "lien", "liens"), text.MoneyOrEmpty(sum))
}
