package core

import (
	"context"
	"net/mail"
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Colleagues lists the originators of one broker company or, without a broker company, those who work for the
// organization directly.
func (d Desk) Colleagues(ctx context.Context, brokerID, organization string) ([]lead.Originator, error) {
	return d.Store.OriginatorsOf(ctx, access.ScopeOf(access.Manager, "", brokerID, organization))
}

// SearchOriginators searches a list for everybody who matches. If nobody in it has the email that was typed, it asks
// the lender.
func (d Desk) SearchOriginators(ctx context.Context, typed string,
	list func(context.Context) ([]lead.Originator, error)) (lead.DirectoryResult, error) {
	if typed = input.Line(typed).Text; strings.Contains(typed, "@") {
		typed = input.Email(typed).Text
	}
	all, err := list(ctx)
	if err != nil {
		return lead.DirectoryResult{}, err
	}
	f := lead.DirectoryResult{People: lead.FilterOriginators(all, typed)}
	if len(f.People) == 0 && isEmail(typed) {
		f.LenderAsked = true
		if f.LenderSilent = d.FetchOriginator(ctx, typed) != nil; !f.LenderSilent {
			if all, err = list(ctx); err != nil {
				return f, err
			}
			f.People = lead.FilterOriginators(all, typed)
		}
	}
	for _, o := range all {
		if at := store.Instant(o.SyncedAt); at.After(f.SyncedAt) {
			f.SyncedAt = at
		}
	}
	f.Total = len(f.People)
	return f, nil
}

// FetchOriginator fetches one originator from the lender by email and stores it in the directory. An older lender
// service may return others too; the hourly sync handles those.
func (s Services) FetchOriginator(ctx context.Context, email string) error {
	ctx, stop := context.WithTimeout(ctx, lenderLookupTimeout)
	defer stop()
	got, err := s.Lender.Originators(ctx, partner.OriginatorQuery{Emails: []string{strings.ToLower(email)}})
	if err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		for _, o := range got.Value.Originators {
			if !strings.EqualFold(o.Email, email) {
				continue
			}
			if err := tx.SeeOriginator(ctx, o, s.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

func isEmail(typed string) bool {
	a, err := mail.ParseAddress(strings.TrimSpace(typed))
	return err == nil && a.Name == "" && strings.Contains(a.Address, "@")
}

// The limits of a search for originators.
const (
	MaxPeople           = 50              // of one search
	lenderLookupTimeout = 4 * time.Second // while we ask the lender for an originator who is not in the directory
)

// Directory lists the lender's originators whom the user may see: those of their own company, or all of them for an
// administrator. The caller has checked the permission.
func (d Desk) Directory(ctx context.Context) ([]lead.Originator, error) {
	if d.Actor.Role == access.Admin {
		return d.Store.AllOriginators(ctx)
	}
	return d.Colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
}

// AssigneesAmong lists the originators of a company, besides one, who can take leads.
func (d Desk) AssigneesAmong(ctx context.Context, company access.Actor, besides heloc.OriginatorID,
	users []access.User) ([]lead.Assignee, error) {
	all, err := d.Colleagues(ctx, company.BrokerID, company.Organization)
	var colleagues []lead.Assignee
	for _, o := range all {
		if t, can := lead.AssigneeOf(o, users); can && o.RemovedAt == 0 && o.UUID != besides {
			colleagues = append(colleagues, t)
		}
	}
	return colleagues, err
}

// SortedByName sorts users by name.
func SortedByName(users []access.User) []access.User {
	slices.SortStableFunc(users, func(a, b access.User) int { return strings.Compare(a.Name, b.Name) })
	return users
}

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
		if account.OutUntil != 0 { // an absence without an id, through the day before the leads go back
			back := store.Instant(account.OutUntil).In(d.Actor.Zone())
			a.Absence = &lead.Absence{Originator: account.Originator, LastDay: heloc.DateOf(back.AddDate(0, 0, -1)),
				EndsAt: account.OutUntil}
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

// LicenseStatus returns what is known about the right of a holder to act in a state.
func LicenseStatus(ctx context.Context, from store.Queries, holder, state string) (lead.LicenseStatus, error) {
	all, err := from.LicensesOf(ctx, holder)
	return lead.LicenseStatusIn(state, all), err
}

// CheckMayActIn reports whether the originator may act in a state: false only when somebody has recorded that they
// may not.
func CheckMayActIn(ctx context.Context, from store.Queries, originator heloc.OriginatorID, state string) (bool, error) {
	status, err := LicenseStatus(ctx, from, string(originator), state)
	return status != lead.LicenseMissing, err
}

// RequireLicense returns an error for a control when somebody has recorded that this user may not act in the state in
// their own name. An empty state is always allowed.
func (d Desk) RequireLicense(ctx context.Context, state, control string) error {
	may, err := CheckMayActIn(ctx, d.Store.Queries, heloc.OriginatorID(d.Actor.OriginatorUUID), state)
	if err == nil && !may {
		err = fault.InvalidField(control, "You aren’t licensed in this state. A licensed colleague must start the inquiry")
	}
	return err
}

// WithBrand adds to a company what it puts on pages for borrowers.
func WithBrand(c lead.CompanyBrand, s store.CompanyBrand) lead.CompanyBrand {
	c.Color, c.LogoDigest, c.LogoWidth, c.LogoHeight = s.Color, s.LogoDigest, s.LogoWidth, s.LogoHeight
	return c
}
