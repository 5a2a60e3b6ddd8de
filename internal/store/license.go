package store

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/lead"
)

const licenseColumns = `holder, state, party, number, allowed, set_by, at, expires_on`

// SaveLenderLicense stores a license that the lender reported. It does not write one that is already stored,
// and it does not change one that a user set.
func (tx *Tx) SaveLenderLicense(ctx context.Context, l lead.License) error {
	same, err := get[int](ctx, tx.queries, `SELECT count(*) FROM licenses WHERE holder = ? AND state = ? AND (set_by <> '' OR number = ? AND allowed = 1)`, l.Holder, l.State, l.Number)
	if err != nil || same > 0 {
		return err
	}
	l.Allowed, l.SetBy = true, ""
	return tx.SaveLicense(ctx, l)
}

// SaveLicense writes a license and replaces any stored one.
func (tx *Tx) SaveLicense(ctx context.Context, l lead.License) error {
	return tx.upsert(ctx, "licenses", `holder, state`, licenseColumns, l)
}

// DropLicense deletes a license, so that nothing is known about this holder and state.
func (tx *Tx) DropLicense(ctx context.Context, holder, state string) error {
	return tx.exec(ctx, `DELETE FROM licenses WHERE holder = ? AND state = ?`, holder, state)
}

// LicensesOf lists the licenses of one holder, by state.
func (q queries) LicensesOf(ctx context.Context, holder string) ([]lead.License, error) {
	if holder == "" {
		return nil, nil
	}
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses WHERE holder = ? ORDER BY state`, holder)
}

// Licenses lists all licenses, by holder and state.
func (q queries) Licenses(ctx context.Context) ([]lead.License, error) {
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses ORDER BY holder, state`)
}

// LicensesWithin lists what is known about the licenses of the originators within a scope.
func (q queries) LicensesWithin(ctx context.Context, scope access.Scope) ([]lead.License, error) {
	where, args := originatorScopeCondition(scope)
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses WHERE holder IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY holder, state`, args...)
}
