package reassign

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	// defaultCap is the most open leads per person if the company's assignment rules have no limit.
	defaultCap = 25
	// returnHour is when leads go back, where the person is who was out.
	returnHour = 8
	maxOutDays = 366
)

// OutRequest is a form that splits the open leads of somebody who is out.
type OutRequest struct {
	FormKey string
	First   bool       // nothing was typed yet: the proposal fills in the day and the cap
	Until   heloc.Date // the last day out; empty when the leads stay with their new originators
	Cap     int        // the most open leads per person
	Choices map[string]string
	Note    string
}

// OutProposal is who would get the open leads of somebody who is out. Nothing has been sent.
type OutProposal struct {
	Plan
	Person  lead.Originator
	Away    lead.Availability // of that person
	Total   int               // of their open leads; more than lead.MaxBulkLeads are too many for one run
	Today   heloc.Date        // where the person is
	Until   heloc.Date
	BackAt  time.Time // when the leads go back; zero when they do not
	Cap     int
	In      []Target // who can get leads: an account, and not absent; first those who get the most
	Absent  []Target
	Without int     // originators of the company without an account that can work on leads
	Deputy  *Target // who could cover all of the leads under the cap; nil for nobody
}

func (b *Bulk) mayPlanOut() error {
	return cmp.Or(b.d.May(access.SeeTeam), b.d.May(access.ReassignLead))
}

