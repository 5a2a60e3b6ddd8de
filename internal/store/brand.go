package store

import "context"

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
func (q queries) CompanyBrand(ctx context.Context, company string) (CompanyBrand, error) {
	brand, _, err := find[CompanyBrand](ctx, q, `SELECT `+brandColumns+` FROM company_brands WHERE company = ?`, company)
	return brand, err
}

// CompanyBrands lists all brands without their logos, by company.
func (q queries) CompanyBrands(ctx context.Context) ([]CompanyBrand, error) {
	return list[CompanyBrand](ctx, q, `SELECT `+brandColumns+` FROM company_brands ORDER BY company`)
}

// CompanyLogo reads a logo by its digest; fault.NotFound when no company has it.
func (q queries) CompanyLogo(ctx context.Context, digest string) ([]byte, error) {
	return get[[]byte](ctx, q, `SELECT logo FROM company_brands WHERE logo_digest = ? AND logo_digest <> ''
		LIMIT 1`, digest)
}
