package webtest

import "hearthline/internal/store/storetest"

// Dialects returns the dialects of the lender's interface in which a test runs: both on SQLite. On PostgreSQL one is
// enough, because nothing in the store depends on the dialect.
func Dialects() []string {
	if storetest.OnPostgres() {
		return []string{"live"}
	}
	return []string{"documented", "live"}
}
