package lead

import "hearthline/internal/heloc"

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
