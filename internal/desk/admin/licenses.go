package admin

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Licenses is the license table, for users who may see how the portal works.
type Licenses struct{ d core.Desk }

// OpenLicenses returns the license table; fault.Denied without the permission.
func OpenLicenses(d core.Desk) (*Licenses, error) {
	return core.Opened(&Licenses{d}, d.May(access.ManageSettings))
}

// NamedLicense is one license with the name of its holder.
type NamedLicense struct {
	lead.License
	Name, NMLS string
}

// List returns all known licenses, and the directory from which a holder can be chosen.
func (l *Licenses) List(ctx context.Context) ([]NamedLicense, []lead.Originator, error) {
	if err := l.d.May(access.ManageSettings); err != nil {
		return nil, nil, err
	}
	all, err := l.d.Store.Licenses(ctx)
	if err != nil {
		return nil, nil, err
	}
	people, err := l.d.Store.AllOriginators(ctx)
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
	return known, people, err
}

// Set records whether a holder from the directory may act in a state.
func (l *Licenses) Set(ctx context.Context, license lead.License) error {
	if err := l.d.May(access.ManageSettings); err != nil {
		return err
	}
	if err := l.setParty(ctx, &license); err != nil {
		return err
	}
	license.SetBy, license.At = l.d.Actor.UserID, store.Millis(l.d.Now())
	return l.write(ctx, license, map[bool]string{true: "may", false: "may not"}[license.Allowed],
		func(tx *store.Tx) error { return tx.SaveLicense(ctx, license) })
}

// Delete deletes a recorded license. If the lender reports it again, it is stored again.
func (l *Licenses) Delete(ctx context.Context, holder, state string) error {
	if err := l.d.May(access.ManageSettings); err != nil {
		return err
	}
	license := lead.License{Holder: holder, State: state}
	return l.write(ctx, license, "forgotten", func(tx *store.Tx) error { return tx.DropLicense(ctx, holder, state) })
}

func (l *Licenses) write(ctx context.Context, license lead.License, what string, do func(tx *store.Tx) error) error {
	return l.d.WriteBy(ctx, access.ManageSettings, func(tx *store.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return l.d.AuditAction(ctx, tx, store.ActionLicense, "license:"+license.Holder, "done", license.State+" "+what)
	})
}

func (l *Licenses) setParty(ctx context.Context, license *lead.License) error {
	if len(license.State) != 2 {
		return fault.InvalidField("state", "Choose a state")
	}
	people, err := l.d.Store.AllOriginators(ctx)
	if err != nil {
		return err
	}
	for _, o := range people {
		switch license.Holder {
		case string(o.UUID):
			license.Party = lead.PartyOriginator
			return nil
		case o.BrokerID:
			license.Party = lead.PartyBroker
			if license.Holder != "" {
				return nil
			}
		}
	}
	return fault.InvalidField("holder", "Choose the license holder")
}

// Texts lists the versions of the consent text, each with the number of consents to it. The current version comes
// first.
func (l *Licenses) Texts(ctx context.Context) ([]lead.ConsentText, error) {
	if err := l.d.May(access.ManageSettings); err != nil {
		return nil, err
	}
	return l.d.Store.ConsentTexts(ctx)
}
