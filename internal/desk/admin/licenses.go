package admin

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Licenses is the license table: all of it for an administrator, their own company's for a manager.
type Licenses struct{ d core.Desk }

// OpenLicenses returns the license table; fault.Denied without the permission.
func OpenLicenses(d core.Desk) (*Licenses, error) {
	return core.Opened(&Licenses{d}, d.May(companyPermission(d)))
}

// NamedLicense is one license with the name of its holder.
type NamedLicense struct {
	lead.License
	Name, NMLS string
}

// List returns the licenses on file, and the holders that can be chosen.
func (l *Licenses) List(ctx context.Context) ([]NamedLicense, []lead.LicenseHolder, error) {
	if err := l.d.May(companyPermission(l.d)); err != nil {
		return nil, nil, err
	}
	people, err := originators(ctx, l.d, l.d.Store.Queries)
	if err != nil {
		return nil, nil, err
	}
	all, err := licenses(ctx, l.d, l.d.Store.Queries)
	known := make([]NamedLicense, len(all))
	for i, license := range all {
		known[i].License = license
		for _, o := range people {
			switch {
			case license.Party == lead.PartyOriginator && string(o.UUID) == license.Holder:
				known[i].Name, known[i].NMLS = o.Name(), o.NMLS
			case license.Party == lead.PartyBroker && o.BrokerID == license.Holder:
				known[i].Name, known[i].NMLS = o.BrokerName, o.BrokerNMLS
			}
		}
	}
	return known, lead.LicenseHolders(people), err
}

// LicenseEntry is what is recorded about one holder in several states. An empty number or date keeps what is on file.
type LicenseEntry struct {
	Holder    string
	States    []string
	Number    string // of one state
	ExpiresOn heloc.Date
	Allowed   bool
	Forget    bool // nothing is recorded any longer; what the lender reports is stored again
}

// Set records whether a holder may act in some states. Its field errors name the controls holder, state and number.
func (l *Licenses) Set(ctx context.Context, entry LicenseEntry) error {
	if err := l.d.May(companyPermission(l.d)); err != nil {
		return err
	}
	var wrong []fault.Field
	if len(entry.States) == 0 || slices.ContainsFunc(entry.States, func(s string) bool { return !heloc.IsState(s) }) {
		wrong = append(wrong, fault.Field{Name: "state", Message: "Choose at least one state"})
	}
	if entry.Number != "" && len(entry.States) > 1 {
		wrong = append(wrong, fault.Field{Name: "number", Message: "A license number belongs to one state. " +
			"Leave it empty, or choose one state"})
	}
	if len([]rune(entry.Number)) > lead.MaxLicenseNumber {
		wrong = append(wrong, fault.Field{Name: "number", Message: "Enter at most 40 characters"})
	}
	return l.d.WriteBy(ctx, companyPermission(l.d), func(tx *store.Tx) error {
		file, err := l.onFile(ctx, tx.Queries)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(file.Holders, func(h lead.LicenseHolder) bool { return h.ID == entry.Holder })
		if at < 0 {
			wrong = append([]fault.Field{{Name: "holder", Message: "Choose the license holder"}}, wrong...)
		}
		if len(wrong) > 0 {
			return fault.InvalidFields(wrong...)
		}
		for _, state := range entry.States {
			if entry.Forget {
				if err := l.drop(ctx, tx, entry.Holder, state); err != nil {
					return err
				}
				continue
			}
			license := lead.License{Holder: entry.Holder, State: state, Party: file.Holders[at].Party, Number: entry.Number,
				Allowed: entry.Allowed, ExpiresOn: entry.ExpiresOn}
			if before := file.License(entry.Holder, state); before != nil {
				license.Number = cmp.Or(license.Number, before.Number)
				license.ExpiresOn = cmp.Or(license.ExpiresOn, before.ExpiresOn)
			}
			if err := l.save(ctx, tx, license); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l *Licenses) drop(ctx context.Context, tx *store.Tx, holder, state string) error {
	if err := tx.DropLicense(ctx, holder, state); err != nil {
		return err
	}
	return l.d.AuditAction(ctx, tx, store.ActionLicense, "license:"+holder, "done", state+" forgotten")
}

func (l *Licenses) save(ctx context.Context, tx *store.Tx, license lead.License) error {
	license.SetBy, license.At = l.d.Actor.UserID, store.Millis(l.d.Now())
	if err := tx.SaveLicense(ctx, license); err != nil {
		return err
	}
	return l.d.AuditAction(ctx, tx, store.ActionLicense, "license:"+license.Holder, "done",
		license.State+" "+map[bool]string{true: "may", false: "may not"}[license.Allowed])
}

// onFile reads what a list of licenses is compared with.
func (l *Licenses) onFile(ctx context.Context, from store.Queries) (file lead.LicensesOnFile, err error) {
	people, err := originators(ctx, l.d, from)
	if err != nil {
		return file, err
	}
	file.Holders, file.Today = lead.LicenseHolders(people), today(l.d)
	file.Licenses, err = licenses(ctx, l.d, from)
	return file, err
}

// Preview compares a list of licenses with those on file, and changes nothing. A field error names the control rows.
func (l *Licenses) Preview(ctx context.Context, list string) (lead.LicensePlan, error) {
	if err := l.d.May(companyPermission(l.d)); err != nil {
		return nil, err
	}
	if len(list) > lead.MaxLicenseFile {
		return nil, fault.InvalidField("rows", "The list is larger than 256 KB. Send it in parts")
	}
	file, err := l.onFile(ctx, l.d.Store.Queries)
	plan := file.Plan(list)
	if err == nil && len(plan) == 0 {
		err = fault.InvalidField("rows", "Paste a list or choose a file")
	}
	return plan, err
}

// Import saves what a preview with this digest showed; fault.Conflict when the list or the licenses on file are others
// by now.
func (l *Licenses) Import(ctx context.Context, list, digest string) error {
	return l.d.WriteBy(ctx, companyPermission(l.d), func(tx *store.Tx) error {
		file, err := l.onFile(ctx, tx.Queries)
		if err != nil {
			return err
		}
		plan := file.Plan(list)
		if plan.Fingerprint() != digest {
			return fault.New(fault.Conflict, "The list or the licenses on file changed after this preview. "+
				"Nothing was saved. Check the new preview and save again.")
		}
		for _, c := range plan {
			if !c.Saves() {
				continue
			}
			if err := l.save(ctx, tx, c.License); err != nil {
				return err
			}
		}
		return nil
	})
}

// Texts lists the versions of the consent text, each with the number of consents to it. The current version comes
// first.
func (l *Licenses) Texts(ctx context.Context) ([]lead.ConsentText, error) {
	if err := l.d.May(access.ManageSettings); err != nil { // of all companies
		return nil, err
	}
	return l.d.Store.ConsentTexts(ctx)
}
