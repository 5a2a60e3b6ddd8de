package store

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/lead"
)

const licenseColumns = `holder, state, party, number, may, by_hand, at`

// SaveLenderLicense stores a license that the lender reported. It does not write one that is already stored,
// and it does not change one that a user set.
func (tx *Tx) SaveLenderLicense(ctx context.Context, l lead.License) error {
	var same int
	err := tx.get(ctx, &same, `SELECT count(*) FROM licences WHERE holder = ? AND state = ? AND (by_hand <> '' OR number = ? AND may = 1)`, l.Holder, l.State, l.Number)
	if err != nil || same > 0 {
		return err
	}
	l.Allowed, l.SetBy = true, ""
	return tx.SaveLicense(ctx, l)
}

// SaveLicense writes a license and replaces any stored one.
func (tx *Tx) SaveLicense(ctx context.Context, l lead.License) error {
	return tx.execNamed(ctx, `INSERT INTO licences (`+licenseColumns+`) VALUES (:holder, :state, :party, :number, :may, :by_hand, :at)
		ON CONFLICT (holder, state) DO UPDATE SET party = excluded.party, number = excluded.number, may = excluded.may, by_hand = excluded.by_hand, at = excluded.at`, l)
}

// DropLicense deletes a license, so that nothing is known about this holder and state.
func (tx *Tx) DropLicense(ctx context.Context, holder, state string) error {
	_, err := tx.exec(ctx, `DELETE FROM licences WHERE holder = ? AND state = ?`, holder, state)
	return err
}

// LicensesOf lists the licenses of one holder, by state.
func (q queries) LicensesOf(ctx context.Context, holder string) ([]lead.License, error) {
	var ls []lead.License
	if holder == "" {
		return nil, nil
	}
	return ls, q.list(ctx, &ls, `SELECT `+licenseColumns+` FROM licences WHERE holder = ? ORDER BY state`, holder)
}

// Licenses lists all licenses, by holder and state.
func (q queries) Licenses(ctx context.Context) ([]lead.License, error) {
	var ls []lead.License
	return ls, q.list(ctx, &ls, `SELECT `+licenseColumns+` FROM licences ORDER BY holder, state`)
}

// LicensesWithin lists what is known about the licenses of the originators within a scope.
func (q queries) LicensesWithin(ctx context.Context, scope access.Scope) ([]lead.License, error) {
	where, args := originatorScopeCondition(scope)
	var ls []lead.License
	return ls, q.list(ctx, &ls, `SELECT `+licenseColumns+` FROM licences WHERE holder IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY holder, state`, args...)
}