// ProposeOut proposes who gets the open leads of an originator of the company; fault.NotFound for any other. Licenses
// go before balance, and nobody gets more than the cap.
func (b *Bulk) ProposeOut(ctx context.Context, originator string, req OutRequest) (OutProposal, error) {
	if err := b.mayPlanOut(); err != nil {
		return OutProposal{}, err
	}
	facts, err := b.d.CandidateFacts(ctx)
	if err != nil {
		return OutProposal{}, err
	}
	id, err := heloc.ParseOriginatorID(originator)
	person, known := facts.Person(id)
	if err != nil || !known {
		return OutProposal{}, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	p := OutProposal{Person: person, Away: facts.Available[id], Cap: req.Cap, Until: req.Until}
	if err := b.setOutDay(ctx, &p, req.First); err != nil {
		return p, err
	}
	if req.First {
		if p.Cap, err = b.companyCap(ctx); err != nil {
			return p, err
		}
	}
	if p.Cap < 1 || p.Cap > maxOpenLimit {
		return p, fault.InvalidField("cap", "Enter a whole number from 1 to "+strconv.Itoa(maxOpenLimit))
	}
	apps, total, err := b.Select(ctx,
		lead.Query{Originator: id, Only: lead.OnlyOpen, Sort: lead.SortDue, Now: store.Millis(b.d.Now())}, "")
	if p.Total = total; err != nil || total > lead.MaxBulkLeads {
		return p, err
	}
	bulk := BulkReassignRequest{Apps: apps, Split: SplitEven, Choices: req.Choices, Cap: p.Cap}
	for _, o := range facts.People {
		if canStepIn(o, id, facts.Available[o.UUID]) && facts.Available[o.UUID].Absence == nil {
			bulk.Assignees = append(bulk.Assignees, string(o.UUID))
		}
	}
	if p.Plan, err = b.planWith(ctx, bulk, facts); err != nil {
		return p, err
	}
	p.Plan.returnAt = max(0, store.Millis(p.BackAt))
	p.sortPeople(facts)
	return p, nil
}

func canStepIn(o lead.Originator, out heloc.OriginatorID, a lead.Availability) bool {
	return o.UUID != out && o.RemovedAt == 0 && a.HasAccount && !a.Disabled && !a.NoLeads
}

// companyCap is the limit of open leads of the company's assignment rules, or the usual one.
func (b *Bulk) companyCap(ctx context.Context) (int, error) {
	rules, err := b.d.Store.AssignmentRules(ctx, b.d.Company())
	return cmp.Or(rules.OpenLimit, defaultCap), err
}

// setOutDay sets the last day out, and when the leads go back: in the morning of the day after.
func (b *Bulk) setOutDay(ctx context.Context, p *OutProposal, first bool) error {
	zone := b.d.Actor.Zone()
	if p.Away.UserID != "" {
		user, err := b.d.Store.User(ctx, p.Away.UserID)
		if err != nil {
			return err
		}
		zone = user.Zone()
	}
	now := b.d.Now().In(zone)
	p.Today = heloc.DateOf(now)
	if first {
		next := now.AddDate(0, 0, 1)
		for next.Weekday() == time.Saturday || next.Weekday() == time.Sunday {
			next = next.AddDate(0, 0, 1)
		}
		p.Until = heloc.DateOf(next)
	}
	if p.Until == "" {
		return nil
	}
	last, err := time.ParseInLocation(time.DateOnly, string(p.Until), zone)
	if err != nil || p.Until < p.Today || last.After(now.AddDate(0, 0, maxOutDays)) {
		return fault.InvalidField("until", "Enter today or a later day within a year, such as 12/5/2026")
	}
	back := last.AddDate(0, 0, 1)
	p.BackAt = time.Date(back.Year(), back.Month(), back.Day(), returnHour, 0, 0, 0, zone)
	return nil
}

// sortPeople lists who gets leads and who is left out, and finds who could cover.
func (p *OutProposal) sortPeople(facts core.CandidateFacts) {
	_, states := ownerAndStates(p.Plan)
	for _, o := range facts.People {
		switch a := facts.Available[o.UUID]; {
		case o.UUID == p.Person.UUID || o.RemovedAt != 0:
		case !canStepIn(o, p.Person.UUID, a):
			p.Without++
		case a.Absence != nil:
			p.Absent = append(p.Absent, p.target(o, states))
		default:
			p.In = append(p.In, p.target(o, states))
		}
	}
	slices.SortStableFunc(p.In, func(a, b Target) int {
		return cmp.Or(cmp.Compare(b.Gets, a.Gets), cmp.Compare(a.Group(), b.Group()), cmp.Compare(a.Open, b.Open))
	})
	if p.Away.UserID == "" || p.Away.Absence != nil {
		return
	}
	for at, t := range p.In {
		if t.Open+len(p.Leads) <= p.Cap && len(t.Missing) == 0 && (p.Deputy == nil || coversBetter(t, *p.Deputy)) {
			p.Deputy = &p.In[at]
		}
	}
}

func coversBetter(a, b Target) bool {
	return cmp.Or(cmp.Compare(len(a.Unknown), len(b.Unknown)), cmp.Compare(a.Open, b.Open)) < 0
}

// Licensed lists who of those who are in has a license on file in a state.
func (p OutProposal) Licensed(state string) (all []Target) {
	for _, t := range p.In {
		if slices.Contains(t.Held, state) {
			all = append(all, t)
		}
	}
	return all
}

// Fingerprints identify what a user asked for, and what would happen, like those of a Plan. Who is in is no part of the
// request: it can change while the page is open.
func (p OutProposal) Fingerprints(req OutRequest) (request, outcome string) {
	asked := string(p.Until) + " " + strconv.Itoa(p.Cap)
	for _, app := range slices.Sorted(maps.Keys(req.Choices)) {
		if to := req.Choices[app]; to != "" {
			asked += " " + app + "=" + to
		}
	}
	_, outcome = p.Plan.Fingerprints()
	return digestOf(asked), outcome
}

// BeginOut starts the run of a proposal. The same form sent again is the same run. It refuses a form whose proposal is
// no longer what would happen, by the fingerprints of what the user saw.
func (b *Bulk) BeginOut(ctx context.Context, originator string, req OutRequest,
	request, outcome string) (string, error) {
	if err := b.mayPlanOut(); err != nil {
		return "", err
	}
	if _, err := ulid.ParseStrict(req.FormKey); err != nil {
		return "", fault.New(fault.Invalid, "This form is no longer valid. Nothing was sent. Open the page again.")
	}
	if started, err := b.Started(ctx, req.FormKey); err != nil || started {
		return req.FormKey, err
	}
	note, err := parseReassignNote(req.Note)
	if err != nil {
		return "", err
	}
	p, err := b.ProposeOut(ctx, originator, req)
	if err != nil {
		return "", err
	}
	if nowRequest, nowOutcome := p.Fingerprints(req); request == nowRequest && outcome != nowOutcome {
		return "", fault.New(fault.Conflict,
			"Something changed since this proposal was made. Check who gets which lead, then split.")
	}
	if p.Movable() == 0 || p.Total > lead.MaxBulkLeads {
		return "", fault.New(fault.Conflict, "None of these leads can be reassigned. Nothing was sent.")
	}
	return req.FormKey, b.saveRun(ctx, req.FormKey, note, p.Plan, nil)
}
