package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Tokens are search tokens and the vault key that made them.
type Tokens struct {
	KeyID  int64
	Values []int64
}

// Token is one search token of a lead.
type Token struct {
	Value int64 `db:"token"`
	KeyID int64 `db:"under"` // the key that made it; 0 the first key
}

// SetTokens replaces the search tokens of a lead.
func (tx *Tx) SetTokens(ctx context.Context, app heloc.AppID, tokens Tokens) error {
	if _, err := tx.exec(ctx, `DELETE FROM lead_tokens WHERE app_uuid = ?`, app); err != nil {
		return err
	}
	n, err := tx.searchLead(ctx, app)
	if err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `DELETE FROM search_tokens WHERE lead = ?`, n); err != nil {
		return err
	}
	all := make([]Token, len(tokens.Values))
	for i, value := range tokens.Values {
		all[i] = Token{value, tokens.KeyID}
	}
	return tx.addTokens(ctx, n, all)
}

// searchLead returns the number of a lead in the table of tokens. A lead without one gets the next.
func (tx *Tx) searchLead(ctx context.Context, app heloc.AppID) (n int64, err error) {
	const find = `SELECT n FROM search_leads WHERE lead_uuid = ?`
	if err := tx.get(ctx, &n, find, app); !fault.Is(err, fault.NotFound) {
		return n, err
	}
	if _, err := tx.exec(ctx, `INSERT INTO search_leads (n, lead_uuid) SELECT coalesce(max(n), 0) + 1, ? FROM search_leads`, app); err != nil {
		return 0, err
	}
	return n, tx.get(ctx, &n, find, app)
}

// tokensPerStatement limits the rows of one statement, of which the database keeps one prepared for each number of rows.
const tokensPerStatement = 16

// addTokens adds tokens of a lead. Where two words have the same token, it is assigned to the newer key.
func (tx *Tx) addTokens(ctx context.Context, n int64, tokens []Token) error {
	last := make(map[int64]int64, len(tokens))
	for _, t := range tokens {
		last[t.Value] = t.KeyID
	}
	args := make([]any, 0, 3*len(last))
	for value, key := range last {
		args = append(args, value, n, key)
	}
	for some := range slices.Chunk(args, 3*tokensPerStatement) {
		if _, err := tx.exec(ctx, `INSERT INTO search_tokens (token, lead, under) VALUES (?, ?, ?)`+strings.Repeat(`, (?, ?, ?)`, len(some)/3-1)+`
			ON CONFLICT (token, lead) DO UPDATE SET under = excluded.under`, some...); err != nil {
			return err
		}
	}
	return nil
}

// ReplaceTokens deletes some tokens of a lead and adds others. A new token can have the same number as an old one.
func (tx *Tx) ReplaceTokens(ctx context.Context, app heloc.AppID, drop, add []Token) error {
	n, err := tx.searchLead(ctx, app)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(drop, tokensPerStatement) {
		args := []any{n}
		for _, t := range some {
			args = append(args, t.Value)
		}
		if _, err := tx.exec(ctx, `DELETE FROM search_tokens WHERE lead = ? AND token IN `+placeholders(len(some)), args...); err != nil {
			return err
		}
	}
	return tx.addTokens(ctx, n, add)
}

// TokensOf lists the tokens of a lead.
func (q queries) TokensOf(ctx context.Context, app heloc.AppID) ([]Token, error) {
	var ts []Token
	return ts, q.list(ctx, &ts, tokensOfSQL, app, app)
}

const tokensOfSQL = `SELECT t.token, t.under FROM search_leads s JOIN search_tokens t ON t.lead = s.n WHERE s.lead_uuid = ?
	UNION ALL SELECT token, under FROM lead_tokens WHERE app_uuid = ?`

// MoveTokens moves the tokens of some leads from the table of earlier versions, and reports whether there are more.
func (s *Store) MoveTokens(ctx context.Context, leads int) (more bool, err error) {
	var apps []heloc.AppID
	if err := s.list(ctx, &apps, leadsToMoveSQL, leads); err != nil || len(apps) == 0 {
		return false, err
	}
	return true, s.Write(ctx, func(tx *Tx) error {
		for _, app := range apps {
			if err := tx.MoveTokensOf(ctx, app); err != nil {
				return err
			}
		}
		return nil
	})
}

