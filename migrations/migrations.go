// Package migrations holds the schema of the portal's database: numbered files, first the baseline. Instants are BIGINT
// milliseconds since 1970, calendar days TEXT YYYY-MM-DD, booleans INTEGER 0 or 1, encrypted columns BLOB.
//
//	0*.sql           tables and indexes, one text for both databases
//	migrations.go    which files and triggers each version consists of
//	compatible.go    which releases can use a database at the same time
//	trigger.go       a trigger, in the words of neither database
//	counts.go, revisions.go, reports.go, search.go, audit.go   the triggers, by what they keep
//	sqlite.go, postgres.go   what differs between the databases
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed 0*.sql
var files embed.FS

const (
	baselineVersion      = 49 // versions before it were development steps; a database that took them has the same schema
	teamVersion          = 80
	peopleVersion        = 101
	reportsVersion       = 110
	listsVersion         = 121
	countsVersion        = 130
	leadRevisionsVersion = 140
	accessChangesVersion = 141
	announcementsVersion = 173
	statisticsVersion    = 174
	listRevisionsVersion = 175
	searchOwnersVersion  = 177
	ownTokensVersion     = 179
	dueHoursVersion      = 180
)

// then is what a version does after its file, by version.
var then = map[int64]func(ctx context.Context, tx *sql.Tx, d Dialect) error{
	baselineVersion:      createAuditTriggers,
	teamVersion:          createLeadCounts,
	peopleVersion:        createOpenLeadCounts,
	reportsVersion:       createReports,
	listsVersion:         createCompanyLeadCounts,
	countsVersion:        createLaneCounts,
	leadRevisionsVersion: createLeadRevisions,
	accessChangesVersion: createAccessChanges,
	announcementsVersion: createAnnouncements,
	statisticsVersion:    createStatistics,
	listRevisionsVersion: createListRevisions,
	searchOwnersVersion:  createSearchOwners,
	ownTokensVersion:     createOwnSearchTokens,
	dueHoursVersion:      createDueHourCounts,
}

// Dialect is the SQL of one kind of database, as far as it differs from the other's.
type Dialect interface {
	// schema returns the text of a file as this database reads it.
	schema(text string) string
	// trigger returns the statements that create a trigger.
	trigger(t trigger) string
	// guard returns the statements that create a trigger that refuses a change.
	guard(g guard) string
	// announceLeads returns the statements that announce the changes of leads to the processes on a shared database.
	announceLeads() []string
	// statistics returns the statements that tell the database which columns depend on each other.
	statistics() []string
	// waitForWriters returns the statement with which a version waits for the writing transactions of other processes, whose order
	// of locks is another than its own; empty if the database has one lock for all.
	waitForWriters() string
	// HasTable is the query for how many tables have the name ?.
	HasTable() string
	// rebind returns a statement, with ? for its arguments, as this database reads it.
	rebind(statement string) string
	// Day is the expression for the day, YYYY-MM-DD in UTC, of an expression in seconds since 1970.
	Day(seconds string) string
	// Up brings a database to the newest schema. It is safe to call at every start, and of several processes.
	Up(ctx context.Context, db *sql.DB) error
}

// steps returns all versions.
func steps(d Dialect) ([]*goose.Migration, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	var all []*goose.Migration
	for _, entry := range entries {
		number, _, _ := strings.Cut(entry.Name(), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("migrations: %w", err)
		}
		text, err := files.ReadFile(entry.Name())
		if err != nil {
			return nil, fmt.Errorf("migrations: %w", err)
		}
		run := func(ctx context.Context, tx *sql.Tx) error {
			if err := create(ctx, tx, d.waitForWriters(), d.schema(string(text))); err != nil {
				return err
			}
			if f := then[version]; f != nil {
				return f(ctx, tx, d)
			}
			return nil
		}
		all = append(all, goose.NewGoMigration(version, &goose.GoFunc{RunTx: run}, nil))
	}
	return all, nil
}

// provider returns what migrates a database to the versions up to last.
func provider(kind goose.Dialect, db *sql.DB, d Dialect, last int64, options ...goose.ProviderOption) (*goose.Provider, error) {
	all, err := steps(d)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m *goose.Migration) bool { return m.Version > last })
	// Two numbers can be written at the same time, and a build can have only the later one.
	options = append(options, goose.WithGoMigrations(all...), goose.WithAllowOutofOrder(true), goose.WithDisableGlobalRegistry(true))
	p, err := goose.NewProvider(kind, db, nil, options...)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return p, nil
}

// newest is above every version.
const newest = 1 << 62

// errTooOld is returned for a database from before the baseline.
var errTooOld = errors.New("migrations: this database was made by a development version that can no longer be updated")

// create runs statements that change the schema.
func create(ctx context.Context, tx *sql.Tx, statements ...string) error {
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
