package pipeline

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// How many of each kind a search returns. A list that is longer than the window would have to be scrolled, and typing
// one more letter is faster.
const (
	maxFoundLeads  = 6
	maxFoundPeople = 4
	maxFoundViews  = 4
	minSearchWord  = 2 // characters that a name is searched by
)

// Search finds what a user can jump to from any page. It reads nothing from the lender, because it runs while the user
// types.
type Search struct{ d core.Desk }

// OpenSearch returns the search; fault.Denied without the permission. Every signed-in user has it: what it finds
// depends on their other permissions.
func OpenSearch(d core.Desk) (*Search, error) {
	return core.Opened(&Search{d}, d.May(access.UseAccount))
}

// SearchRequest is what a user typed, and the lead that their page shows; App is empty on other pages.
type SearchRequest struct {
	Typed, App string
	Documents  bool // whether the lead has documents matters for what was typed
}

// SearchResult is what a search found.
type SearchResult struct {
	Leads     []lead.PipelineRow
	MoreLeads bool // Leads holds only the first of them
	People    []lead.Originator
	Views     []SavedView    // whose names match
	TopLead   *desklead.Lead // the first of Leads; nil if there is none, or the user may not open it
	PageLead  *desklead.Lead // the lead that the user's page shows; nil if there is none
	Documents bool           // the user may download documents of PageLead, and the request asked
	// Masked is set for users that only a CRM vouches for. Their search finds no leads: it would reveal the names that
	// their lists mask.
	Masked bool
}

// Find searches the leads and the originators that the user may see.
func (s *Search) Find(ctx context.Context, req SearchRequest) (found SearchResult, err error) {
	if err := s.d.May(access.UseAccount); err != nil {
		return found, err
	}
	found.Masked = s.d.Actor.VouchedByCRM
	if req.App != "" {
		l, err := s.d.OpenLead(ctx, req.App)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return found, err
		}
		if err == nil {
			found.PageLead = desklead.Of(l)
			if req.Documents && found.PageLead.Can(access.DownloadDocument) {
				if found.Documents, err = found.PageLead.HasDocuments(ctx); err != nil {
					return found, err
				}
			}
		}
	}
	typed := strings.TrimSpace(req.Typed)
	if len([]rune(typed)) < minSearchWord {
		return found, nil
	}
	if err := s.addLeads(ctx, typed, &found); err != nil {
		return found, err
	}
	if found.People, err = s.people(ctx, typed); err != nil {
		return found, err
	}
	found.Views, err = s.views(ctx, typed)
	return found, err
}

// views finds saved lists of which every typed word starts a word.
func (s *Search) views(ctx context.Context, typed string) (found []SavedView, err error) {
	if s.d.Actor.VouchedByCRM || !s.d.Actor.Can(access.SeePipeline) {
		return nil, nil
	}
	all, err := (&Views{s.d}).List(ctx)
	for _, one := range append(all.Own, all.Shared...) {
		words := strings.Fields(heloc.FoldForSearch(one.Name))
		if !slices.ContainsFunc(strings.Fields(heloc.FoldForSearch(typed)), func(t string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, t) })
		}) {
			found = append(found, one)
		}
	}
	return found[:min(len(found), maxFoundViews)], err
}

// addLeads adds the leads that match, and opens the first of them.
func (s *Search) addLeads(ctx context.Context, typed string, found *SearchResult) error {
	if found.Masked || !s.d.Actor.Can(access.SeePipeline) {
		return nil
	}
	list := s.d.LeadList()
	page, err := list.Search(ctx, lead.Query{}, typed)
	if err != nil {
		return err
	}
	rows := page.Rows
	found.MoreLeads = page.Next != "" || len(rows) > maxFoundLeads
	rows = rows[:min(len(rows), maxFoundLeads)]
	if found.Leads, err = list.Rows(ctx, rows); err != nil || len(rows) == 0 {
		return err
	}
	if s.d.Actor.Can(access.SeeLead) {
		found.TopLead = desklead.Of(s.d.LeadOf(rows[0], found.Leads[0].Name))
	}
	return nil
}

// people finds originators in the directory. Unlike a search of the directory itself, it never asks the lender.
func (s *Search) people(ctx context.Context, typed string) ([]lead.Originator, error) {
	if !s.d.Actor.Can(access.SeeDirectory) {
		return nil, nil
	}
	all, err := s.d.Directory(ctx)
	if err != nil {
		return nil, err
	}
	people := lead.FilterOriginators(all, typed)
	if !strings.Contains(typed, "@") { // a few letters are in many email addresses
		people = slices.DeleteFunc(people, func(o lead.Originator) bool { return !o.IsNamed(typed) })
	}
	return people[:min(len(people), maxFoundPeople)], nil
}
