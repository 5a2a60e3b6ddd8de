package admin

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/brand"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Branding is the companies' brands: all of them for an administrator, their own company's for a manager.
type Branding struct{ d core.Desk }

// OpenBranding returns the companies' brands; fault.Denied without the permission.
func OpenBranding(d core.Desk) (*Branding, error) {
	return core.Opened(&Branding{d}, d.May(companyPermission(d)))
}

// List returns every company that the user may change, by name, each with its brand. A manager has exactly one, even if
// the directory lists nobody there.
func (b *Branding) List(ctx context.Context) ([]lead.CompanyBrand, error) {
	if err := b.d.May(companyPermission(b.d)); err != nil {
		return nil, err
	}
	people, err := originators(ctx, b.d, b.d.Store.Queries)
	if err != nil {
		return nil, err
	}
	stored, err := b.d.Store.CompanyBrands(ctx)
	if err != nil {
		return nil, err
	}
	var all []lead.CompanyBrand
	if b.d.Actor.Role != access.Admin && len(people) == 0 {
		people = []lead.Originator{{BrokerID: b.d.Actor.BrokerID, BrokerName: b.d.Actor.BrokerName,
			Organization: b.d.Actor.Organization}}
	}
	for _, o := range people {
		company := access.CompanyOf(o.BrokerID, o.Organization)
		if slices.ContainsFunc(all, func(c lead.CompanyBrand) bool { return c.Company == company }) {
			continue
		}
		c := lead.CompanyBrand{Company: company, Name: o.Company(), NMLS: o.BrokerNMLS}
		if at := slices.IndexFunc(stored, func(s store.CompanyBrand) bool { return s.Company == company }); at >= 0 {
			c = core.WithBrand(c, stored[at])
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b lead.CompanyBrand) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return all, nil
}

// BrandChange is a change of a company's brand. What is empty stays as it is.
type BrandChange struct {
	Company     string
	Color       string
	Logo        []byte // the file as it was uploaded
	RemoveLogo  bool
	RemoveColor bool
}

// Save changes a company's brand; a manager's is always their own company's. A field error names the control company,
// color or logo.
func (b *Branding) Save(ctx context.Context, change BrandChange) error {
	known, err := b.List(ctx)
	if err != nil {
		return err
	}
	if b.d.Actor.Role != access.Admin {
		change.Company = b.d.Company()
	}
	if !slices.ContainsFunc(known, func(c lead.CompanyBrand) bool {
		return c.Company == change.Company && change.Company != ""
	}) {
		return fault.InvalidField("company", "Choose a company")
	}
	color, logo, err := change.parse()
	if err != nil {
		return err
	}
	return b.d.WriteBy(ctx, companyPermission(b.d), func(tx *store.Tx) error {
		before, err := tx.CompanyBrand(ctx, change.Company)
		if err != nil {
			return err
		}
		after := before
		after.Company, after.SetBy, after.At = change.Company, b.d.Actor.UserID, store.Millis(b.d.Now())
		if color != "" || change.RemoveColor {
			after.Color = color
		}
		switch {
		case logo.PNG != nil:
			sum := sha256.Sum256(logo.PNG)
			after.Logo, after.LogoDigest, after.LogoWidth, after.LogoHeight = logo.PNG, hex.EncodeToString(sum[:16]),
				logo.Width, logo.Height
		case change.RemoveLogo:
			after.Logo, after.LogoDigest, after.LogoWidth, after.LogoHeight = nil, "", 0, 0
		case before.LogoDigest != "":
			if after.Logo, err = tx.CompanyLogo(ctx, before.LogoDigest); err != nil {
				return err
			}
		}
		write := tx.SaveCompanyBrand
		if after.Color == "" && after.LogoDigest == "" {
			write = func(ctx context.Context, _ store.CompanyBrand) error { return tx.DropCompanyBrand(ctx, change.Company) }
		}
		if err := write(ctx, after); err != nil {
			return err
		}
		return b.d.AuditAction(ctx, tx, store.ActionBranding, "company:"+change.Company, "done", brandDetail(before, after))
	})
}

// parse checks the color and the image.
func (b BrandChange) parse() (color string, logo brand.Logo, err error) {
	var wrong []fault.Field
	if b.Color != "" {
		c, ok := brand.ParseColor(b.Color)
		if !ok {
			wrong = append(wrong, fault.Field{Name: "color", Message: "Enter a color as # and six digits, such as #1D5B4F"})
		}
		color = c.Hex()
	}
	if len(b.Logo) > 0 {
		if logo, err = brand.NewLogo(b.Logo); err != nil {
			wrong = append(wrong, fault.Field{Name: "logo", Message: err.Error()})
		}
	}
	if b.Color == "" && len(b.Logo) == 0 && !b.RemoveColor && !b.RemoveLogo {
		wrong = append(wrong, fault.Field{Name: "logo", Message: "Choose a logo or enter a color"})
	}
	if len(wrong) > 0 {
		return "", brand.Logo{}, fault.InvalidFields(wrong...)
	}
	return color, logo, nil
}

// brandDetail says for the audit what changed.
func brandDetail(before, after store.CompanyBrand) string {
	var parts []string
	if before.Color != after.Color {
		parts = append(parts, "color:"+cmp.Or(after.Color, "removed"))
	}
	if before.LogoDigest != after.LogoDigest {
		parts = append(parts, "logo:"+cmp.Or(after.LogoDigest, "removed"))
	}
	return cmp.Or(strings.Join(parts, " "), "unchanged")
}
