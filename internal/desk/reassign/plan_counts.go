package reassign

import (
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Gets counts how many leads an originator would get.
func (p ReassignPlan) Gets(id heloc.OriginatorID) int {
	return p.count(func(l PlannedLead) bool { return l.To == id })
}

// Movable counts the leads that can be reassigned.
func (p ReassignPlan) Movable() int {
	n := 0
	for _, l := range p.Leads {
		if l.Problem == "" {
			n++
		}
	}
	return n
}

// Unlicensed counts the leads whose new originator has no license on file in the property's state.
func (p ReassignPlan) Unlicensed() int {
	return p.count(func(l PlannedLead) bool { return l.License != lead.LicenseHeld })
}

// WithoutAccount counts the leads whose new originator has no account.
func (p ReassignPlan) WithoutAccount() int {
	return p.count(func(l PlannedLead) bool { return l.NoAccount })
}

// count counts the leads that somebody gets and that fit.
func (p ReassignPlan) count(fits func(l PlannedLead) bool) (n int) {
	for _, l := range p.Leads {
		if l.To != "" && fits(l) {
			n++
		}
	}
	return n
}
