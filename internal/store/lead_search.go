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

// LeadSearch is a search for leads. Results are in the order in which leads were added, newest first.
type LeadSearch struct {
	Scope   access.Scope
	Company string
	Terms   [][]int64  // a lead has a token of each term; a term is the tokens that the keys make of one word
	Filter  lead.Query // only its filters apply, not its lane, order or page key
	After   string     // the key of the last candidate before the page; "" for the first page
}

// NameCandidate is a lead whose name may match a search, because tokens are short and collide. Most candidates of a
// long word do not, so a search reads the rest of the lead only for those that do.
type NameCandidate struct {
	App       heloc.AppID `db:"app"`
	Borrower  []byte      `db:"borrower"`
	CreatedAt int64       `db:"created_at"`
}

// Key is the key of the page that follows this candidate. It is valid also when the lead is deleted.
func (c NameCandidate) Key() string { return encodePageKey(c.CreatedAt, c.App) }

// NameCandidates lists the leads of a search, newest first, up to a limit. It reads the tokens of the word that the
// fewest leads have.
func (q Queries) NameCandidates(ctx context.Context, search LeadSearch, limit int) ([]NameCandidate, error) {
	if len(search.Terms) == 0 || len(search.Terms[0]) == 0 {
		return nil, nil
	}
	terms, err := q.rarestFirst(ctx, search.Company, search.Terms)
	if err != nil {
		return nil, err
	}
	var found []NameCandidate
	for _, token := range terms[0] { // one for each key
		query, args := candidatesSQL(search, token, terms[1:], limit)
		some, err := list[NameCandidate](ctx, q, query, args...)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	slices.SortFunc(found, func(a, b NameCandidate) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(b.App, a.App))
	})
	found = slices.CompactFunc(found, func(a, b NameCandidate) bool { return a.App == b.App })
	return found[:min(len(found), limit)], nil
}

// candidatesSQL finds the leads with a token and those of the other terms.
func candidatesSQL(search LeadSearch, token int64, others [][]int64, limit int) (string, []any) {
	search.Filter.Lane = ""
	where := filtered(search.Scope, search.Filter)
	where.and("company = ?", search.Company)
	for _, term := range others {
		where.and(`EXISTS (SELECT 1 FROM lead_tokens o WHERE o.company = leads.company AND o.token IN `+
			placeholders(len(term))+`
			AND o.created_at = leads.created_at AND o.app = leads.app)`, toAny(term)...)
	}
	before, app, ok := parsePageKey(search.After)
	if !ok {
		before = math.MaxInt64
	}
	return fmt.Sprintf(`SELECT app, borrower, created_at
		FROM (SELECT created_at AS added_at, app AS found FROM lead_tokens WHERE company = ? AND token = ?
			AND (created_at, app) < (?, ?)) t
		JOIN leads ON app = found WHERE %s ORDER BY added_at DESC, found DESC LIMIT %d`, where, limit),
		append([]any{search.Company, token, before, app}, where.args...)
}

// filtered is inList, but applies the filter by originator to the user's own leads too. An originator for whom the
// user no longer covers therefore matches none.
func filtered(scope access.Scope, filter lead.Query) *condition {
	where := inList(scope, filter)
	if scope.OriginatorUUID != "" && filter.Originator != "" && !filter.Unassigned {
		where.and("originator = ?", filter.Originator)
	}
	return where
}

