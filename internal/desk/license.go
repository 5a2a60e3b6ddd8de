package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// LicenseStatus is what is known about an originator's right to act in a state.
type LicenseStatus string

// The license statuses. An unknown status refuses nothing, but is shown.
const (
	LicenseHeld    LicenseStatus = "held"
	LicenseUnknown LicenseStatus = "unknown"
	LicenseMissing LicenseStatus = "missing" // somebody has recorded that they may not
)

// StateLicense is whether an originator may act in a state, and which colleagues may instead.
type StateLicense struct {
	State              string
	Own                LicenseStatus
	Company            LicenseStatus
	LicensedColleagues []lead.Originator // colleagues who have a license there
}

// License returns what is known about this user's own license in a state, before they type any borrower data.
func (in *Intake) License(ctx context.Context, state string) (StateLicense, error) {
	if err := in.d.may(access.StartInquiry); err != nil {
		return StateLicense{}, err
	}
	return in.d.stateLicense(ctx, in.d.Actor.OriginatorUUID, state)
}

func (d *Desk) stateLicense(ctx context.Context, originator, state string) (StateLicense, error) {
	l := StateLicense{State: state}
	var err error
	if l.Own, err = licenseStatus(ctx, d.store, originator, state); err != nil {
		return l, err
	}
	if l.Company, err = licenseStatus(ctx, d.store, d.Actor.BrokerID, state); err != nil {
		return l, err
	}
	if l.Own == LicenseHeld {
		return l, nil
	}
	colleagues, err := d.colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	if err != nil {
		return l, err
	}
	for _, o := range colleagues {
		status, err := licenseStatus(ctx, d.store, string(o.UUID), state)
		if err != nil {
			return l, err
		}
		if status == LicenseHeld && o.RemovedAt == 0 && string(o.UUID) != originator && len(l.LicensedColleagues) < 3 {
			l.LicensedColleagues = append(l.LicensedColleagues, o)
		}
	}
	return l, nil
}

// licenseReader is the database or a transaction.
type licenseReader interface {
	LicensesOf(ctx context.Context, holder string) ([]lead.License, error)
}

func licenseStatus(ctx context.Context, from licenseReader, holder, state string) (LicenseStatus, error) {
	all, err := from.LicensesOf(ctx, holder)
	at := slices.IndexFunc(all, func(l lead.License) bool { return l.State == state })
	switch {
	case err != nil || at < 0:
		return LicenseUnknown, err
	case all[at].Allowed:
		return LicenseHeld, nil
	default:
		return LicenseMissing, nil
	}
}

// checkMayActIn reports whether the originator may act in a state: false only when somebody has recorded that they
// may not.
func checkMayActIn(ctx context.Context, from licenseReader, originator heloc.OriginatorID, state string) (bool, error) {
	status, err := licenseStatus(ctx, from, string(originator), state)
	return status != LicenseMissing, err
}

// requireLicense returns an error for a control when somebody has recorded that this user may not act in the state in
// their own name. An empty state is always allowed.
func (d *Desk) requireLicense(ctx context.Context, state, control string) error {
	may, err := checkMayActIn(ctx, d.store, heloc.OriginatorID(d.Actor.OriginatorUUID), state)
	if err == nil && !may {
		err = fault.InvalidFields(fault.Field{Name: control, Message: "You aren’t licensed in this state. A licensed colleague must start the inquiry"})
	}
	return err
}

// Licenses is the license table, for users who may see how the portal works.
type Licenses struct{ d *Desk }

// Licenses returns the license table; fault.Denied without the permission.
func (d *Desk) Licenses() (*Licenses, error) {
	if err := d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return &Licenses{d}, nil
}

// NamedLicense is one license with the name of its holder.
type NamedLicense struct {
	lead.License
	Name, NMLS string
}

// List returns all known licenses, and the directory from which a holder can be chosen.
func (ls *Licenses) List(ctx context.Context) ([]NamedLicense, []lead.Originator, error) {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return nil, nil, err
	}
	all, err := ls.d.store.Licenses(ctx)
	if err != nil {
		return nil, nil, err
	}
	people, err := ls.d.store.AllOriginators(ctx)
	known := make([]NamedLicense, len(all))
	for i, l := range all {
		known[i].License = l
		for _, o := range people {
			switch {
			case l.Party == lead.PartyOriginator && string(o.UUID) == l.Holder:
				known[i].Name, known[i].NMLS = o.Name(), o.NMLS
			case l.Party == lead.PartyBroker && o.BrokerID == l.Holder:
				known[i].Name, known[i].NMLS = o.BrokerName, o.BrokerNMLS
			}
		}
	}
	return known, people, err
}

// Set records whether a holder from the directory may act in a state.
func (ls *Licenses) Set(ctx context.Context, l lead.License) error {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return err
	}
	if err := ls.setParty(ctx, &l); err != nil {
		return err
	}
	l.SetBy, l.At = ls.d.Actor.UserID, store.Millis(ls.d.now())
	return ls.write(ctx, l, map[bool]string{true: "may", false: "may not"}[l.Allowed], func(tx *store.Tx) error { return tx.SaveLicense(ctx, l) })
}

// Delete deletes what is recorded. What the lender reports next is stored again.
func (ls *Licenses) Delete(ctx context.Context, holder, state string) error {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return err
	}
	l := lead.License{Holder: holder, State: state}
	return ls.write(ctx, l, "forgotten", func(tx *store.Tx) error { return tx.DropLicense(ctx, holder, state) })
}

func (ls *Licenses) write(ctx context.Context, l lead.License, what string, do func(tx *store.Tx) error) error {
	return ls.d.store.WriteBy(ctx, ls.d.actingUnder(access.ManageSettings), func(tx *store.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: ls.d.Actor.UserID, Company: ls.d.company(), Action: store.ActionLicense, Object: "licence:" + l.Holder, Outcome: "done", Detail: l.State + " " + what})
	})
}

func (ls *Licenses) setParty(ctx context.Context, l *lead.License) error {
	if len(l.State) != 2 {
		return fault.InvalidFields(fault.Field{Name: "state", Message: "Choose a state"})
	}
	people, err := ls.d.store.AllOriginators(ctx)
	if err != nil {
		return err
	}
	for _, o := range people {
		switch l.Holder {
		case string(o.UUID):
			l.Party = lead.PartyOriginator
			return nil
		case o.BrokerID:
			l.Party = lead.PartyBroker
			if l.Holder != "" {
				return nil
			}
		}
	}
	return fault.InvalidFields(fault.Field{Name: "holder", Message: "Choose the license holder"})
}

// Texts lists the versions of the consent text, each with the number of consents to it. The current version comes
// first.
func (ls *Licenses) Texts(ctx context.Context) ([]lead.ConsentText, error) {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return ls.d.store.ConsentTexts(ctx)
}
