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
	if err := d.May(access.ManageSettings); err != nil {
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
	if err := ls.d.May(access.ManageSettings); err != nil {
		return nil, nil, err
	}
	all, err := ls.d.Store.Licenses(ctx)
	if err != nil {
		return nil, nil, err
	}
	people, err := ls.d.Store.AllOriginators(ctx)
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
	if err := ls.d.May(access.ManageSettings); err != nil {
		return err
	}
	if err := ls.setParty(ctx, &l); err != nil {
		return err
	}
	l.SetBy, l.At = ls.d.Actor.UserID, store.Millis(ls.d.Now())
	return ls.write(ctx, l, map[bool]string{true: "may", false: "may not"}[l.Allowed], func(tx *store.Tx) error { return tx.SaveLicense(ctx, l) })
}

// Delete deletes what is recorded. What the lender reports next is stored again.
func (ls *Licenses) Delete(ctx context.Context, holder, state string) error {
	if err := ls.d.May(access.ManageSettings); err != nil {
		return err
	}
	l := lead.License{Holder: holder, State: state}
	return ls.write(ctx, l, "forgotten", func(tx *store.Tx) error { return tx.DropLicense(ctx, holder, state) })
}

func (ls *Licenses) write(ctx context.Context, l lead.License, what string, do func(tx *store.Tx) error) error {
	return ls.d.Store.WriteBy(ctx, ls.d.ActingUnder(access.ManageSettings), func(tx *store.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: ls.d.Actor.UserID, Company: ls.d.Company(), Action: store.ActionLicense, Object: "licence:" + l.Holder, Outcome: "done", Detail: l.State + " " + what})
	})
}

func (ls *Licenses) setParty(ctx context.Context, l *lead.License) error {
	if len(l.State) != 2 {
		return fault.InvalidFields(fault.Field{Name: "state", Message: "Choose a state"})
	}
	people, err := ls.d.Store.AllOriginators(ctx)
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
func (l *Licenses) Texts(ctx context.Context) ([]lead.ConsentText, error) {
	if err := l.d.May(access.ManageSettings); err != nil {
		return nil, err
	}
	return l.d.Store.ConsentTexts(ctx)
}
