package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Pipeline is the lead lists of a user.
type Pipeline struct {
	d     *Desk
	scope access.Scope // without the leads that the user sees as a deputy
}

// listScope is the scope of a list: the leads of one originator for whom the user covers, when the query names that
// originator, and otherwise the user's own.
func (p *Pipeline) listScope(q lead.Query) access.Scope {
	if covered, ok := p.d.Actor.Scope().Covered(string(q.Originator)); ok {
		return covered
	}
	return p.scope
}

// searchScope is the scope of a search, which covers everything that the user may see unless the query names an
// originator for whom they cover.
func (p *Pipeline) searchScope(q lead.Query) access.Scope {
	if covered, ok := p.d.Actor.Scope().Covered(string(q.Originator)); ok {
		return covered
	}
	return p.d.Actor.Scope()
}

// Pipeline returns the lists; fault.Denied without the permission.
func (d *Desk) Pipeline() (*Pipeline, error) {
	if err := d.may(access.SeePipeline); err != nil {
		return nil, err
	}
	return &Pipeline{d, d.Actor.Scope().Own()}, nil
}

// PipelineRow is one lead of a list.
type PipelineRow struct {
	*lead.Row
	Name       heloc.Name
	Masked     bool   // for users that only a CRM vouches for: shows only the step and whose move it is
	Originator string // the originator's name, for users who see more than their own leads
	AsDeputy   bool   // the user sees the lead because they cover for its originator
	Unseen     Unseen
	Unknown    bool // the outcome of a write is unknown
}

// PipelinePage is one page of a list with the counts of all lanes.
type PipelinePage struct {
	Rows       []PipelineRow
	Next       string
	Counts     map[heloc.Lane]int                 // up to lead.CountLimit each
	Filtered   map[heloc.Lane]int                 // the same of a list that only an originator filters; otherwise nil
	Moves      lead.MoveCounts                    // of the leads of Filtered or, without it, of Counts
	UsualWaits map[heloc.Operation]lead.UsualWait // how long the lender usually takes for each
}

// maxSearchCandidates is how many candidates of a search are decrypted and compared for one page, in batches: most words are
// so rare, or match so often, that the first batch is enough.
const (
	maxSearchCandidates = 2048
	searchBatch         = 64
)

// Page reads one page. With a query, the lane does not filter: a search covers everything that the user may see.
func (p *Pipeline) Page(ctx context.Context, q lead.Query, typed string) (PipelinePage, error) {
	if err := p.d.may(access.SeePipeline); err != nil {
		return PipelinePage{}, err
	}
	return p.read(ctx, q, typed, true)
}

// read reads one page for a user who may see it; unknown is false if no lead has a write whose outcome is unknown.
func (p *Pipeline) read(ctx context.Context, q lead.Query, typed string, unknown bool) (page PipelinePage, err error) {
	if p.d.Actor.VouchedByCRM { // a filter or a sort order would reveal what is masked
		q.State, typed = "", ""
		if q.Sort == lead.SortAmount {
			q.Sort, q.After = lead.SortDue, ""
		}
	}
	now := store.Millis(p.d.now())
	counts, err := p.d.store.ListCounts(ctx, p.listScope(q), "", now)
	if err != nil {
		return page, err
	}
	page.Counts, page.Moves = counts.Lanes, counts.MoveCounts
	if p.scope.OriginatorUUID == "" && q.Originator != "" && typed == "" && q.ByOriginatorOnly() {
		filtered, err := p.d.store.ListCounts(ctx, p.scope, q.Originator, now)
		if err != nil {
			return page, err
		}
		page.Filtered, page.Moves = filtered.Lanes, filtered.MoveCounts
	}
	if page.UsualWaits, err = p.d.usualWaits.read(ctx, p.d.backend); err != nil {
		return page, err
	}
	var leads []lead.Row
	if leads, page.Next, err = p.leads(ctx, q, typed); err != nil {
		return page, err
	}
	page.Rows, err = p.rowsOf(ctx, leads, unknown)
	return page, err
}

// leads reads one page of a list or of a search, and the key of the next page.
func (p *Pipeline) leads(ctx context.Context, q lead.Query, typed string) (leads []lead.Row, next string, err error) {
	if strings.TrimSpace(typed) != "" {
		page, err := p.search(ctx, q, typed)
		return page.rows, page.next, err
	}
	found, err := p.d.store.Leads(ctx, p.listScope(q), q)
	return found.Leads, found.Next, err
}

func (p *Pipeline) rows(ctx context.Context, leads []lead.Row) ([]PipelineRow, error) {
	return p.rowsOf(ctx, leads, true)
}

