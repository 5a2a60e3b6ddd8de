package store

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

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
func (q queries) TokensOf(ctx context.Context, app heloc.AppID) ([]Token, error) {
	return list[Token](ctx, q, `SELECT token, key_id FROM lead_tokens WHERE app = ?`, app)
}
