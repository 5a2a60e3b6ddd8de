package team

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Absence is an absence as a user sees it.
type Absence struct {
	lead.Absence
	Note         string
	MayChange    bool
	DeputyAbsent []lead.Absence // absences of the deputy during this one
}

// AbsenceList is the absences that a user sees: a manager those of the company, an originator their own.
type AbsenceList struct {
	Now        int64
	Open       []Absence        // running or coming, the first to end first
	Past       []Absence        // the latest ones
	AsDeputy   []Absence        // for which the user covers or is to cover; only what is not in Open
	People     []lead.Candidate // who can be absent, for a manager: the same as Deputies
	Deputies   []lead.Candidate // who can cover
	ForCompany bool             // the user manages the company's absences
}

// List lists the absences.
func (a *Absences) List(ctx context.Context) (AbsenceList, error) {
	list := AbsenceList{Now: store.Millis(a.d.Now()), ForCompany: a.forCompany()}
	if err := a.d.May(access.PlanAbsence); err != nil {
		return list, err
	}
	open, past, deputy, err := a.read(ctx)
	if err != nil {
		return list, err
	}
	everyone, err := a.d.Store.OpenAbsences(ctx, a.d.Company())
	if err != nil {
		return list, err
	}
	if list.Open, err = a.withNotes(open, everyone); err != nil {
		return list, err
	}
	if list.Past, err = a.withNotes(past, nil); err != nil {
		return list, err
	}
	if list.AsDeputy, err = a.withNotes(deputy, nil); err != nil {
		return list, err
	}
	deputies, err := a.deputies(ctx)
	if err != nil {
		return list, err
	}
	if list.Deputies, err = a.d.CandidatesAmong(ctx, deputies, ""); list.ForCompany {
		list.People = list.Deputies
	}
	return list, err
}

func (a *Absences) read(ctx context.Context) (open, past, deputy []lead.Absence, err error) {
	s := a.d.Store
	if a.forCompany() {
		if open, err = s.OpenAbsences(ctx, a.d.Company()); err == nil {
			past, err = s.PastAbsences(ctx, a.d.Company())
		}
		return open, past, nil, err
	}
	if open, err = s.AbsencesOf(ctx, a.d.UserScope()); err != nil {
		return nil, nil, nil, err
	}
	if past, err = s.PastAbsencesOf(ctx, a.d.UserScope()); err != nil {
		return nil, nil, nil, err
	}
	deputy, err = s.AbsencesAsDeputy(ctx, a.d.UserScope())
	return open, past, deputy, err
}

// withNotes decrypts the notes, and finds the absences of deputies among those of everyone.
func (a *Absences) withNotes(all, everyone []lead.Absence) ([]Absence, error) {
	now := store.Millis(a.d.Now())
	shown := make([]Absence, len(all))
	for i, one := range all {
		shown[i] = Absence{Absence: one, MayChange: one.EndsAt > now && (a.forCompany() || one.UserID == a.d.Actor.UserID)}
		var err error
		if shown[i].Note, err = a.d.UnsealText(vault.AbsenceAAD(one.ID), one.Sealed); err != nil {
			return nil, err
		}
		for _, other := range everyone {
			if other.UserID == one.DeputyID && other.StartsAt < one.EndsAt && one.StartsAt < other.EndsAt {
				shown[i].DeputyAbsent = append(shown[i].DeputyAbsent, other)
			}
		}
	}
	return shown, nil
}

// deputies lists who can cover. For a manager, the same people can be absent.
func (a *Absences) deputies(ctx context.Context) (deputies []access.User, err error) {
	all, err := a.d.Store.Users(ctx)
	for _, u := range all {
		if a.isMember(u) && (a.forCompany() || u.UserID != a.d.Actor.UserID) {
			deputies = append(deputies, u)
		}
	}
	return deputies, err
}

