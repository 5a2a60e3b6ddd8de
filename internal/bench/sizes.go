package bench

import (
	"cmp"
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hearthline/internal/store"
)

// Sizes are the numbers of leads with which benchmarks run. PORTAL_BENCH_LEADS replaces them, such as by
// 1000,100000,1000000.
func Sizes(b *testing.B) (sizes []int) {
	b.Helper()
	for text := range strings.SplitSeq(cmp.Or(os.Getenv("PORTAL_BENCH_LEADS"), "1000,100000"), ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// NewFile returns the path of a new database with the newest schema. It is on the disk, because a million leads do
// not fit into the memory of every machine.
func NewFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "portal.db")
	s, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// PrintSizes prints how large a database is and what some of its tables add to that, each with its indexes. It drops
// them.
func PrintSizes(b *testing.B, path string, tables ...string) {
	b.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?_foreign_keys=0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	size := func(statements ...string) (pages int64) {
		for _, statement := range append(statements, `VACUUM`) {
			if _, err := db.ExecContext(b.Context(), statement); err != nil {
				b.Fatal(err)
			}
		}
		if err := db.QueryRowContext(b.Context(), `PRAGMA page_count`).Scan(&pages); err != nil {
			b.Fatal(err)
		}
		return pages
	}
	left := size()
	b.Logf("%-16s %8.1f MB", "all", float64(left*4096)/1e6)
	for _, table := range tables {
		without := size(`DROP TABLE ` + table)
		b.Logf("%-16s %8.1f MB", table, float64((left-without)*4096)/1e6)
		left = without
	}
}
