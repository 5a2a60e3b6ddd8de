package core

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// List reads the lead lists of a user.
type List struct {
	d      Desk
	Scope  access.Scope // without the leads that the user sees as a deputy
	people *[]lead.Originator
}

// LeadList returns the lists of the user, whose permission the caller has checked.
func (d Desk) LeadList() List {
	return List{d: d, Scope: d.Actor.Scope().Own(), people: new([]lead.Originator)}
}

// ListScope is the scope of a list: the leads of one originator for whom the user covers, when the query names that
// originator, and otherwise the user's own.
func (list List) ListScope(q lead.Query) access.Scope { return list.coveredOr(list.Scope, q) }

// TodayScope returns whose Today a query reads or counts: the list's leads, limited to the originator's unless that is
// empty.
func (list List) TodayScope(q lead.Query, originator heloc.OriginatorID) store.TodayScope {
	in := store.TodayScope{Scope: list.ListScope(q), Originator: originator, User: list.d.UserScope(),
		Own: heloc.OriginatorID(list.d.Actor.OriginatorUUID)}
	if in.OriginatorUUID != "" {
		in.Own = heloc.OriginatorID(in.OriginatorUUID)
	}
	return in
}

// Today reads a page of Today, as a list shows it.
func (list List) Today(ctx context.Context, q lead.Query) (rows []lead.PipelineRow, next string, err error) {
	found, next, err := list.d.Store.Today(ctx, list.TodayScope(q, q.Originator), q)
	if err != nil {
		return nil, "", err
	}
	leads := make([]lead.Row, len(found))
	for i := range found {
		leads[i] = found[i].Row
	}
	rows, err = list.RowsOf(ctx, leads, false)
	for i := range rows {
		rows[i].Today, rows[i].Unknown = found[i].TodayEntry, found[i].Has(lead.TodayUnconfirmed)
	}
	return rows, next, err
}

func (list List) coveredOr(otherwise access.Scope, q lead.Query) access.Scope {
	if covered, ok := list.d.Actor.Scope().Covered(string(q.Originator)); ok {
		return covered
	}
	return otherwise
}

// searchScope is the scope of a search, which covers everything that the user may see unless the query names an
// originator for whom they cover.
func (list List) searchScope(q lead.Query) access.Scope {
	return list.coveredOr(list.d.Actor.Scope(), q)
}

// maxSearchCandidates is how many candidates of a search are decrypted and compared for one page, in batches: most
// words are so rare, or match so often, that the first batch is enough.
const (
	maxSearchCandidates = 2048
	searchBatch         = 64
)

// Leads reads one page of a list or of a search, and the key of the next page.
func (list List) Leads(ctx context.Context, q lead.Query, typed string) (leads []lead.Row, next string, err error) {
	if strings.TrimSpace(typed) != "" {
		page, err := list.Search(ctx, q, typed)
		return page.Rows, page.Next, err
	}
	found, err := list.d.Store.Leads(ctx, list.ListScope(q), q)
	return found.Leads, found.Next, err
}

// Rows returns leads as a list shows them.
func (list List) Rows(ctx context.Context, leads []lead.Row) ([]lead.PipelineRow, error) {
	return list.RowsOf(ctx, leads, true)
}

// RowsOf is Rows for a caller who knows whether any lead can have a write whose outcome is unknown.
func (list List) RowsOf(ctx context.Context, leads []lead.Row, anyUnknown bool) ([]lead.PipelineRow, error) {
	names, err := list.Originators(ctx)
	if err != nil {
		return nil, err
	}
	fresh, err := list.d.unseen(ctx, leads)
	if err != nil {
		return nil, err
	}
	var unknown []heloc.AppID
	if anyUnknown {
		if unknown, err = list.d.Store.UnknownAmong(ctx, lead.Apps(leads)); err != nil {
			return nil, err
		}
	}
	rows := make([]lead.PipelineRow, len(leads))
	for i := range leads {
		row := &rows[i]
		list.FillRow(row, &leads[i], names)
		if row.Name, err = list.d.BorrowerName(row.App, row.Borrower); err != nil {
			return nil, err
		}
		row.Unseen, row.Unknown = fresh[row.App], slices.Contains(unknown, row.App)
	}
	return rows, nil
}

// Originators returns the names of the originators whose leads the user sees; nil for the user's own list.
func (list List) Originators(ctx context.Context) (map[heloc.OriginatorID]string, error) {
	names := map[heloc.OriginatorID]string{}
	if list.Scope.OriginatorUUID != "" {
		names[heloc.OriginatorID(list.Scope.OriginatorUUID)] = list.d.Actor.OriginatorName
		for _, covered := range list.d.Actor.Scope().Covering.All() {
			o, err := list.d.Store.Originator(ctx, heloc.OriginatorID(covered))
			if err != nil && !fault.Is(err, fault.NotFound) { // the directory may not contain the originator
				return nil, err
			}
			names[heloc.OriginatorID(covered)] = o.Name()
		}
		return names, nil
	}
	all, err := list.People(ctx)
	for _, o := range all {
		names[o.UUID] = o.Name()
	}
	return names, err
}

// People lists the originators whose leads a manager sees, with their names and NMLS numbers alone. It reads them once.
func (list List) People(ctx context.Context) (all []lead.Originator, err error) {
	if *list.people == nil {
		*list.people, err = list.d.Store.OriginatorNames(ctx, list.Scope)
	}
	return *list.people, err
}

