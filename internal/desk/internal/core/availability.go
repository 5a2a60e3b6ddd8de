package core

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Availability returns the availability of each originator of this user's company who has or had an account.
func (d Desk) Availability(ctx context.Context) (map[heloc.OriginatorID]lead.Availability, error) {
	accounts, err := d.Store.OriginatorAccounts(ctx, d.Actor.CompanyScope())
	if err != nil {
		return nil, err
	}
	known := make(map[heloc.OriginatorID]lead.Availability, len(accounts))
	for _, account := range accounts {
		a := lead.Availability{HasAccount: account.DisabledAt == 0, Disabled: account.DisabledAt != 0,
			SeenAt: max(account.SignedInAt, account.ActiveAt)}
		a.NoLeads = a.HasAccount && account.Role != access.Originator && account.Role != access.Manager
		if a.HasAccount {
			a.UserID = account.UserID
		}
		known[account.Originator] = a
	}
	absent, err := d.AbsentNow(ctx)
	for id, absence := range absent {
		a := known[id]
		a.Absence = &absence
		known[id] = a
	}
	return known, err
}

// CompanyLicenses reads the licenses of the originators of this user's company.
func (d Desk) CompanyLicenses(ctx context.Context) (lead.LicenseTable, error) {
	all, err := d.Store.LicensesWithin(ctx, d.Actor.CompanyScope())
	return lead.LicenseTableOf(all), err
}

// AbsentNow lists the originators of the company who are absent now.
func (d Desk) AbsentNow(ctx context.Context) (map[heloc.OriginatorID]lead.Absence, error) {
	all, err := d.Store.OpenAbsences(ctx, d.Company())
	now, absent := store.Millis(d.Now()), map[heloc.OriginatorID]lead.Absence{}
	for _, a := range all {
		if a.Running(now) {
			absent[a.Originator] = a
		}
	}
	return absent, err
}
