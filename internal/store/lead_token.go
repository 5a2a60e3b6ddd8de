package store

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
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

// SetTokens replaces the search tokens of a lead by those of the current version of the terms.
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
	return tx.addCurrentTokens(ctx, n, tokens)
}

// AddTokens adds search tokens to those of a lead, which then has all of the current version of the terms.
func (tx *Tx) AddTokens(ctx context.Context, app heloc.AppID, tokens Tokens) error {
	n, err := tx.searchLead(ctx, app)
	if err != nil {
		return err
	}
	return tx.addCurrentTokens(ctx, n, tokens)
}

func (tx *Tx) addCurrentTokens(ctx context.Context, n int64, tokens Tokens) error {
	all := make([]Token, len(tokens.Values))
	for i, value := range tokens.Values {
		all[i] = Token{value, tokens.KeyID}
	}
	if err := tx.addTokens(ctx, n, all); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE search_leads SET terms_version = ? WHERE n = ?`, heloc.TermsVersion, n)
	return err
}

// LeadsWithOldTerms lists up to a limit leads whose search tokens were made from an earlier version of the terms.
func (q queries) LeadsWithOldTerms(ctx context.Context, limit int) ([]LeadName, error) {
	var ls []LeadName
	return ls, q.list(ctx, &ls, oldTermsSQL, limit)
}

// LeadName is a lead with its encrypted name.
type LeadName struct {
	App      heloc.AppID `db:"app_uuid"`
	Company  string      `db:"company"`
	Borrower []byte      `db:"borrower"`
}

const oldTermsSQL = `SELECT leads.app_uuid, leads.company, leads.borrower FROM search_leads s JOIN leads ON leads.app_uuid = s.lead_uuid
	WHERE s.terms_version < 2 ORDER BY s.n LIMIT ?`

// AddSearchOwners records whose some leads of an earlier version are, beside their numbers in the table of tokens; triggers then add
// their tokens to those of the originators. It reports whether there were such leads: there may be more.
func (s *Store) AddSearchOwners(ctx context.Context, leads int) (more bool, err error) {
	var without []int64
	if err := s.list(ctx, &without, noOwnerSQL, leads); err != nil || len(without) == 0 {
		return false, err
	}
	return true, s.Write(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `UPDATE search_leads SET owner = coalesce((SELECT originator_uuid FROM leads WHERE app_uuid = lead_uuid), '')
			WHERE owner_n IS NULL AND n IN `+placeholders(len(without)), toAny(without)...)
		return err
	})
}

const noOwnerSQL = `SELECT n FROM search_leads WHERE owner_n IS NULL ORDER BY n LIMIT ?`

// hasOldTerms reports whether some lead has only the search tokens of an earlier version of the terms.
func (q queries) hasOldTerms(ctx context.Context) (old bool, err error) {
	return old, q.get(ctx, &old, hasOldTermsSQL)
}

const hasOldTermsSQL = `SELECT (SELECT n FROM search_leads WHERE terms_version < 2 ORDER BY n LIMIT 1) IS NOT NULL OR EXISTS (SELECT 1 FROM lead_tokens)`

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
