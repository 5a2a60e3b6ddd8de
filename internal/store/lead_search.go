package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// LeadSearch is a search for leads. Its results are in an order in which the leads that were added last come first, so that
// a page costs what it shows, and not what all of them would.
type LeadSearch struct {
	Scope   access.Scope
	Company string
	Terms   [][]int64  // a lead has a token of each term; a term is the tokens that the keys make of one word
	Pair    []int64    // the tokens that the keys make of a pair of words, if there is one; leads of earlier versions may lack them
	Filter  lead.Query // only its filters apply, not its lane, order or page key
	After   string     // the key of the last candidate before the page; "" for the first page
}

// NameCandidate is a lead whose name may match a search, because tokens are short and collide. Most candidates of a long word
// do not, so a search reads the rest of the lead only for those that do.
type NameCandidate struct {
	App      heloc.AppID `db:"app_uuid"`
	Borrower []byte      `db:"borrower"`
	Number   int64       `db:"n"` // of the lead among the search tokens; 0 if they are still in the table of earlier versions
}

// Key is the key of the page that follows this candidate. It is valid also when the lead is deleted.
func (c NameCandidate) Key() string {
	if c.Number == 0 {
		return string(c.App)
	}
	return strconv.FormatInt(c.Number, 10)
}

// NameCandidates lists the leads of a search, the last added first, up to a limit. Leads whose tokens are still in the table
// of earlier versions come after all others, in the order of their ids.
func (q queries) NameCandidates(ctx context.Context, search LeadSearch, limit int) ([]NameCandidate, error) {
	if len(search.Terms) == 0 || len(search.Terms[0]) == 0 {
		return nil, nil
	}
	before, afterOld := searchPosition(search.After)
	found, err := q.numberedCandidates(ctx, search, before, limit)
	if err != nil {
		return nil, err
	}
	if len(found) >= limit {
		return found[:limit], nil
	}
	old := oldCandidatesSQL(search, afterOld, limit-len(found))
	rest, err := listUpTo[NameCandidate](ctx, q, 0, old.sql, old.args...)
	return append(found, rest...), err
}

// Candidates lists the leads of a scope that have a token of every term: up to a limit those that were added last, the latest
// change first. The caller decrypts and checks them.
func (q queries) Candidates(ctx context.Context, scope access.Scope, company string, terms [][]int64, limit int) ([]lead.Row, error) {
	found, err := q.NameCandidates(ctx, LeadSearch{Scope: scope, Company: company, Terms: terms}, limit)
	if err != nil {
		return nil, err
	}
	apps := make([]heloc.AppID, len(found))
	for i, c := range found {
		apps[i] = c.App
	}
	rows, err := q.LeadsAmong(ctx, scope, apps)
	slices.SortFunc(rows, func(a, b lead.Row) int {
		return cmp.Or(cmp.Compare(b.ChangedAt, a.ChangedAt), cmp.Compare(a.App, b.App))
	})
	return rows, err
}

// searchPosition returns where a page continues: below which number of the leads that have one, and after which id of the others,
// which come last. A key that is neither starts at the first page.
func searchPosition(key string) (before int64, afterOld heloc.AppID) {
	if n, err := strconv.ParseInt(key, 10, 32); err == nil {
		return n, ""
	}
	if app, err := heloc.ParseAppID(key); err == nil {
		return 0, app
	}
	return math.MaxInt32, ""
}

// statement is an SQL text with its values.
type statement struct {
	sql  string
	args []any
}

// numberedCandidates finds the candidates among the tokens of the originators of the scope or, in the scope of a company, among all.
func (q queries) numberedCandidates(ctx context.Context, search LeadSearch, before int64, limit int) ([]NameCandidate, error) {
	paired, err := q.canPair(ctx, search)
	if err != nil {
		return nil, err
	}
	if paired { // of terms that are all frequent, the pair stays the first
		search.Terms = append([][]int64{search.Pair}, search.Terms...)
	}
	sources, err := q.tokenSources(ctx, search.Scope)
	if err != nil {
		return nil, err
	}
	return candidatesOfEach(sources, func(from tokenSource) ([]NameCandidate, error) {
		return q.candidatesFrom(ctx, from, search, paired, before, limit)
	})
}