const leadsToMoveSQL = `SELECT DISTINCT app_uuid FROM lead_tokens ORDER BY app_uuid LIMIT ?`

// MoveTokensOf moves the tokens of a lead from the table of earlier versions, if it has any there.
func (tx *Tx) MoveTokensOf(ctx context.Context, app heloc.AppID) error {
	var old []Token
	if err := tx.list(ctx, &old, `SELECT token, under FROM lead_tokens WHERE app_uuid = ?`, app); err != nil || len(old) == 0 {
		return err
	}
	n, err := tx.searchLead(ctx, app)
	if err != nil {
		return err
	}
	if err := tx.addTokens(ctx, n, old); err != nil {
		return err
	}
	_, err = tx.exec(ctx, `DELETE FROM lead_tokens WHERE app_uuid = ?`, app)
	return err
}

// Candidates lists the leads of a scope that have every term, newest change first. The caller decrypts and
// checks them, because tokens are short and collide. A term is the list of tokens that the keys make of one
// word; a lead has one of them.
func (q queries) Candidates(ctx context.Context, scope access.Scope, company string, terms [][]int64, limit int) ([]lead.Row, error) {
	ls, err := candidates[lead.Row](ctx, q, listColumns, scope, company, terms, limit)
	slices.SortFunc(ls, func(a, b lead.Row) int {
		return cmp.Or(cmp.Compare(b.ChangedAt, a.ChangedAt), cmp.Compare(a.App, b.App))
	})
	return ls[:min(len(ls), limit)], err
}

// NameCandidate is a lead whose name may match a search. Most candidates of a long word do not, so a search reads the rest of
// the lead only for those that do.
type NameCandidate struct {
	App       heloc.AppID `db:"app_uuid"`
	Borrower  []byte      `db:"borrower"`
	ChangedAt int64       `db:"changed_at"`
}

// NameCandidates is Candidates with only their names.
func (q queries) NameCandidates(ctx context.Context, scope access.Scope, company string, terms [][]int64, limit int) ([]NameCandidate, error) {
	all, err := candidates[NameCandidate](ctx, q, "leads.app_uuid, borrower, changed_at", scope, company, terms, limit)
	slices.SortFunc(all, func(a, b NameCandidate) int {
		return cmp.Or(cmp.Compare(b.ChangedAt, a.ChangedAt), cmp.Compare(a.App, b.App))
	})
	return all[:min(len(all), limit)], err
}

// candidates reads the columns of leads in both tables of tokens, up to the limit in each.
func candidates[R any](ctx context.Context, q queries, columns string, scope access.Scope, company string, terms [][]int64, limit int) ([]R, error) {
	if len(terms) == 0 || len(terms[0]) == 0 {
		return nil, nil
	}
	terms, frequent, err := q.rarestFirst(ctx, terms)
	if err != nil {
		return nil, err
	}
	query, args := candidatesSQL(columns, scope, company, terms)
	if frequent && scope.OriginatorUUID != "" {
		few, err := q.hasFewLeads(ctx, scope)
		if err != nil {
			return nil, err
		}
		if few {
			query, args = ownCandidatesSQL(columns, scope, company, terms)
		}
	}
	all, err := listUpTo[R](ctx, q, limit, query+fmt.Sprintf(" LIMIT %d", limit), args...)
	if err != nil {
		return nil, err
	}
	query, args = oldCandidatesSQL(columns, scope, company, terms)
	old, err := listUpTo[R](ctx, q, 0, query+fmt.Sprintf(" LIMIT %d", limit), args...)
	return append(all, old...), err
}

// frequentToken is from how many leads on a word is frequent.
const frequentToken = 1000

// rarestFirst sorts terms so that a search begins with the word that the fewest leads have, and reports whether all of them
// are frequent.
func (q queries) rarestFirst(ctx context.Context, terms [][]int64) (sorted [][]int64, frequent bool, err error) {
	type counted struct {
		term []int64
		n    int
	}
	all := make([]counted, len(terms))
	for i, term := range terms {
		all[i].term = term
		if err := q.get(ctx, &all[i].n, tokenCountSQL(len(term)), toAny(term)...); err != nil {
			return nil, false, err
		}
	}
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(a.n, b.n) })
	for _, c := range all {
		sorted = append(sorted, c.term)
	}
	return sorted, all[0].n == frequentToken, nil
}

