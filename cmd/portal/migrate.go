package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/store"
)

// copyDatabase copies everything into another database, of either kind. The keys stay where they are.
func copyDatabase(ctx context.Context, inv config.Invocation, s streams) error {
	from := databaseAddress(inv.Config)
	switch used, err := store.InUse(ctx, from); {
	case err != nil:
		return errCannotOpen(from, err)
	case used:
		return store.ErrSourceInUse
	}
	filled, err := store.HasData(ctx, from)
	if err != nil {
		return errCannotOpen(from, err)
	}
	if !filled {
		return errNoDatabase(inv.Config)
	}
	return runAlone(inv.Config, "migrate", func() error { return copyAlone(ctx, inv, s) })
}

// copyAlone runs copyDatabase while no portal can start. It updates the schema first, because both databases must
// have the same one.
func copyAlone(ctx context.Context, inv config.Invocation, s streams) error {
	from, to := databaseAddress(inv.Config), inv.MigrateTo.Value()
	db, _, err := openOrCreate(ctx, inv.Config, time.Now)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Copying %s to %s.\n", store.AddressForDisplay(from), store.AddressForDisplay(to))
	copied, err := db.CopyTo(ctx, to, store.CopyOptions{Progress: printProgress(s)})
	if ctx.Err() != nil {
		err = errors.New("interrupted: the copy is not finished. Run the same command again to continue")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	printCopied(copied, s)
	return nil
}

// progressRows is how many rows of a table are copied between two lines about it.
const progressRows = 100_000

// printProgress returns what prints a line for each table, and more for a large one.
func printProgress(s streams) func(table string, copied, rows int64) {
	var table string
	var printed int64
	return func(name string, copied, rows int64) {
		if name != table {
			table, printed = name, 0
		}
		if copied == rows || copied-printed >= progressRows {
			printed = copied
			fmt.Fprintf(s.out, "%-24s %d of %d rows\n", name, copied, rows)
		}
	}
}

func printCopied(copied store.Copied, s streams) {
	var rows int64
	empty := 0
	for _, t := range copied.Tables {
		rows += t.Rows
		if t.Rows == 0 {
			empty++
		}
	}
	fmt.Fprintf(s.out,
		`Copied %d rows in %d tables; %d tables are empty. Every table has the same content in both databases.
The audit log of the new database is verified: %d rows.
What to do next:
1. Set PORTAL_DATABASE_URL to the new database. The encryption keys are not in it and stay where they are.
2. Run portal doctor, then start the portal.
3. Keep the old database until the new one has a backup. Changes in the old one after this copy are not in the new one.
`, rows, len(copied.Tables)-empty, empty, copied.Audit)
}
