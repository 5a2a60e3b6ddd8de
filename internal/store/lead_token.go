package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
)

// Tokens are search tokens and the vault's key that made them.
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
	KeyID   int64       `db:"under"` // the key that made it; 0 the first there was
}

// AddToken adds one. Where two words have one token, the newer key has it.
func (tx *Tx) AddToken(ctx context.Context, t Token) error {
	return tx.execNamed(ctx, `INSERT INTO lead_tokens (company, token, app_uuid, under) VALUES (:company, :token, :app_uuid, :under)
		ON CONFLICT (company, token, app_uuid) DO UPDATE SET under = excluded.under`, t)
}

// DropToken removes one.
func (tx *Tx) DropToken(ctx context.Context, t Token) error {
	_, err := tx.exec(ctx, `DELETE FROM lead_tokens WHERE company = ? AND token = ? AND app_uuid = ?`, t.Company, t.Value, t.App)
	return err
}

// TokensOf lists the tokens of a lead.
func (q queries) TokensOf(ctx context.Context, app heloc.AppID) ([]Token, error) {
	var ts []Token
	return ts, q.list(ctx, &ts, `SELECT app_uuid, company, token, under FROM lead_tokens WHERE app_uuid = ?`, app)
}

// Candidates lists leads of a scope that carry every term, the newest change first; the
// caller opens and checks them, because tokens are short and collide. A term is the tokens
// that the keys make of one word, of which a lead has one.
func (q queries) Candidates(ctx context.Context, scope access.Scope, company string, terms [][]int64, limit int) ([]Lead, error) {
	if len(terms) == 0 || len(terms[0]) == 0 {
		return nil, nil
	}
	query, args := candidatesSQL(scope, company, terms)
	var ls []Lead
	if err := q.list(ctx, &ls, query+fmt.Sprintf(" LIMIT %d", limit), args...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(ls, func(a, b Lead) int { return cmp.Compare(b.ChangedAt, a.ChangedAt) })
	return ls, nil
}

// candidatesSQL begins with the tokens, whose index holds few rows, and not with the
// leads of the scope, which may be all there are. CROSS JOIN keeps that order; sorting
// is left to the caller, or all matches would be read before the limit counts. The first
// term has an arm for each key. Each arm runs along the index by application, so they are
// merged without sorting, and the limit cuts where it would under one key.
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
	where, wall := scopeCondition(scope)
	return `SELECT ` + listColumns + ` FROM (` + found + `) f CROSS JOIN leads WHERE leads.app_uuid = f.found AND ` + where, append(args, wall...)
}