func tokenCountSQL(tokens int) string {
	return fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM search_tokens WHERE token IN %s LIMIT %d) x`, placeholders(tokens), frequentToken)
}

// fewOwnLeads is how many leads of an originator a search reads at most: each costs some 30 microseconds.
const fewOwnLeads = 300

// hasFewLeads reports whether the originators of a scope have so few leads that a search can read them all.
func (q queries) hasFewLeads(ctx context.Context, scope access.Scope) (bool, error) {
	where, args := scopeCondition(scope)
	var n int
	err := q.get(ctx, &n, `SELECT coalesce(sum(n), 0) FROM lead_counts WHERE `+where, args...)
	return n <= fewOwnLeads, err
}

// candidatesSQL starts with the tokens, whose index yields few rows, and not with the leads of the scope,
// which may be all leads. CROSS JOIN preserves that order. The caller sorts; otherwise SQLite would read all
// matches before it applies the limit. The first term has a branch for each key. Each branch runs along the
// index by lead, so SQLite merges them without sorting, and the limit stops where it would with one
// key. With several terms, DISTINCT makes SQLite look for the others before it reads leads.
func candidatesSQL(columns string, scope access.Scope, company string, terms [][]int64) (string, []any) {
	var arms []string
	var args []any
	leads := `SELECT`
	if len(terms) > 1 {
		leads += ` DISTINCT`
	}
	for _, token := range terms[0] {
		arm := leads + ` t.lead AS found FROM search_tokens t WHERE t.token = ?`
		args = append(args, token)
		for _, also := range terms[1:] {
			arm += ` AND EXISTS (SELECT 1 FROM search_tokens o WHERE o.token IN ` + placeholders(len(also)) + ` AND o.lead = t.lead)`
			args = append(args, toAny(also)...)
		}
		arms = append(arms, arm)
	}
	where, scopeArgs := scopeCondition(scope)
	return `SELECT ` + columns + ` FROM (` + merged(arms) + `) f CROSS JOIN search_leads s CROSS JOIN leads
		WHERE s.n = f.found AND leads.app_uuid = s.lead_uuid AND company || '' = ? AND ` + where, append(append(args, company), scopeArgs...)
}

// merged returns the union of queries for found in its order, for which nothing is sorted.
func merged(arms []string) string {
	found := strings.Join(arms, " UNION ")
	if len(arms) > 1 {
		found += " ORDER BY found"
	}
	return found
}

// ownCandidatesSQL starts with the leads of the scope, which are few, because all words of the search are frequent.
func ownCandidatesSQL(columns string, scope access.Scope, company string, terms [][]int64) (string, []any) {
	where, args := scopeCondition(scope)
	query := `SELECT ` + columns + ` FROM leads WHERE ` + where + ` AND company || '' = ?`
	args = append(args, company)
	for _, term := range terms {
		query += ` AND EXISTS (SELECT 1 FROM search_leads s CROSS JOIN search_tokens o WHERE s.lead_uuid = leads.app_uuid AND o.token IN ` + placeholders(len(term)) + ` AND o.lead = s.n)`
		args = append(args, toAny(term)...)
	}
	return query, args
}

// oldCandidatesSQL is candidatesSQL for the leads whose tokens are still in the table of earlier versions.
func oldCandidatesSQL(columns string, scope access.Scope, company string, terms [][]int64) (string, []any) {
	var arms []string
	var args []any
	for _, token := range terms[0] {
		arm := `SELECT t.app_uuid AS found FROM lead_tokens t WHERE t.company = ? AND t.token = ?`
		args = append(args, company, token)
		for _, also := range terms[1:] {
			arm += ` AND EXISTS (SELECT 1 FROM lead_tokens o WHERE o.company = ? AND o.token IN ` + placeholders(len(also)) + ` AND o.app_uuid = t.app_uuid)`
			args = append(append(args, company), toAny(also)...)
		}
		arms = append(arms, arm)
	}
	where, scopeArgs := scopeCondition(scope)
	return `SELECT ` + columns + ` FROM (` + merged(arms) + `) f CROSS JOIN leads WHERE leads.app_uuid = f.found AND ` + where, append(args, scopeArgs...)
}
