package store

import (
	"strconv"
	"strings"
	"testing"
)

func TestListCache_Get_OnlyWhileTrue(t *testing.T) {
	t.Parallel()
	c := newListCache()
	c.put("k", cachedList{revision: 7, readAt: 1000, until: 3000, result: "r"})
	c.put("old", cachedList{revision: 7, readAt: 1000, until: forever, result: "r"})
	limit := 1000 + maxCachedAge.Milliseconds()
	for _, tt := range []struct {
		what, key     string
		revision, now int64
		want          bool
	}{
		{"at once", "k", 7, 1000, true},
		{"before it ends", "k", 7, 2999, true},
		{"when it ends", "k", 7, 3000, false},
		{"at an earlier time", "k", 7, 999, false},
		{"after a change", "k", 8, 1000, false},
		{"before a change", "k", 6, 1000, false},
		{"another query", "other", 7, 1000, false},
		{"not too old", "old", 7, limit - 1, true},
		{"too old", "old", 7, limit, false},
	} {
		if _, ok := c.get(tt.key, tt.revision, tt.now); ok != tt.want {
			t.Errorf("%s: found %v, want %v", tt.what, ok, tt.want)
		}
	}
}

func TestListCache_Full_Bounded(t *testing.T) {
	t.Parallel()
	c := newListCache()
	for i := range 2 * maxCachedLists {
		c.put(strconv.Itoa(i), cachedList{until: forever})
	}
	if _, ok := c.get(strconv.Itoa(2*maxCachedLists-1), 0, 0); len(c.entries) != maxCachedLists || !ok {
		t.Errorf("got %d entries, the last one found: %v, want %d with it", len(c.entries), ok, maxCachedLists)
	}
}

// Every column that a list shows or filters by is a revision when it changes, except the time of the last reading.
func TestLeadRevisions_Columns_ThoseOfLists(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	var trigger string
	if err := s.read.GetContext(t.Context(), &trigger, `SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'lead_revisions_update'`); err != nil {
		t.Fatal(err)
	}
	for column := range strings.SplitSeq(listColumns, ",") {
		column = strings.TrimSpace(column)
		watched := strings.Contains(trigger, "OLD."+column+",") || strings.Contains(trigger, "OLD."+column+")")
		if watched != (column != "refreshed_at") || watched != (strings.Contains(trigger, "NEW."+column+",") || strings.Contains(trigger, "NEW."+column+")")) {
			t.Errorf("%s: watched %v", column, watched)
		}
	}
}

// Lists that differ in one argument only have different keys, also in one that is no letter.
func TestCacheKey_OtherArguments_OtherKey(t *testing.T) {
	t.Parallel()
	seen := map[string][]any{}
	for _, args := range [][]any{
		{"a", int64(1)}, {"a", int64(1 << 40)}, {"a", int64(1 << 41)}, {"a", int64(-1)}, {"a", "1"}, {"a 1"}, {"a", 1, 2}, {"a", 12}, {"a\", \"b"}, {"a", "b"}, {},
	} {
		key := cacheKey{query: "q", args: args}.text()
		if other, taken := seen[key]; taken {
			t.Errorf("%#v and %#v have the same key", other, args)
		}
		seen[key] = args
	}
}