// rowsOf is rows; anyUnknown is false if no lead has a write whose outcome is unknown.
func (p *Pipeline) rowsOf(ctx context.Context, leads []lead.Row, anyUnknown bool) ([]PipelineRow, error) {
	names, err := p.originators(ctx)
	if err != nil {
		return nil, err
	}
	fresh, err := p.d.unseen(ctx, leads)
	if err != nil {
		return nil, err
	}
	var unknown []heloc.AppID
	if anyUnknown {
		apps := make([]heloc.AppID, len(leads))
		for i := range leads {
			apps[i] = leads[i].App
		}
		if unknown, err = p.d.store.UnknownAmong(ctx, apps); err != nil {
			return nil, err
		}
	}
	rows := make([]PipelineRow, len(leads))
	for i := range leads {
		row := &rows[i]
		p.fillRow(row, &leads[i], names)
		if row.Name, err = p.d.borrowerName(row.App, row.Borrower); err != nil {
			return nil, err
		}
		row.Unseen, row.Unknown = fresh[row.App], slices.Contains(unknown, row.App)
	}
	return rows, nil
}

// fillRow sets what a list and an export show of a lead, except what the lead has encrypted. For a user that only a CRM vouches
// for it has neither city, state nor amounts.
func (p *Pipeline) fillRow(row *PipelineRow, l *lead.Row, names map[heloc.OriginatorID]string) {
	row.Row, row.Masked = l, p.d.Actor.VouchedByCRM
	if row.Masked {
		masked := *l
		masked.City, masked.State, masked.SelectedAmount, masked.MaxAmount, masked.RequestedAmount = "", "", 0, 0, 0
		row.Row = &masked
	}
	row.Originator, row.AsDeputy = names[l.Originator], p.d.Actor.Scope().AsDeputy(l.Owner())
}

// originators returns the names of the originators whose leads the user sees; nil for the user's own list.
func (p *Pipeline) originators(ctx context.Context) (map[heloc.OriginatorID]string, error) {
	names := map[heloc.OriginatorID]string{}
	if p.scope.OriginatorUUID != "" {
		names[heloc.OriginatorID(p.scope.OriginatorUUID)] = p.d.Actor.OriginatorName
		for _, covered := range p.d.Actor.Scope().Covering.All() {
			o, err := p.d.store.Originator(ctx, heloc.OriginatorID(covered))
			if err != nil && !fault.Is(err, fault.NotFound) { // the directory may not contain the originator
				return nil, err
			}
			names[heloc.OriginatorID(covered)] = o.Name()
		}
		return names, nil
	}
	all, err := p.d.store.OriginatorsOf(ctx, p.scope)
	for _, o := range all {
		names[o.UUID] = o.Name()
	}
	return names, err
}

// found is one page of a search and the key of the next, "" on the last one.
type found struct {
	rows []lead.Row
	next string
}

// search finds leads by name, phone, email, street number or short id. If no name has what was typed, it looks for
// another spelling of it.
func (p *Pipeline) search(ctx context.Context, q lead.Query, typed string) (found, error) {
	typed = input.Line(typed).Text
	if strings.Contains(typed, "-") && strings.Trim(typed, "0123456789-") == "" {
		page, err := p.byShortID(ctx, q, typed)
		if err != nil || len(page.rows) > 0 {
			return page, err
		}
	}
	page, err := p.byName(ctx, q, typed)
	other := heloc.OtherSpelling(typed)
	if err != nil || other == "" || len(page.rows) > 0 || page.next != "" {
		return page, err
	}
	if q.After != "" { // the last page of what was typed can be empty, but the first is not
		first := q
		first.After = ""
		if begun, err := p.byName(ctx, first, typed); err != nil || len(begun.rows) > 0 || begun.next != "" {
			return page, err
		}
	}
	return p.byName(ctx, q, other)
}

// byShortID finds the leads whose short id begins with the text that was typed.
func (p *Pipeline) byShortID(ctx context.Context, q lead.Query, typed string) (page found, err error) {
	limit := cmp.Or(q.Limit, store.PageSize)
	page.rows, err = p.d.store.LeadsByShortID(ctx, p.searchScope(q), typed, q, limit+1)
	if len(page.rows) > limit {
		page.rows = page.rows[:limit]
		page.next = store.ShortIDKey(page.rows[limit-1])
	}
	return page, err
}

