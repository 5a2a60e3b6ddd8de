package lead

import (
	"slices"

	"hearthline/internal/heloc"
)

// Party is the kind of license holder.
type Party string

// The license holders that the portal checks.
const (
	PartyOriginator Party = "originator"
	PartyBroker     Party = "broker"
)

// License records whether somebody may act in a state. Holder is the lender's id of an originator or a broker
// company.
type License struct {
	Holder  string `db:"holder"`
	State   string `db:"state"` // two letters
	Party   Party  `db:"party"`
	Number  string `db:"number"`
	Allowed bool   `db:"allowed"`
	SetBy   string `db:"set_by"` // the id of the user who set it; empty when the lender reported it
	At      int64  `db:"at"`
	// ExpiresOn is the last day, as an administrator entered it; empty if it is not known. The lender does not report it.
	ExpiresOn heloc.Date `db:"expires_on"`
}

// LicenseStatus is what is known about an originator's right to act in a state.
type LicenseStatus string

// The license statuses. An unknown status refuses nothing, but is shown.
const (
	LicenseHeld    LicenseStatus = "held"
	LicenseUnknown LicenseStatus = "unknown"
	LicenseMissing LicenseStatus = "missing" // somebody has recorded that they may not
)

// LicenseStatusIn returns what the licenses of one holder say about a state.
func LicenseStatusIn(state string, licenses []License) LicenseStatus {
	at := slices.IndexFunc(licenses, func(l License) bool { return l.State == state })
	switch {
	case at < 0:
		return LicenseUnknown
	case licenses[at].Allowed:
		return LicenseHeld
	default:
		return LicenseMissing
	}
}

// LicenseTable is the licenses of several holders, by holder.
type LicenseTable map[string][]License

// LicenseTableOf sorts licenses by holder.
func LicenseTableOf(all []License) LicenseTable {
	table := LicenseTable{}
	for _, l := range all {
		table[l.Holder] = append(table[l.Holder], l)
	}
	return table
}

// Status returns what is known about an originator's right to act in a state. Without a state, there is nothing to
// compare yet.
func (t LicenseTable) Status(o Originator, state string) LicenseStatus {
	if state == "" {
		return LicenseHeld
	}
	return LicenseStatusIn(state, t[string(o.UUID)])
}
