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

// numberedCandidates finds the candidates. It begins with what the fewest leads have: one of the words, or the originator. Of
// several words that are all frequent, it runs along all.
func (q queries) numberedCandidates(ctx context.Context, search LeadSearch, before int64, limit int) ([]NameCandidate, error) {
	paired, err := q.canPair(ctx, search)
	if err != nil {
		return nil, err
	}
	if paired { // of terms that are all frequent, the pair stays the first
		search.Terms = append([][]int64{search.Pair}, search.Terms...)
	}
	owners, own, err := q.ownersToSearch(ctx, search.Scope, search.Company)
	if err != nil {
		return nil, err
	}
	var frequent bool
	if search.Terms, frequent, err = q.rarestFirst(ctx, search.Terms, max(frequentToken, own)); err != nil {
		return nil, err
	}
	switch {
	case frequent && owners != nil:
		return candidatesOfEach(owners, func(owner string) ([]NameCandidate, error) {
			return q.candidatesInChunks(ctx, search, before, limit, func(before int64) statement { return ownNumbersSQL(search, owner, before) })
		})
	case frequent && len(search.Terms) > 1 && !paired:
		return q.candidatesInChunks(ctx, search, before, limit, func(before int64) statement { return numbersOfWordsSQL(search, before) })
	default: // a term has a token for each key
		return candidatesOfEach(search.Terms[0], func(token int64) ([]NameCandidate, error) {
			one := candidatesSQL(search, token, before, limit)
			return listUpTo[NameCandidate](ctx, q, limit, one.sql, one.args...)
		})
	}
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

// candidatesInChunks reads leads by their numbers in chunks, each longer than the one before, until enough of them are within
// the search. numbers is the query for those that are lower than a number.
func (q queries) candidatesInChunks(ctx context.Context, search LeadSearch, before int64, limit int, numbers func(before int64) statement) (found []NameCandidate, err error) {
	for chunk := firstChunk; ; chunk *= 8 {
		one := chunkSQL(search, numbers(before), chunk)
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

// rarestFirst sorts terms so that a search begins with the word that the fewest leads have, and reports whether each of them
// has as many leads as are counted, or more.
func (q queries) rarestFirst(ctx context.Context, terms [][]int64, most int) (sorted [][]int64, frequent bool, err error) {
	type counted struct {
		term []int64
		n    int
	}
	all := make([]counted, len(terms))
	for i, term := range terms {
		all[i].term = term
		if err := q.get(ctx, &all[i].n, tokenCountSQL(len(term), most), toAny(term)...); err != nil {
			return nil, false, err
		}
	}
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(a.n, b.n) })
	for _, c := range all {
		sorted = append(sorted, c.term)
	}
	return sorted, all[0].n == most, nil
}

// canPair reports whether a search can use its pair of words: it has one, and there are no leads without pairs.
func (q queries) canPair(ctx context.Context, search LeadSearch) (bool, error) {
	if len(search.Pair) == 0 {
		return false, nil
	}
	old, err := q.hasOldTerms(ctx)
	return !old, err
}

func tokenCountSQL(tokens, most int) string {
	return fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM search_tokens WHERE token IN %s LIMIT %d) x`, placeholders(tokens), most)
}

// fewOwnLeads is how many leads the originators of a scope have at most for a search to begin with them.
const fewOwnLeads = 5000

// ownersToSearch returns the originators of a scope with whose leads a search can begin, and up to which number of leads they
// have: few numbers, because each is the text of a statement. There are none in the scope of a company, or if they have many
// leads, or while the portal does not know yet whose each lead is.
func (q queries) ownersToSearch(ctx context.Context, scope access.Scope, company string) (owners []string, most int, err error) {
	if scope.OriginatorUUID == "" {
		return nil, 0, nil
	}
	var unknown bool
	if err := q.get(ctx, &unknown, someWithoutOwnerSQL); err != nil || unknown {
		return nil, 0, err
	}
	owners = scope.Originators()
	var n int
	if err := q.get(ctx, &n, ownLeadsSQL(len(owners)), append([]any{company}, toAny(owners)...)...); err != nil || n > fewOwnLeads {
		return nil, 0, err
	}
	if n <= frequentToken {
		return owners, frequentToken, nil
	}
	return owners, fewOwnLeads, nil
}

const someWithoutOwnerSQL = `SELECT EXISTS (SELECT 1 FROM search_leads WHERE owner IS NULL)`

func ownLeadsSQL(owners int) string {
	return `SELECT coalesce(sum(n), 0) FROM lane_counts WHERE company = ? AND originator_uuid IN ` + placeholders(owners)
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

// ownerCondition returns the scope of a search of an originator's leads as a condition on the owners that are stored with the
// numbers of the leads, and condition checks the leads themselves; it is empty for a company's search. A lead of an earlier
// version may have no owner there yet.
func (s LeadSearch) ownerCondition() (string, []any) {
	if s.Scope.OriginatorUUID == "" {
		return "", nil
	}
	own, args := scopeCondition(s.Scope)
	return ` AND (s.owner IS NULL OR ` + strings.Replace(own, "originator_uuid", "s.owner", 1) + `)`, args
}

// candidatesSQL runs along the leads of one token, the last added first, until the page is full: SQLite keeps the order of
// joins that are written CROSS JOIN. It looks for the other words before it reads a lead, in an originator's search only if the
// lead is theirs.
func candidatesSQL(search LeadSearch, token, before int64, limit int) statement {
	others, owners := search.ownerCondition()
	number := "t.lead"
	if others != "" {
		number = "s.n"
	}
	args := append([]any{token, before}, owners...)
	for _, term := range search.Terms[1:] {
		others += ` AND EXISTS (SELECT 1 FROM search_tokens o WHERE o.token IN ` + placeholders(len(term)) + ` AND o.lead = ` + number + `)`
		args = append(args, toAny(term)...)
	}
	where, values := search.condition()
	return statement{`SELECT ` + candidateColumns + ` FROM search_tokens t CROSS JOIN search_leads s ON s.n = t.lead CROSS JOIN leads ON leads.app_uuid = s.lead_uuid
		WHERE t.token = ? AND t.lead < ?` + others + ` AND ` + where + fmt.Sprintf(` ORDER BY t.lead DESC LIMIT %d`, limit), append(args, values...)}
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
func numbersOfWordsSQL(search LeadSearch, before int64) statement {
	var branches []string
	var args []any
	for _, term := range search.Terms {
		branch := `SELECT lead FROM search_tokens WHERE token = ? AND lead < ?`
		if len(term) > 1 {
			branch = `SELECT DISTINCT lead FROM search_tokens WHERE token IN ` + placeholders(len(term)) + ` AND lead < ?`
		}
		branches, args = append(branches, branch), append(append(args, toAny(term)...), before)
	}
	return statement{strings.Join(branches, " INTERSECT "), args}
}

// ownNumbersSQL runs along the leads of one originator, because all words of the search are more frequent. It looks for the words
// in a way that PostgreSQL cannot turn into a join, which would begin with a word: it expects few leads of each.
func ownNumbersSQL(search LeadSearch, owner string, before int64) statement {
	query, args := `SELECT own.n AS lead FROM search_leads own WHERE own.owner = ? AND own.n < ?`, []any{owner, before}
	for _, term := range search.Terms {
		query += ` AND (SELECT 1 FROM search_tokens o WHERE o.lead = own.n AND o.token IN ` + placeholders(len(term)) + ` LIMIT 1) IS NOT NULL`
		args = append(args, toAny(term)...)
	}
	return statement{query, args}
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
