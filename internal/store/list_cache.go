package store

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"sync"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// maxCachedLists limits the memory of the cache: a page of leads has about 50 kB.
const maxCachedLists = 500

// maxCachedAge limits how old a cached result can be, because readings at the lender that find no change are no revision.
const maxCachedAge = time.Minute

// listCache keeps results of queries that read nothing but the leads of a scope, their dates and what happened to them,
// together with the revision of those leads. A result counts only within a snapshot that has the same revision, so it is
// exactly what the query would read there, whichever process wrote in the meantime. Who may see what is decided by the
// scope, which is part of the query: the cache decides nothing. Names stay encrypted in it.
type listCache struct {
	mu      sync.Mutex
	entries map[string]cachedList
}

type cachedList struct {
	revision int64
	readAt   int64
	until    int64 // from which instant on the query would have another result
	result   any
}

func newListCache() *listCache {
	return &listCache{entries: make(map[string]cachedList, maxCachedLists)}
}

func (c *listCache) get(key string, revision, now int64) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok || e.revision != revision || now >= e.until || now < e.readAt || now-e.readAt >= maxCachedAge.Milliseconds() {
		return nil, false
	}
	return e.result, true
}

func (c *listCache) put(key string, e cachedList) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, replaced := c.entries[key]; !replaced && len(c.entries) >= maxCachedLists {
		for other := range c.entries {
			delete(c.entries, other)
			break
		}
	}
	c.entries[key] = e
}

// forever is the end of a result that does not depend on the time.
const forever = math.MaxInt64

// cacheKey is a query for the leads of a scope.
type cacheKey struct {
	scope access.Scope
	query string // without a query, nothing is cached
	args  []any
	now   int64
}

// listKey returns the key of a query for a list; one without a query for a list that depends on the time.
func listKey(q queries, scope access.Scope, lq lead.Query, query string, args []any) cacheKey {
	if lq.Only == lead.OnlyOverdue {
		return cacheKey{}
	}
	return cacheKey{scope, query, args, Millis(q.now())}
}

// ownKey returns the key of a query for the leads of an originator and what happened to them; one without a query for no
// originator, whose changes are not counted.
func ownKey(q queries, originator heloc.OriginatorID, query string, args []any) cacheKey {
	if originator == "" {
		return cacheKey{}
	}
	return cacheKey{access.Scope{OriginatorUUID: string(originator)}, query, args, Millis(q.now())}
}

// text is the query with its arguments in Go syntax, in which no two lists of arguments look alike.
func (k cacheKey) text() string {
	text := append(make([]byte, 0, len(k.query)+64*len(k.args)), k.query...)
	for _, arg := range k.args {
		text = append(text, 0)
		switch v := reflect.ValueOf(arg); v.Kind() { // the usual ones without fmt, which takes longer than the rest
		case reflect.String:
			text = strconv.AppendQuote(text, v.String())
		case reflect.Int, reflect.Int64:
			text = strconv.AppendInt(text, v.Int(), 10)
		default:
			text = fmt.Appendf(text, "%#v", arg)
		}
	}
	return string(text)
}

// cached returns the result of a query, which the caller must not modify: a cached one within a snapshot, and otherwise
// what read returns. With its result, read returns from which instant on it would be another.
func cached[R any](ctx context.Context, q queries, k cacheKey, read func() (R, int64, error)) (R, error) {
	s := snapshotOf(ctx)
	if s == nil || !q.readsSnapshots() || k.query == "" {
		result, _, err := read()
		return result, err
	}
	revision, err := s.revisionOf(ctx, q, k.scope)
	if err != nil {
		var none R
		return none, err
	}
	key := k.text()
	if hit, ok := s.cache.get(key, revision, k.now); ok {
		if result, ok := hit.(R); ok {
			return result, nil
		}
	}
	result, until, err := read()
	if err == nil {
		s.cache.put(key, cachedList{revision: revision, readAt: k.now, until: until, result: result})
	}
	return result, err
}

// revision reads how many changes the leads of a scope have had.
func (q queries) revision(ctx context.Context, scope access.Scope) (int64, error) {
	where, args := scopeCondition(scope)
	var n int64
	return n, q.get(ctx, &n, revisionSQL+where, args...)
}

const revisionSQL = `SELECT coalesce(sum(n), 0) FROM lead_revisions WHERE `
