package offers

import (
	"cmp"
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
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
	Brand                 lead.CompanyBrand
	OriginatorUnavailable bool // the lead has no originator now
}

// BorrowerContact returns the contact of the lead's current originator.
func (of *Offers) BorrowerContact(ctx context.Context) (BorrowerContact, error) {
	if err := of.d.May(access.SeeLead); err != nil {
		return BorrowerContact{}, err
	}
	return of.borrowerContact(ctx)
}

func (of *Offers) borrowerContact(ctx context.Context) (BorrowerContact, error) {
	c := BorrowerContact{State: of.d.Row.State, Brand: lead.CompanyBrand{Company: of.d.Row.Company}}
	brand, err := of.d.Store.CompanyBrand(ctx, of.d.Row.Company)
	if err != nil {
		return c, err
	}
	c.Brand = core.WithBrand(c.Brand, brand)
	parts, err := of.d.Store.Parts(ctx, of.d.Row.App)
	if err != nil {
		return c, err
	}
	details, _, err := core.DecryptPart[heloc.Details](of.d, parts, lead.PartDetails)
	if err != nil {
		return c, err
	}
	o, err := of.d.Store.Originator(ctx, of.d.Row.Originator)
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return c, err
	case err == nil && o.RemovedAt == 0 && of.d.Row.Originator != "":
		c.Name, c.Phone, c.NMLS = o.Name(), o.Phone, cmp.Or(o.NMLS, details.Originator.NMLS)
		c.Company, c.CompanyNMLS = o.Company(), o.BrokerNMLS
	default:
		c.OriginatorUnavailable = true
		if err := of.companyFromDirectory(ctx, &c); err != nil {
			return c, err
		}
	}
	c.Company, c.CompanyNMLS = cmp.Or(c.Company, details.Originator.CompanyName),
		cmp.Or(c.CompanyNMLS, details.Originator.CompanyNMLS)
	if c.State == "" {
		return c, nil
	}
	own, err := core.LicenseStatus(ctx, of.d.Store.Queries, string(of.d.Row.Originator), c.State)
	if err != nil {
		return c, err
	}
	company, err := core.LicenseStatus(ctx, of.d.Store.Queries, of.d.Row.BrokerID(), c.State)
	c.Licensed, c.CompanyLicensed = own == lead.LicenseHeld && !c.OriginatorUnavailable, company == lead.LicenseHeld
	return c, err
}

// companyFromDirectory names the lead's company by any of its originators.
func (of *Offers) companyFromDirectory(ctx context.Context, c *BorrowerContact) error {
	people, err := of.d.Colleagues(ctx, of.d.Row.BrokerID(), of.d.Row.Organization)
	for _, o := range people {
		if c.Company == "" {
			c.Company, c.CompanyNMLS = o.Company(), o.BrokerNMLS
		}
	}
	return err
}
