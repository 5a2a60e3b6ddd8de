package store

import (
	"context"
	"fmt"

	"hearthline/internal/access"
)

// tokenSource is a table of search tokens: that of all leads, or the part of one originator in the other.
type tokenSource struct {
	table string
	owner int64 // the originator's number; 0 for all leads
}

// tokenSources returns where a search in a scope finds its tokens. As long as the portal does not know yet whose each lead is, an
// originator's search reads those of all leads.
func (q queries) tokenSources(ctx context.Context, scope access.Scope) ([]tokenSource, error) {
	all := []tokenSource{{table: "search_tokens"}}
	if scope.OriginatorUUID == "" {
		return all, nil
	}
	var unknown bool
	if err := q.get(ctx, &unknown, someWithoutOwnerSQL); err != nil || unknown {
		return all, err
	}
	owners := scope.Originators()
	var numbers []int64
	err := q.list(ctx, &numbers, `SELECT n FROM search_owners WHERE originator_uuid IN `+placeholders(len(owners)), toAny(owners)...)
	sources := make([]tokenSource, len(numbers))
	for i, n := range numbers {
		sources[i] = tokenSource{table: "own_search_tokens", owner: n}
	}
	return sources, err
}

// The order leads both databases to the index of those leads. EXISTS would lead PostgreSQL to read the whole table while its
// statistics, from before the update, say that there are many; the same applies to hasOldTermsSQL.
const someWithoutOwnerSQL = `SELECT (SELECT n FROM search_leads WHERE owner_n IS NULL ORDER BY n LIMIT 1) IS NOT NULL`

// having returns the condition that a row of the source, under a name, is one of the tokens.
func (s tokenSource) having(name string, tokens []int64) (string, []any) {
	args := toAny(tokens)
	where := name + `.token IN ` + placeholders(len(tokens))
	if len(tokens) == 1 {
		where = name + `.token = ?`
	}
	if s.owner != 0 {
		where, args = name+`.owner = ? AND `+where, append([]any{s.owner}, args...)
	}
	return where, args
}

func tokenCountSQL(from tokenSource, term []int64) statement {
	where, args := from.having("t", term)
	return statement{fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM %s t WHERE %s LIMIT %d) x`, from.table, where, frequentToken), args}
}
