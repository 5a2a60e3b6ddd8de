package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Tokens are search tokens and the vault key that made them.
type Tokens struct {
	KeyID  int64
	Values []int64
}

// SetTokens replaces the search tokens of a lead.
func (tx *Tx) SetTokens(ctx context.Context, company string, app heloc.AppID, tokens Tokens) error {
	if _, err := tx.exec(ctx, `DELETE FROM lead_tokens WHERE app_uuid = ?`, app); err != nil {
		return err
	}
	for _, t := range tokens.Values {
		if err := tx.AddToken(ctx, Token{App: app, Company: company, Value: t, KeyID: tokens.KeyID}); err != nil {
			return err
		}
	}
	return nil
}

// Token is one search token of a lead.
type Token struct {
	App     heloc.AppID `db:"app_uuid"`
	Company string      `db:"company"`
	Value   int64       `db:"token"`
	KeyID   int64       `db:"under"` // the key that made it; 0 the first key
}

// AddToken adds one. Where two words have the same token, it is assigned to the newer key.
func (tx *Tx) AddToken(ctx context.Context, t Token) error {
	return tx.execNamed(ctx, `INSERT INTO lead_tokens (company, token, app_uuid, under) VALUES (:company, :token, :app_uuid, :under)
		ON CONFLICT (company, token, app_uuid) DO UPDATE SET under = excluded.under`, t)
}

// DropToken deletes one.
func (tx *Tx) DropToken(ctx context.Context, t Token) error {
	_, err := tx.exec(ctx, `DELETE FROM lead_tokens WHERE company = ? AND token = ? AND app_uuid = ?`, t.Company, t.Value, t.App)
	return err
}

// TokensOf lists the tokens of a lead.
func (q queries) TokensOf(ctx context.Context, app heloc.AppID) ([]Token, error) {
	var ts []Token
	return ts, q.list(ctx, &ts, `SELECT app_uuid, company, token, under FROM lead_tokens WHERE app_uuid = ?`, app)
}

// Candidates lists the leads of a scope that have every term, newest change first. The caller decrypts and
// checks them, because tokens are short and collide. A term is the list of tokens that the keys make of one
// word; a lead has one of them.
func (q queries) Candidates(ctx context.Context, scope access.Scope, company string, terms [][]int64, limit int) ([]lead.Row, error) {
	if len(terms) == 0 || len(terms[0]) == 0 {
		return nil, nil
	}
	query, args := candidatesSQL(scope, company, terms)
	var ls []lead.Row
	if err := q.list(ctx, &ls, query+fmt.Sprintf(" LIMIT %d", limit), args...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(ls, func(a, b lead.Row) int { return cmp.Compare(b.ChangedAt, a.ChangedAt) })
	return ls, nil
}

// candidatesSQL starts with the tokens, whose index yields few rows, and not with the leads of the scope,
// which may be all leads. CROSS JOIN preserves that order. The caller sorts; otherwise SQLite would read all
// matches before it applies the limit. The first term has a branch for each key. Each branch runs along the
// index by application, so SQLite merges them without sorting, and the limit stops where it would with one
// key.
func candidatesSQL(scope access.Scope, company string, terms [][]int64) (string, []any) {
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
	found := strings.Join(arms, " UNION ")
	if len(arms) > 1 {
		found += " ORDER BY found"
	}
	where, scopeArgs := scopeCondition(scope)
	return `SELECT ` + listColumns + ` FROM (` + found + `) f CROSS JOIN leads WHERE leads.app_uuid = f.found AND ` + where, append(args, scopeArgs...)
}
