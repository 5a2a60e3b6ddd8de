package admin

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// companyPermission returns the permission under which a user changes the settings of companies: an administrator those
// of all, anybody else those of their own.
func companyPermission(d core.Desk) access.Permission {
	if d.Actor.Role == access.Admin {
		return access.ManageSettings
	}
	return access.ManageCompany
}

// originators lists the part of the directory whose settings the user may change.
func originators(ctx context.Context, d core.Desk, from store.Queries) ([]lead.Originator, error) {
	if companyPermission(d) == access.ManageSettings {
		return from.AllOriginators(ctx)
	}
	return from.OriginatorsOf(ctx, d.Actor.CompanyScope())
}

// licenses lists the licenses that the user may change.
func licenses(ctx context.Context, d core.Desk, from store.Queries) ([]lead.License, error) {
	if companyPermission(d) == access.ManageSettings {
		return from.Licenses(ctx)
	}
	all, err := from.LicensesWithin(ctx, d.Actor.CompanyScope())
	if err != nil {
		return nil, err
	}
	company, err := from.LicensesOf(ctx, d.Actor.BrokerID)
	return append(all, company...), err
}

func today(d core.Desk) heloc.Date { return heloc.DateOf(d.Now().In(d.Actor.Zone())) }

// CompanySettings is the settings of a manager's own company.
type CompanySettings struct{ d core.Desk }

// OpenCompanySettings returns the settings; fault.Denied without the permission.
func OpenCompanySettings(d core.Desk) (*CompanySettings, error) {
	return core.Opened(&CompanySettings{d}, d.May(access.ManageCompany))
}

// LicensedPerson is an originator of the company with their licenses and open leads.
type LicensedPerson struct {
	lead.Originator
	HasAccount bool
	Licenses   []lead.License // by state
	Leads      map[string]int // open leads by state
}

// Open counts the open leads that have a state.
func (p LicensedPerson) Open() (n int) {
	for _, leads := range p.Leads {
		n += leads
	}
	return n
}

// CompanyPage is what the page of the settings shows.
type CompanyPage struct {
	Brand      lead.CompanyBrand
	People     []LicensedPerson // by name: who has an account, open leads or a license
	Company    []lead.License   // of the company itself
	Unassigned map[string]int   // open leads without an originator, by state
	Accounts   int              // active ones, of every role
	Invited    int
	Requested  int // waiting requests to invite a manager
	Rules      lead.AssignmentRules
	Monthly    bool // the user receives the monthly summary
	CRMs       []CompanyCRM
	Today      heloc.Date
}

// CompanyCRM is a CRM that the company's people may sign in from.
type CompanyCRM struct {
	embed.Client
	Connected int // people of the company
}

// Page reads the settings.
func (c *CompanySettings) Page(ctx context.Context) (CompanyPage, error) {
	page := CompanyPage{Today: today(c.d), Unassigned: map[string]int{}}
	if err := c.d.May(access.ManageCompany); err != nil {
		return page, err
	}
	ctx, end, err := c.d.Store.Snapshot(ctx)
	if err != nil {
		return page, err
	}
	defer end()
	if err := c.addLicenses(ctx, &page); err != nil {
		return page, err
	}
	brands, err := (&Branding{c.d}).List(ctx)
	if err != nil {
		return page, err
	}
	page.Brand = brands[0]
	if page.Rules, err = c.d.Store.AssignmentRules(ctx, c.d.Company()); err != nil {
		return page, err
	}
	if page.Monthly, err = c.d.Store.MonthlyReport(ctx, c.d.Actor.UserID); err != nil {
		return page, err
	}
	return page, c.addPeople(ctx, &page)
}

func (c *CompanySettings) addLicenses(ctx context.Context, page *CompanyPage) error {
	people, err := c.d.Store.OriginatorsOf(ctx, c.d.Actor.CompanyScope())
	if err != nil {
		return err
	}
	all, err := licenses(ctx, c.d, c.d.Store.Queries)
	if err != nil {
		return err
	}
	byHolder := lead.LicenseTableOf(all)
	counts, err := c.d.Store.OpenStateCounts(ctx, c.d.Company())
	if err != nil {
		return err
	}
	leads := map[heloc.OriginatorID]map[string]int{"": page.Unassigned}
	for _, n := range counts {
		if leads[n.Originator] == nil {
			leads[n.Originator] = map[string]int{}
		}
		leads[n.Originator][n.State] += n.Leads
	}
	accounts, err := c.d.Availability(ctx)
	for _, o := range people {
		p := LicensedPerson{Originator: o, HasAccount: accounts[o.UUID].HasAccount, Licenses: byHolder[string(o.UUID)],
			Leads: leads[o.UUID]}
		if p.HasAccount || len(p.Leads) > 0 || len(p.Licenses) > 0 && o.RemovedAt == 0 {
			page.People = append(page.People, p)
		}
	}
	page.Company = byHolder[c.d.Actor.BrokerID]
	return err
}

func (c *CompanySettings) addPeople(ctx context.Context, page *CompanyPage) error {
	users, err := c.d.Store.Users(ctx)
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for _, u := range users {
		own[u.UserID] = !u.Disabled && u.Role != access.Admin && u.Company() == c.d.Company()
		if own[u.UserID] {
			page.Accounts++
		}
	}
	invitations := &Invitations{c.d}
	pending, err := invitations.List(ctx)
	if err != nil {
		return err
	}
	requested, err := invitations.Requested(ctx)
	if err != nil {
		return err
	}
	page.Invited, page.Requested = len(pending), len(requested)
	clients, err := c.d.Embeds.Clients(ctx)
	if err != nil {
		return err
	}
	for _, client := range clients {
		if client.BrokerID == "" || client.BrokerID != c.d.Actor.BrokerID {
			continue
		}
		linked, err := c.d.Store.UsersLinkedTo(ctx, client.Key)
		if err != nil {
			return err
		}
		linked = slices.DeleteFunc(linked, func(id string) bool { return !own[id] })
		page.CRMs = append(page.CRMs, CompanyCRM{client, len(slices.Compact(linked))})
	}
	slices.SortFunc(page.CRMs, func(a, b CompanyCRM) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}