// Found is one page of a search and the key of the next page, "" on the last one.
type Found struct {
	Rows []lead.Row
	Next string
}

// Search finds leads by name, phone, email, street number or short id. If no name has what was typed, it looks for
// another spelling of it.
func (list List) Search(ctx context.Context, q lead.Query, typed string) (Found, error) {
	typed = input.Line(typed).Text
	if beginsShortID(typed) {
		page, err := list.byShortID(ctx, q, typed)
		if err != nil || len(page.Rows) > 0 {
			return page, err
		}
	}
	if err := list.d.auditSearch(ctx, typed); err != nil {
		return Found{}, err
	}
	page, err := list.byName(ctx, q, typed)
	other := heloc.OtherSpelling(typed)
	if err != nil || other == "" || len(page.Rows) > 0 || page.Next != "" {
		return page, err
	}
	if q.After != "" { // the last page of what was typed can be empty, but the first is not
		first := q
		first.After = ""
		if begun, err := list.byName(ctx, first, typed); err != nil || len(begun.Rows) > 0 || begun.Next != "" {
			return page, err
		}
	}
	return list.byName(ctx, q, other)
}

// shortIDBeginning is the beginning of a short id such as 1-26324-002, from its first dash on.
var shortIDBeginning = regexp.MustCompile(`^\d-(\d{0,5}|\d{5}-\d*)$`)

// beginsShortID reports whether a short id can begin with the text that was typed. Short ids are plain parameters of a
// statement, which a database may log, so the shape of an SSN or a phone number must not match.
func beginsShortID(typed string) bool {
	return shortIDBeginning.MatchString(typed)
}

// byShortID finds the leads whose short id begins with the text that was typed.
func (list List) byShortID(ctx context.Context, q lead.Query, typed string) (page Found, err error) {
	limit := cmp.Or(q.Limit, store.PageSize)
	page.Rows, err = list.d.Store.LeadsByShortID(ctx, list.searchScope(q), typed, q, limit+1)
	if len(page.Rows) > limit {
		page.Rows = page.Rows[:limit]
		page.Next = store.ShortIDKey(page.Rows[limit-1])
	}
	return page, err
}

// byName finds leads by their search tokens, the last added first. Tokens are short and can collide, so the name of
// every candidate is decrypted and compared. After maxSearchCandidates of them the page ends, and the next one
// continues.
func (list List) byName(ctx context.Context, q lead.Query, typed string) (page Found, err error) {
	apps, next, err := list.named(ctx, store.LeadSearch{
		Scope: list.searchScope(q), Company: list.d.Company(),
		Terms:  list.d.Vault.SearchTokens(list.d.Company(), heloc.QueryTerms(typed)),
		Filter: q, After: q.After,
	}, lead.NameMatcher(typed))
	if err != nil {
		return page, err
	}
	page.Next = next
	page.Rows, err = list.d.Store.LeadsAmong(ctx, list.searchScope(q), apps)
	slices.SortFunc(page.Rows, func(a, b lead.Row) int {
		return cmp.Or(cmp.Compare(b.ChangedAt, a.ChangedAt), cmp.Compare(a.App, b.App))
	})
	return page, err
}

// named returns up to a page of leads of a search whose names match, and the key of the next page if there are more
// candidates.
func (list List) named(ctx context.Context, search store.LeadSearch,
	matches func(heloc.Name) bool) (apps []heloc.AppID, next string, err error) {
	for compared := 0; ; {
		candidates, err := list.d.Store.NameCandidates(ctx, search, searchBatch)
		if err != nil {
			return nil, "", err
		}
		for _, c := range candidates {
			name, err := list.d.BorrowerName(c.App, c.Borrower)
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

// unseen queries only the few leads on which anything happened.
func (d Desk) unseen(ctx context.Context, leads []lead.Row) (map[heloc.AppID]lead.Unseen, error) {
	var apps []heloc.AppID
	for _, l := range leads {
		if l.ConditionAt != 0 || l.WireAt != 0 {
			apps = append(apps, l.App)
		}
	}
	if len(apps) == 0 {
		return nil, nil
	}
	viewedAt, err := d.Store.ViewedAt(ctx, d.Actor.UserID, apps)
	if err != nil {
		return nil, err
	}
	fresh := make(map[heloc.AppID]lead.Unseen, len(apps))
	for _, l := range leads {
		u := lead.Unseen{Condition: l.ConditionAt > viewedAt[l.App]}
		if l.WireAt > viewedAt[l.App] {
			u.Wire = l.WireStatus
		}
		fresh[l.App] = u
	}
	return fresh, nil
}

// FillRow sets what a list and an export show of a lead, except its encrypted parts. It omits city, state and amounts
// for users that only a CRM vouches for.
func (list List) FillRow(row *lead.PipelineRow, l *lead.Row, names map[heloc.OriginatorID]string) {
	row.Row, row.Masked = l, list.d.Actor.VouchedByCRM
	if row.Masked {
		masked := *l
		masked.City, masked.State, masked.SelectedAmount, masked.MaxAmount, masked.RequestedAmount = "", "", 0, 0, 0
		row.Row = &masked
	}
	row.Originator, row.AsDeputy = names[l.Originator], list.d.Actor.Scope().AsDeputy(l.Owner())
}