// Candidates lists the leads of a scope that have a token of every term: up to a limit those that were added last,
// the latest change first. The caller decrypts and checks them.
func (q Queries) Candidates(ctx context.Context, scope access.Scope, company string, terms [][]int64,
	limit int) ([]lead.Row, error) {
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

// frequentToken is from how many leads on a word is frequent.
const frequentToken = 1000

// rarestFirst sorts terms so that a search begins with the word that the fewest leads have.
func (q Queries) rarestFirst(ctx context.Context, company string, terms [][]int64) ([][]int64, error) {
	if len(terms) == 1 {
		return terms, nil
	}
	type counted struct {
		term []int64
		n    int
	}
	all := make([]counted, len(terms))
	for i, term := range terms {
		query := fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM lead_tokens WHERE company = ? AND token IN %s LIMIT %d) x`,
			placeholders(len(term)), frequentToken)
		n, err := get[int](ctx, q, query, append([]any{company}, toAny(term)...)...)
		if err != nil {
			return nil, err
		}
		all[i] = counted{term, n}
	}
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(a.n, b.n) })
	sorted := make([][]int64, len(all))
	for i, c := range all {
		sorted[i] = c.term
	}
	return sorted, nil
}

// ShortIDKey is the key of the page of LeadsByShortID that follows a lead. It is valid also when the lead is deleted.
func ShortIDKey(l lead.Row) string { return l.ShortID + "." + string(l.App) }

// LeadsByShortID lists leads of a scope whose short id begins with the text that was typed, in the order of these
// ids. The filters of the query apply, and so does its page key if ShortIDKey made it.
func (q Queries) LeadsByShortID(ctx context.Context, scope access.Scope, typed string, filter lead.Query,
	limit int) ([]lead.Row, error) {
	filter.Lane = ""
	where := filtered(scope, filter)
	where.and("short_id >= ? AND short_id < ?", typed, typed+"\uffff")
	if shortID, app, ok := strings.Cut(filter.After, "."); ok {
		where.and("(short_id, app) > (?, ?)", shortID, app)
	}
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE `+where.String()+` ORDER BY short_id, app
		LIMIT `+strconv.Itoa(limit), where.args...)
}

// Tokens are search tokens and the vault key that made them.
type Tokens struct {
	KeyID  int64
	Values []int64
}

// Token is one search token of a lead.
type Token struct {
	Token int64 `db:"token"`
	KeyID int64 `db:"key_id"` // the key that made it; 0 the first key
}

// AddTokens adds the search tokens of a new lead.
func (tx *Tx) AddTokens(ctx context.Context, app heloc.AppID, tokens Tokens) error {
	all := make([]Token, len(tokens.Values))
	for i, value := range tokens.Values {
		all[i] = Token{value, tokens.KeyID}
	}
	return tx.addTokens(ctx, app, all)
}

// tokensPerStatement limits the rows of one statement, of which the database keeps one prepared for each number of
// rows.
const tokensPerStatement = 16

// addTokens adds tokens of a lead. Where two words have the same token, it is assigned to the newer key.
func (tx *Tx) addTokens(ctx context.Context, app heloc.AppID, tokens []Token) error {
	last := make(map[int64]int64, len(tokens))
	for _, t := range tokens {
		last[t.Token] = t.KeyID
	}
	args := make([]any, 0, 2*len(last))
	for token, key := range last {
		args = append(args, token, key)
	}
	for some := range slices.Chunk(args, 2*tokensPerStatement) {
		values := `SELECT CAST(? AS BIGINT) AS token, CAST(? AS BIGINT) AS key_id` +
			strings.Repeat(` UNION ALL SELECT ?, ?`, len(some)/2-1)
		if err := tx.exec(ctx, `INSERT INTO lead_tokens (company, token, created_at, app, key_id)
			SELECT l.company, t.token, l.created_at, l.app, t.key_id FROM leads l CROSS JOIN (`+values+`) t WHERE l.app = ?
			ON CONFLICT (company, token, created_at, app) DO UPDATE SET key_id = excluded.key_id`,
			append(some, app)...); err != nil {
			return err
		}
	}
	return nil
}

// ReplaceTokens deletes some tokens of a lead and adds others. A new token can have the same number as an old one.
func (tx *Tx) ReplaceTokens(ctx context.Context, app heloc.AppID, drop, add []Token) error {
	for some := range slices.Chunk(drop, tokensPerStatement) {
		where := &condition{}
		where.and("app = ?", app)
		in(where, "token", tokenNumbers(some))
		if err := tx.exec(ctx, `DELETE FROM lead_tokens WHERE `+where.String(), where.args...); err != nil {
			return err
		}
	}
	return tx.addTokens(ctx, app, add)
}

func tokenNumbers(tokens []Token) []int64 {
	all := make([]int64, len(tokens))
	for i, t := range tokens {
		all[i] = t.Token
	}
	return all
}

// TokensOf lists the tokens of a lead.
func (q Queries) TokensOf(ctx context.Context, app heloc.AppID) ([]Token, error) {
	return list[Token](ctx, q, `SELECT token, key_id FROM lead_tokens WHERE app = ?`, app)
}
