package store

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/lead"
)

// CompanyBrand is what a broker company puts on pages for borrowers. Nothing in it is confidential.
type CompanyBrand struct {
	Company    string `db:"company"` // as access.CompanyOf names it
	Color      string `db:"color"`   // "1d5b4f"; "" for none
	LogoDigest string `db:"logo_digest"`
	LogoWidth  int    `db:"logo_width"` // pixels
	LogoHeight int    `db:"logo_height"`
	SetBy      string `db:"set_by"`
	At         int64  `db:"at"`
	Logo       []byte `db:"logo"` // PNG; read only by CompanyLogo
}

const brandColumns = `company, color, logo_digest, logo_width, logo_height, set_by, at`

// SaveCompanyBrand writes a brand with its logo and replaces any stored one.
func (tx *Tx) SaveCompanyBrand(ctx context.Context, b CompanyBrand) error {
	return tx.upsert(ctx, "company_brands", `company`, brandColumns+`, logo`, b)
}

// DropCompanyBrand deletes a brand.
func (tx *Tx) DropCompanyBrand(ctx context.Context, company string) error {
	return tx.exec(ctx, `DELETE FROM company_brands WHERE company = ?`, company)
}

// CompanyBrand reads a company's brand without the logo; the zero value when it has none.
func (q Queries) CompanyBrand(ctx context.Context, company string) (CompanyBrand, error) {
	return findOrZero[CompanyBrand](ctx, q, `SELECT `+brandColumns+` FROM company_brands WHERE company = ?`, company)
}

// CompanyBrands lists all brands without their logos, by company.
func (q Queries) CompanyBrands(ctx context.Context) ([]CompanyBrand, error) {
	return list[CompanyBrand](ctx, q, `SELECT `+brandColumns+` FROM company_brands ORDER BY company`)
}

// CompanyLogo reads a logo by its digest; fault.NotFound when no company has it.
func (q Queries) CompanyLogo(ctx context.Context, digest string) ([]byte, error) {
	return get[[]byte](ctx, q, `SELECT logo FROM company_brands WHERE logo_digest = ? AND logo_digest <> ''
		LIMIT 1`, digest)
}

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
func (q Queries) LicensesOf(ctx context.Context, holder string) ([]lead.License, error) {
	if holder == "" {
		return nil, nil
	}
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses WHERE holder = ? ORDER BY state`, holder)
}

// Licenses lists all licenses, by holder and state.
func (q Queries) Licenses(ctx context.Context) ([]lead.License, error) {
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses ORDER BY holder, state`)
}

// LicensesWithin lists what is known about the licenses of the originators within a scope.
func (q Queries) LicensesWithin(ctx context.Context, scope access.Scope) ([]lead.License, error) {
	where, args := originatorScopeCondition(scope)
	return list[lead.License](ctx, q, `SELECT `+licenseColumns+` FROM licenses
		WHERE holder IN (SELECT uuid FROM originators WHERE `+where+`) ORDER BY holder, state`, args...)
}
