package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Availability is what is known about whether an originator can work on leads now. Every page that shows it gets it
// from Desk.availability, which is the only place that decides it.
type Availability struct {
	HasAccount bool          // an account that is not closed
	Disabled   bool          // only an account that is closed
	NoLeads    bool          // an account that is not closed, with a role that does not work on leads
	UserID     string        // its id, with HasAccount
	SeenAt     int64         // the last activity or sign-in, in milliseconds; 0 for never
	Absence    *lead.Absence // the absence that has begun; nil for none
}

// availability returns the availability of each originator of this user's company who has or had an account.
func (d *Desk) availability(ctx context.Context) (map[heloc.OriginatorID]Availability, error) {
	accounts, err := d.store.OriginatorAccounts(ctx, companyScope(d.Actor))
	if err != nil {
		return nil, err
	}
	known := make(map[heloc.OriginatorID]Availability, len(accounts))
	for _, account := range accounts {
		a := Availability{HasAccount: account.DisabledAt == 0, Disabled: account.DisabledAt != 0, SeenAt: max(account.SignedInAt, account.ActiveAt)}
		a.NoLeads = a.HasAccount && account.Role != access.Originator && account.Role != access.Manager
		if a.HasAccount {
			a.UserID = account.UserID
		}
		known[account.Originator] = a
	}
	absent, err := d.absentNow(ctx)
	for id, absence := range absent {
		a := known[id]
		a.Absence = &absence
		known[id] = a
	}
	return known, err
}

// openLeads counts the open leads of each originator of this user's company.
func (d *Desk) openLeads(ctx context.Context) (map[heloc.OriginatorID]int, error) {
	return d.store.OpenCounts(ctx, d.company())
}

// companyScope covers the originators of a user's company, whatever part of its leads the user sees.
func companyScope(a access.Actor) access.Scope {
	if a.BrokerID == "" {
		return access.Scope{Organization: a.Organization}
	}
	return access.Scope{BrokerID: a.BrokerID}
}

// licenseTable is what is known about the licenses of some originators, by holder and state.
type licenseTable map[string]map[string]bool

func (t licenseTable) status(o lead.Originator, state string) LicenseStatus {
	allowed, known := t[string(o.UUID)][state]
	switch {
	case !known:
		return LicenseUnknown
	case allowed:
		return LicenseHeld
	default:
		return LicenseMissing
	}
}

// companyLicenses reads the licenses of the originators of this user's company.
func (d *Desk) companyLicenses(ctx context.Context) (licenseTable, error) {
	all, err := d.store.LicensesWithin(ctx, companyScope(d.Actor))
	table := licenseTable{}
	for _, l := range all {
		if table[l.Holder] == nil {
			table[l.Holder] = map[string]bool{}
		}
		table[l.Holder][l.State] = l.Allowed
	}
	return table, err
}