// Find reads one absence with what the deputy did: for the absent user, the deputy and the company's managers;
// fault.NotFound for any other.
func (a *Absences) Find(ctx context.Context, id string, f CoverFilter) (Absence, CoverWork, error) {
	if err := a.d.May(access.PlanAbsence); err != nil {
		return Absence{}, CoverWork{}, err
	}
	found, err := a.d.Store.Absence(ctx, a.d.Company(), id)
	if err != nil {
		return Absence{}, CoverWork{}, err
	}
	if me := a.d.Actor.UserID; !a.forCompany() && found.UserID != me && found.DeputyID != me {
		return Absence{}, CoverWork{}, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	everyone, err := a.d.Store.OpenAbsences(ctx, a.d.Company())
	if err != nil {
		return Absence{}, CoverWork{}, err
	}
	shown, err := a.withNotes([]lead.Absence{found}, everyone)
	if err != nil {
		return Absence{}, CoverWork{}, err
	}
	work, err := coverWork(ctx, a.d, found, f)
	if err != nil {
		return Absence{}, CoverWork{}, err
	}
	work.Statuses, err = a.d.Store.CoverStatuses(ctx, store.CoverQuery{Absence: found, Scope: a.d.Actor.Scope()})
	return shown[0], work, err
}

// returnVisibleFor is how long after an absence its user is asked to look at what the deputy did.
const returnVisibleFor = 60 * 24 * time.Hour

// Returned is an absence of the user that has ended, with what the deputy did, until the user marks it as seen.
type Returned struct {
	lead.Absence
	CoverWork
	DeputyActive bool // the deputy's account is still open
}

// ReturnedOf reads the user's absence that has ended; nil when there is none.
func ReturnedOf(ctx context.Context, d core.Desk) (*Returned, error) {
	if !d.Actor.Can(access.PlanAbsence) || d.Actor.OriginatorUUID == "" {
		return nil, nil
	}
	of, err := d.Store.UnseenAbsence(ctx, d.UserScope(), store.Millis(d.Now().Add(-returnVisibleFor)))
	if err != nil {
		return nil, fault.Ignore(err, fault.NotFound)
	}
	work, err := coverWork(ctx, d, of, CoverFilter{})
	if err != nil {
		return nil, err
	}
	deputy, err := d.Store.User(ctx, of.DeputyID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	return &Returned{of, work, err == nil && !deputy.Disabled}, nil
}

// Cover is an originator for whom the user covers now, with the counts of the lists behind it.
type Cover struct {
	lead.Absence
	Open  int // up to lead.CountLimit for each lane
	Today int // in the lane for today
}

// CoversOf lists for whom the user covers now.
func CoversOf(ctx context.Context, d core.Desk) ([]Cover, error) {
	if d.Actor.Covering == "" || d.Actor.VouchedByCRM {
		return nil, nil
	}
	all, err := d.Store.AbsencesAsDeputy(ctx, d.UserScope())
	if err != nil {
		return nil, err
	}
	var running []Cover
	for _, one := range all {
		if !one.Covered {
			continue
		}
		c := Cover{Absence: one}
		counts, err := d.Store.ListCounts(ctx, store.TodayScope{
			Scope: access.Scope{OriginatorUUID: string(one.Originator)}, User: d.UserScope(), Own: one.Originator,
		}, store.Millis(d.Now()))
		if err != nil {
			return nil, err
		}
		for lane, n := range counts.Lanes {
			if lane != heloc.LaneEnded {
				c.Open += n
			}
		}
		c.Today = counts.Today
		running = append(running, c)
	}
	return running, nil
}

// CoverAction is a group of things that a deputy can do on a lead.
type CoverAction string

// The groups. Everything else that a deputy did is found without a filter only.
const (
	CoverSent     CoverAction = "sent"
	CoverContact  CoverAction = "contact"
	CoverViewed   CoverAction = "viewed"
	CoverNote     CoverAction = "note"
	CoverFollowUp CoverAction = "follow-up"
	CoverShare    CoverAction = "share"
	CoverRepull   CoverAction = "repull"
	CoverClosed   CoverAction = "closed"
)

// CoverActions lists the groups in the order in which screens offer them.
func CoverActions() []CoverAction {
	return []CoverAction{CoverSent, CoverContact, CoverViewed, CoverNote, CoverFollowUp, CoverShare, CoverRepull,
		CoverClosed}
}

// kinds lists the events of a group; none for an unknown one, which does not filter.
func (a CoverAction) kinds() []lead.EventKind {
	return map[CoverAction][]lead.EventKind{
		CoverSent:     {lead.EventSent, lead.EventRejected, lead.EventUnknown, lead.EventSettled},
		CoverContact:  {lead.EventContact},
		CoverViewed:   {lead.EventRevealed},
		CoverNote:     {lead.EventNote},
		CoverFollowUp: {lead.EventFollowUp, lead.EventFollowUpDone},
		CoverShare:    {lead.EventShared, lead.EventShareRevoked},
		CoverRepull:   {lead.EventRepullPlanned, lead.EventRepullCanceled},
		CoverClosed:   {lead.EventSetAside},
	}[a]
}

// CoverFilter selects what a deputy did. The zero value selects everything, from the first page.
type CoverFilter struct {
	Action CoverAction
	Status heloc.StatusKey // of the lead now
	After  string
}

// CoverWork is one page of what a deputy did during an absence.
type CoverWork struct {
	Leads    []CoveredLead // the latest first
	Total    int           // on all pages; 0 on a page after the last one
	Next     string
	Statuses []lead.StatusCount // of all leads that the user can open, whatever the filter; only Absences.Find reads them
}

// CoveredLead is what a deputy did on one lead.
type CoveredLead struct {
	store.CoverWork
	ShortID    string
	Name       heloc.Name
	Step       heloc.Step
	Status     heloc.StatusKey // now
	Accessible bool            // the user can open the lead now; otherwise only the counts are set
}

// coverWork lists what the deputy of an absence did on the originator's leads.
func coverWork(ctx context.Context, d core.Desk, of lead.Absence, f CoverFilter) (CoverWork, error) {
	found, err := d.Store.CoverWork(ctx, store.CoverQuery{Absence: of, Kinds: f.Action.kinds(), Status: f.Status,
		Scope: d.Actor.Scope(), After: f.After})
	if err != nil {
		return CoverWork{}, err
	}
	apps := make([]heloc.AppID, len(found.Work))
	for i, w := range found.Work {
		apps[i] = w.App
	}
	leads, err := d.Store.LeadsAmong(ctx, d.Actor.Scope(), apps)
	if err != nil {
		return CoverWork{}, err
	}
	byApp := make(map[heloc.AppID]lead.Row, len(leads))
	for _, l := range leads {
		byApp[l.App] = l
	}
	page := CoverWork{Leads: make([]CoveredLead, len(found.Work)), Total: found.Total, Next: found.Next}
	for i, w := range found.Work {
		one := &page.Leads[i]
		one.CoverWork = w
		if l, ok := byApp[w.App]; ok {
			one.Accessible, one.ShortID, one.Step, one.Status = true, l.ShortID, l.Step, l.StatusKey
			if one.Name, err = d.BorrowerName(l.App, l.Borrower); err != nil {
				return CoverWork{}, err
			}
		}
	}
	return page, nil
}