// candidatesFrom begins with the word that the fewest leads have. Of several words that are all frequent, it runs along all.
func (q queries) candidatesFrom(ctx context.Context, from tokenSource, search LeadSearch, paired bool, before int64, limit int) (found []NameCandidate, err error) {
	var frequent bool
	if search.Terms, frequent, err = q.rarestFirst(ctx, from, search.Terms); err != nil {
		return nil, err
	}
	if frequent && len(search.Terms) > 1 && !paired {
		return q.candidatesInChunks(ctx, from, search, before, limit)
	}
	return candidatesOfEach(search.Terms[0], func(token int64) ([]NameCandidate, error) { // a term has a token for each key
		one := candidatesSQL(from, search, token, before, limit)
		return listUpTo[NameCandidate](ctx, q, limit, one.sql, one.args...)
	})
}

// candidatesOfEach returns the candidates of all values in their order, each once.
func candidatesOfEach[V any](values []V, list func(V) ([]NameCandidate, error)) (found []NameCandidate, err error) {
	for _, value := range values {
		some, err := list(value)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	slices.SortFunc(found, func(a, b NameCandidate) int { return cmp.Compare(b.Number, a.Number) })
	return slices.CompactFunc(found, func(a, b NameCandidate) bool { return a.Number == b.Number }), nil
}

// firstChunk is how many leads that have all words of a search are read first: a company has most of them.
const firstChunk = 128

// candidatesInChunks reads the leads that have all words by their numbers, in chunks, each longer than the one before, until
// enough of them are within the search.
func (q queries) candidatesInChunks(ctx context.Context, from tokenSource, search LeadSearch, before int64, limit int) (found []NameCandidate, err error) {
	for chunk := firstChunk; ; chunk *= 8 {
		one := chunkSQL(search, numbersOfWordsSQL(from, search.Terms, before), chunk)
		some, err := listUpTo[NameCandidate](ctx, q, chunk, one.sql, one.args...)
		if err != nil {
			return nil, err
		}
		for _, c := range some {
			if before = c.Number; c.App != "" {
				found = append(found, c)
			}
			if len(found) == limit {
				return found, nil
			}
		}
		if len(some) < chunk {
			return found, nil
		}
	}
}

// frequentToken is from how many leads on a word is frequent.
const frequentToken = 1000

// rarestFirst sorts terms so that a search begins with the word that the fewest leads have, and reports whether all of them are
// frequent.
func (q queries) rarestFirst(ctx context.Context, from tokenSource, terms [][]int64) (sorted [][]int64, frequent bool, err error) {
	type counted struct {
		term []int64
		n    int
	}
	all := make([]counted, len(terms))
	for i, term := range terms {
		all[i].term = term
		count := tokenCountSQL(from, term)
		if err := q.get(ctx, &all[i].n, count.sql, count.args...); err != nil {
			return nil, false, err
		}
	}
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(a.n, b.n) })
	for _, c := range all {
		sorted = append(sorted, c.term)
	}
	return sorted, all[0].n == frequentToken, nil
}

// canPair reports whether a search can use its pair of words: it has one, and there are no leads without pairs.
func (q queries) canPair(ctx context.Context, search LeadSearch) (bool, error) {
	if len(search.Pair) == 0 {
		return false, nil
	}
	old, err := q.hasOldTerms(ctx)
	return !old, err
}

// candidateColumns are those of a NameCandidate.
const candidateColumns = `leads.app_uuid, leads.borrower, s.n`

// condition returns the scope and the filters of a search. No index of the leads is to be used for them, because the tokens
// lead to fewer.
func (s LeadSearch) condition() (string, []any) {
	where, args := searchCondition(s.Scope, s.Filter)
	where = strings.NewReplacer(
		"originator_uuid = ", "originator_uuid || '' = ", "originator_uuid IN ", "originator_uuid || '' IN ", "company = ", "company || '' = ",
	).Replace(where)
	return where + ` AND company || '' = ?`, append(args, s.Company)
}

// searchCondition returns which leads a search can find. Its filter by originator applies to the user's own leads too: somebody for
// whom the user no longer covers has none among them.
func searchCondition(scope access.Scope, filter lead.Query) (string, []any) {
	filter.Lane = ""
	where, args := leadListCondition(scope, filter, byNone)
	if scope.OriginatorUUID != "" && filter.Originator != "" && !filter.Unassigned {
		where, args = where+" AND originator_uuid || '' = ?", append(args, filter.Originator)
	}
	return where, args
}

