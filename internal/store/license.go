package store

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/lead"
)

const licenseColumns = `holder, state, party, number, allowed, set_by, at, expires_on`

// SaveLenderLicenses stores licenses that the lender reported. It does not write one that is already stored,
// and it does not change one that a user set.
func (tx *Tx) SaveLenderLicenses(ctx context.Context, reported ...lead.License) error {
	if len(reported) == 0 {
		return nil
	}
	reported = slices.Clone(reported)
	for i := range reported {
		reported[i].Allowed, reported[i].SetBy = true, ""
	}
	return tx.execNamed(ctx, insertSQL("licenses", licenseColumns)+` ON CONFLICT (holder, state) DO UPDATE SET `+
		assignments(licenseColumns, `holder, state`, "excluded.")+`
		WHERE licenses.set_by = '' AND (licenses.number <> excluded.number OR licenses.allowed <> 1)`, reported)
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
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses
		WHERE holder IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY holder, state`, args...)
}
