package reencrypt_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// allContent returns the content of every column of every table of a database, as text.
func allContent(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var all strings.Builder
	read := func(query string, each func(text string)) {
		t.Helper()
		rows, err := db.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var text sql.NullString
			if err := rows.Scan(&text); err != nil {
				t.Fatal(err)
			}
			each(text.String)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	var columns [][2]string
	read(`SELECT m.name || ' ' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`, func(text string) {
		table, column, _ := strings.Cut(text, " ")
		columns = append(columns, [2]string{table, column})
	})
	if len(columns) < 300 {
		t.Fatalf("got %d columns: the query finds too little", len(columns))
	}
	for _, c := range columns {
		read(fmt.Sprintf(`SELECT CAST(%q AS TEXT) FROM %q`, c[1], c[0]), func(text string) { all.WriteString(text + "\n") })
	}
	return all.String()
}

// TestDatabaseCopy_AnyKeys_HasNoPII copies everything except the keys: before a key rotation, during the reencryption
// and after it.
func TestDatabaseCopy_AnyKeys_HasNoPII(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	// Each is a text that occurs nowhere else by chance.
	const first, last, email, street, streetNumber, phone = "Xochiquetzal", "Quetzalcoatl", "xochi.canary@borrower.test", "Larkspurgate", "41827399", "3035550147"
	b := borrower{n: 7, who: "olivia", first: first, last: last, record: "crm-canary-0007"}
	in := b.inquiry()
	in.Applicant.Phone, in.Applicant.Email, in.Property.Address.Street1 = phone, email, streetNumber+" "+street+" Ave"
	g.startInquiry(b, in, heloc.CallResult{Reach: heloc.ReachAnswer, Status: 200, Effect: heloc.EffectStated, App: appID(7), Messages: []heloc.Message{{Message: last + " is known."}}})
	var d heloc.Details
	d.App.PropertyAddress = in.Property.Address
	sealed, err := vault.SealJSON(g.vault, vault.PartAAD(appID(7), lead.PartDetails), d)
	g.must(err)
	g.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.SavePart(ctx, store.SealedPart{App: appID(7), Part: lead.PartDetails, Version: journal.PartVersion, Sealed: sealed, FetchedAt: 1})
	})
	scan := func(when string) {
		t.Helper()
		for _, typed := range []string{last, phone, email, last + " " + streetNumber} {
			if got := g.search("olivia", typed); got != "7" {
				t.Errorf("%s: by %q got %q, want the lead, because otherwise the test checks nothing", when, typed, got)
			}
		}
		files, err := filepath.Glob(filepath.Join(g.dir, "portal.db*"))
		g.must(err)
		locations := map[string]string{"a column": allContent(t, filepath.Join(g.dir, "portal.db"))}
		for _, name := range files {
			raw, err := os.ReadFile(name)
			g.must(err)
			locations[filepath.Base(name)] = string(raw)
		}
		if len(locations) < 3 || !strings.Contains(locations["a column"], "Golden") {
			t.Fatalf("%s: checked %d locations, want the columns, the file and its log", when, len(locations))
		}
		for location, text := range locations {
			for _, leak := range []string{first, last, "xochi.canary", street, streetNumber, phone, "1984-03-09", "crm-canary"} {
				if bytes.Contains(bytes.ToLower([]byte(text)), []byte(strings.ToLower(leak))) {
					t.Errorf("%s: %s contains %q", when, location, leak)
				}
			}
		}
	}
	scan("before")
	g.rotate()
	if _, err := g.keys.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	scan("half-way")
	if _, err := g.keys.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	scan("renewed")
	g.must(vault.Retire(g.files()))
	g.stop()
	g.start()
	scan("without the older keys")
	otherVault, err := vault.InMemory()
	g.must(err)
	l, err := g.store.AnyLead(t.Context(), appID(7))
	g.must(err)
	if name, err := vault.UnsealJSON[heloc.Name](otherVault, vault.NameAAD(l.App), l.Borrower); err == nil {
		t.Errorf("other keys decrypt the name: %v", name)
	}
	found, err := g.store.Candidates(t.Context(), g.actor("olivia").Scope(), "summit", otherVault.SearchTokens("summit", heloc.QueryTerms(phone)), 9)
	if err != nil || len(found) != 0 {
		t.Errorf("other keys find %d leads by phone, %v: the tokens can be guessed without our keys", len(found), err)
	}
}