// candidatesSQL runs along the leads of one token, the last added first, until the page is full: SQLite keeps the order of
// joins that are written CROSS JOIN. It looks for the other words before it reads a lead.
func candidatesSQL(from tokenSource, search LeadSearch, token, before int64, limit int) statement {
	first, args := from.having("t", []int64{token})
	args = append(args, before)
	others := ""
	for _, term := range search.Terms[1:] {
		also, tokens := from.having("o", term)
		others += ` AND EXISTS (SELECT 1 FROM ` + from.table + ` o WHERE ` + also + ` AND o.lead = t.lead)`
		args = append(args, tokens...)
	}
	where, values := search.condition()
	return statement{`SELECT ` + candidateColumns + ` FROM ` + from.table + ` t CROSS JOIN search_leads s ON s.n = t.lead CROSS JOIN leads ON leads.app_uuid = s.lead_uuid
		WHERE ` + first + ` AND t.lead < ?` + others + ` AND ` + where + fmt.Sprintf(` ORDER BY t.lead DESC LIMIT %d`, limit), append(args, values...)}
}

// chunkSQL reads the first leads whose numbers a query finds as "lead", up to a limit, without their ids where they are not within
// the search.
func chunkSQL(search LeadSearch, numbers statement, chunk int) statement {
	where, values := search.condition()
	return statement{`SELECT coalesce(leads.app_uuid, '') AS app_uuid, leads.borrower, s.n
		FROM (` + numbers.sql + fmt.Sprintf(` ORDER BY lead DESC LIMIT %d`, chunk) + `) f
		CROSS JOIN search_leads s ON s.n = f.lead LEFT JOIN leads ON leads.app_uuid = s.lead_uuid AND ` + where + ` ORDER BY s.n DESC`, append(numbers.args, values...)}
}

// numbersOfWordsSQL runs along the leads of all words at once, which is faster than to look each lead of one word up in the
// others.
func numbersOfWordsSQL(from tokenSource, terms [][]int64, before int64) statement {
	var branches []string
	var args []any
	for _, term := range terms {
		where, tokens := from.having("t", term)
		columns := "t.lead"
		if len(term) > 1 {
			columns = "DISTINCT t.lead"
		}
		branches = append(branches, `SELECT `+columns+` FROM `+from.table+` t WHERE `+where+` AND t.lead < ?`)
		args = append(append(args, tokens...), before)
	}
	return statement{strings.Join(branches, " INTERSECT "), args}
}

// oldCandidatesSQL finds leads whose tokens are still in the table of earlier versions. It is empty soon after an update.
func oldCandidatesSQL(search LeadSearch, after heloc.AppID, limit int) statement {
	var branches []string
	var args []any
	for _, token := range search.Terms[0] {
		branch := `SELECT t.app_uuid AS found FROM lead_tokens t WHERE t.company = ? AND t.token = ? AND t.app_uuid > ?`
		args = append(args, search.Company, token, after)
		for _, also := range search.Terms[1:] {
			branch += ` AND EXISTS (SELECT 1 FROM lead_tokens o WHERE o.company = ? AND o.token IN ` + placeholders(len(also)) + ` AND o.app_uuid = t.app_uuid)`
			args = append(append(args, search.Company), toAny(also)...)
		}
		branches = append(branches, branch)
	}
	where, values := search.condition()
	return statement{`SELECT leads.app_uuid, leads.borrower, 0 AS n FROM (` + strings.Join(branches, " UNION ") + `) f
		CROSS JOIN leads ON leads.app_uuid = f.found WHERE ` + where + fmt.Sprintf(` ORDER BY leads.app_uuid LIMIT %d`, limit), append(args, values...)}
}

// ShortIDKey is the key of the page of LeadsByShortID that follows a lead. It is valid also when the lead is deleted.
func ShortIDKey(l lead.Row) string { return l.ShortID + "." + string(l.App) }

// LeadsByShortID lists leads of a scope whose short id begins with the text that was typed, in the order of these ids. The
// filters of the query apply, and so does its page key if ShortIDKey made it.
func (q queries) LeadsByShortID(ctx context.Context, scope access.Scope, typed string, filter lead.Query, limit int) ([]lead.Row, error) {
	one := shortIDSQL(scope, typed, filter, limit)
	var ls []lead.Row
	return ls, q.list(ctx, &ls, one.sql, one.args...)
}

func shortIDSQL(scope access.Scope, typed string, filter lead.Query, limit int) statement {
	after := filter.After
	where, args := searchCondition(scope, filter)
	where, args = where+` AND short_id >= ? AND short_id < ?`, append(args, typed, typed+"\uffff")
	if shortID, app, ok := strings.Cut(after, "."); ok {
		where, args = where+` AND (short_id, app_uuid) > (?, ?)`, append(args, shortID, app)
	}
	return statement{`SELECT ` + listColumns + ` FROM leads WHERE ` + where + fmt.Sprintf(` ORDER BY short_id, app_uuid LIMIT %d`, limit), args}
}
