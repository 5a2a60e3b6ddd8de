package store

import "context"

// Party is whose licence it is.
type Party string

// The parties whose licences matter here.
const (
	PartyOriginator Party = "originator"
	PartyBroker     Party = "broker"
)

// Licence says whether somebody may act in a state. Holder is an originator's or a broker
// company's id at the lender.
type Licence struct {
	Holder string `db:"holder"`
	State  string `db:"state"` // two letters
	Party  Party  `db:"party"`
	Number string `db:"number"`
	May    bool   `db:"may"`
	ByHand string `db:"by_hand"` // the id of who set it; empty when the lender named it
	At     int64  `db:"at"`
}

const licenceColumns = `holder, state, party, number, may, by_hand, at`

// LearnLicence keeps a licence that the lender named. What is known already costs no
// write, and what was set by hand stays.
func (tx *Tx) LearnLicence(ctx context.Context, l Licence) error {
	var same int
	err := tx.get(ctx, &same, `SELECT count(*) FROM licences WHERE holder = ? AND state = ? AND (by_hand <> '' OR number = ? AND may = 1)`, l.Holder, l.State, l.Number)
	if err != nil || same > 0 {
		return err
	}
	l.May, l.ByHand = true, ""
	return tx.SaveLicence(ctx, l)
}

// SaveLicence writes one, whatever was known.
func (tx *Tx) SaveLicence(ctx context.Context, l Licence) error {
	return tx.named(ctx, `INSERT INTO licences (`+licenceColumns+`) VALUES (:holder, :state, :party, :number, :may, :by_hand, :at)
		ON CONFLICT (holder, state) DO UPDATE SET party = excluded.party, number = excluded.number, may = excluded.may, by_hand = excluded.by_hand, at = excluded.at`, l)
}

// DropLicence forgets one: nothing is known then.
func (tx *Tx) DropLicence(ctx context.Context, holder, state string) error {
	_, err := tx.exec(ctx, `DELETE FROM licences WHERE holder = ? AND state = ?`, holder, state)
	return err
}

// LicencesOf lists what is known of one holder, by state.
func (q queries) LicencesOf(ctx context.Context, holder string) ([]Licence, error) {
	var ls []Licence
	if holder == "" {
		return nil, nil
	}
	return ls, q.list(ctx, &ls, `SELECT `+licenceColumns+` FROM licences WHERE holder = ? ORDER BY state`, holder)
}

// Licences lists all that is known, by holder and state.
func (q queries) Licences(ctx context.Context) ([]Licence, error) {
	var ls []Licence
	return ls, q.list(ctx, &ls, `SELECT `+licenceColumns+` FROM licences ORDER BY holder, state`)
}