// byName finds leads by their search tokens, the last added first. Tokens are short and can collide, so the name of every
// candidate is decrypted and compared. After maxSearchCandidates of them the page ends, and the next one continues.
func (p *Pipeline) byName(ctx context.Context, q lead.Query, typed string) (page found, err error) {
	apps, next, err := p.named(ctx, store.LeadSearch{
		Scope: p.searchScope(q), Company: p.d.company(), Terms: p.d.vault.SearchTokens(p.d.company(), heloc.QueryTerms(typed)),
		Filter: q, After: q.After,
	}, nameMatcher(typed))
	if err != nil {
		return page, err
	}
	page.next = next
	page.rows, err = p.d.store.LeadsAmong(ctx, p.searchScope(q), apps)
	slices.SortFunc(page.rows, func(a, b lead.Row) int {
		return cmp.Or(cmp.Compare(b.ChangedAt, a.ChangedAt), cmp.Compare(a.App, b.App))
	})
	return page, err
}

// named returns up to a page of leads of a search whose names match, and the key of the next page if there are more candidates.
func (p *Pipeline) named(ctx context.Context, search store.LeadSearch, matches func(heloc.Name) bool) (apps []heloc.AppID, next string, err error) {
	for compared := 0; ; {
		candidates, err := p.d.store.NameCandidates(ctx, search, searchBatch)
		if err != nil {
			return nil, "", err
		}
		for _, c := range candidates {
			name, err := p.d.borrowerName(c.App, c.Borrower)
			if err != nil {
				return nil, "", err
			}
			switch {
			case !matches(name):
			case len(apps) == cmp.Or(search.Filter.Limit, store.PageSize):
				return apps, search.After, nil
			default:
				apps = append(apps, c.App)
			}
			search.After = c.Key()
		}
		if len(candidates) < searchBatch {
			return apps, "", nil
		}
		if compared += len(candidates); compared >= maxSearchCandidates {
			return apps, search.After, nil
		}
	}
}

// nameMatcher returns a function that compares what was typed with a name. A name contains no numbers and no emails: for
// those, only the keyed token decides.
func nameMatcher(typed string) func(heloc.Name) bool {
	if strings.Contains(typed, "@") {
		return func(heloc.Name) bool { return true }
	}
	asked := slices.DeleteFunc(strings.Fields(heloc.FoldForSearch(typed)), func(t string) bool { return strings.Trim(t, "0123456789") == "" })
	return func(n heloc.Name) bool {
		if len(asked) == 0 {
			return true
		}
		words := strings.Fields(heloc.FoldForSearch(n.First + " " + n.Middle + " " + n.Last))
		return !slices.ContainsFunc(asked, func(t string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, t) })
		})
	}
}

// Updates is what has happened since the user last marked updates as seen or, before that, since their account
// exists.
type Updates struct {
	Since     time.Time
	Counts    []lead.StatusCount
	FollowUps int // leads with a follow-up that has come due since
	Notes     int // leads on which others have written a note
}

// updates reads the updates; empty for users without leads of their own.
func (p *Pipeline) updates(ctx context.Context, extras store.ListExtras) (n Updates, err error) {
	if p.d.Actor.OriginatorUUID == "" {
		return n, nil
	}
	who := heloc.OriginatorID(p.d.Actor.OriginatorUUID)
	n.Since, n.FollowUps = store.Instant(extras.UpdatesSeenAt), extras.FollowUps
	if !extras.Events {
		return n, nil
	}
	if n.Counts, err = p.d.store.StatusCountsSince(ctx, who, n.Since); err != nil {
		return n, err
	}
	n.Notes, err = p.d.store.NotesSince(ctx, who, n.Since, p.d.Actor.UserID)
	return n, err
}

// MarkUpdatesSeen records that the user has seen the updates.
func (p *Pipeline) MarkUpdatesSeen(ctx context.Context) error {
	if err := p.d.may(access.SeePipeline); err != nil {
		return err
	}
	return p.d.store.MarkUpdatesSeen(ctx, p.d.Actor.UserID)
}

// Adopt adds an application that exists at the lender to the lists, by its id, if the user may see the leads of its
// originator.
func (p *Pipeline) Adopt(ctx context.Context, typed string) (heloc.AppID, error) {
	if err := p.d.may(access.AnnotateLead); err != nil {
		return "", err
	}
	app, err := heloc.ParseAppID(strings.TrimSpace(typed))
	if err != nil {
		return "", fault.InvalidFields(fault.Field{Name: "appUuid", Message: "Enter the application ID: 36 characters with hyphens"})
	}
	if _, err := p.d.store.Lead(ctx, p.d.Actor.Scope(), app); err == nil {
		return app, nil
	}
	by := store.Adopter{UserID: p.d.Actor.UserID, Name: p.d.Actor.Name, Scope: p.d.Actor.Scope()}
	err = p.d.refresher.Adopt(ctx, app, by)
	if fault.Is(err, fault.NotFound) {
		return "", fault.InvalidFields(fault.Field{Name: "appUuid", Message: "The lender has no application with this ID that you can access"})
	}
	return app, err
}
