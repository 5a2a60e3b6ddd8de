package reassign

import (
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Gets counts how many leads an originator would get.
func (p Plan) Gets(id heloc.OriginatorID) int {
	return p.count(func(l PlannedLead) bool { return l.To == id })
}

// Movable counts the leads that can be reassigned.
func (p Plan) Movable() int {
	n := 0
	for _, l := range p.Leads {
		if l.Problem == "" {
			n++
		}
	}
	return n
}

// Unlicensed counts the leads whose new originator has no license on file in the property's state.
func (p Plan) Unlicensed() int {
	return p.count(func(l PlannedLead) bool { return l.License != lead.LicenseHeld })
}

// WithoutAccount counts the leads whose new originator has no account.
func (p Plan) WithoutAccount() int {
	return p.count(func(l PlannedLead) bool { return l.NoAccount })
}

// count counts the leads that somebody gets and that fit.
func (p Plan) count(fits func(l PlannedLead) bool) (n int) {
	for _, l := range p.Leads {
		if l.To != "" && fits(l) {
			n++
		}
	}
	return n
}
