package team

import (
	"context"

	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

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
	switch a {
	case CoverSent:
		return []lead.EventKind{lead.EventSent, lead.EventRejected, lead.EventUnknown, lead.EventSettled}
	case CoverContact:
		return []lead.EventKind{lead.EventContact}
	case CoverViewed:
		return []lead.EventKind{lead.EventRevealed}
	case CoverNote:
		return []lead.EventKind{lead.EventNote}
	case CoverFollowUp:
		return []lead.EventKind{lead.EventFollowUp, lead.EventFollowUpDone}
	case CoverShare:
		return []lead.EventKind{lead.EventShared, lead.EventShareRevoked}
	case CoverRepull:
		return []lead.EventKind{lead.EventRepullPlanned, lead.EventRepullCanceled}
	case CoverClosed:
		return []lead.EventKind{lead.EventSetAside}
	default:
		return nil
	}
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
