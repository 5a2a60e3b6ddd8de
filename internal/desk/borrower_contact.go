package desk

import (
	"cmp"
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// BorrowerContact is whom a borrower calls, and the company that speaks to them. A lead without an originator, or
// whose originator has left the directory, has a company only.
type BorrowerContact struct {
	Name, Phone, NMLS     string
	Company, CompanyNMLS  string
	State                 string // of the property, two letters
	Licensed              bool   // whether a license of the originator in that state is on file
	CompanyLicensed       bool
	Brand                 CompanyBrand
	OriginatorUnavailable bool // the lead has no originator now
}

// BorrowerContact returns the contact of the lead's current originator.
func (l *Lead) BorrowerContact(ctx context.Context) (BorrowerContact, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return BorrowerContact{}, err
	}
	return l.borrowerContact(ctx)
}

func (l *Lead) borrowerContact(ctx context.Context) (BorrowerContact, error) {
	c := BorrowerContact{State: l.row.State, Brand: CompanyBrand{Company: l.row.Company}}
	brand, err := l.d.store.CompanyBrand(ctx, l.row.Company)
	if err != nil {
		return c, err
	}
	c.Brand = c.Brand.with(brand)
	parts, err := l.d.store.Parts(ctx, l.row.App)
	if err != nil {
		return c, err
	}
	details, _, err := decryptPart[heloc.Details](l, parts, lead.PartDetails)
	if err != nil {
		return c, err
	}
	o, err := l.d.store.Originator(ctx, l.row.Originator)
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return c, err
	case err == nil && o.RemovedAt == 0 && l.row.Originator != "":
		c.Name, c.Phone, c.NMLS = o.Name(), o.Phone, cmp.Or(o.NMLS, details.Originator.NMLS)
		c.Company, c.CompanyNMLS = o.Company(), o.BrokerNMLS
	default:
		c.OriginatorUnavailable = true
		if err := l.companyFromDirectory(ctx, &c); err != nil {
			return c, err
		}
	}
	c.Company, c.CompanyNMLS = cmp.Or(c.Company, details.Originator.CompanyName), cmp.Or(c.CompanyNMLS, details.Originator.CompanyNMLS)
	if c.State == "" {
		return c, nil
	}
	own, err := licenseStatus(ctx, l.d.store, string(l.row.Originator), c.State)
	if err != nil {
		return c, err
	}
	company, err := licenseStatus(ctx, l.d.store, l.row.BrokerID, c.State)
	c.Licensed, c.CompanyLicensed = own == LicenseHeld && !c.OriginatorUnavailable, company == LicenseHeld
	return c, err
}

// companyFromDirectory names the lead's company by any of its originators.
func (l *Lead) companyFromDirectory(ctx context.Context, c *BorrowerContact) error {
	people, err := l.d.colleagues(ctx, l.row.BrokerID, l.row.Organization)
	for _, o := range people {
		if c.Company == "" {
			c.Company, c.CompanyNMLS = o.Company(), o.BrokerNMLS
		}
	}
	return err
}
