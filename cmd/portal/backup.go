package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/config"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// backup writes a copy of the database while the portal is running, and does not change the database. The copy does not
// contain the keys: store the keyset and the key that wraps it elsewhere.
func backup(ctx context.Context, cfg config.Config, to string, s streams) error {
	db, _, err := openUnchanged(ctx, cfg, time.Now)
	older, isOlder := errors.AsType[*store.OlderSchemaError](err)
	if err != nil && !isOlder {
		return err
	}
	if err = checkWritable(to); err == nil {
		if err = db.Backup(ctx, to); err != nil && !errors.Is(err, store.ErrOwnBackup) {
			err = fmt.Errorf("the backup %s could not be written, and no file was left: %w", to, err)
		}
	}
	switch {
	case errors.Is(err, store.ErrOwnBackup):
		err = errors.New("this database is PostgreSQL, which has its own tools for backups: " +
			"use pg_dump or an archive of its log, as OPERATIONS.md describes. Nothing was written")
	case ctx.Err() != nil && err != nil:
		err = errors.New("interrupted: nothing was written")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "The database was copied to %s. The copy does not contain the keys.\n", to)
	if isOlder {
		fmt.Fprintf(s.out, "The database and the copy have the schema of an earlier release (version %d; this release has "+
			"%d). They are updated when this release starts, or restores the copy.\n", older.Version, older.Newest)
	}
	return nil
}

// checkWritable rejects a path that no backup can be written to, before the backup begins.
func checkWritable(path string) error {
	folder := filepath.Dir(path)
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: specify a file", path)
	case err == nil:
		return fmt.Errorf("%s already exists, and a backup never overwrites a file: choose another name", path)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("the folder %s does not exist: create it or choose another", folder)
	}
	return nil
}

// restore replaces the SQLite database with a backup while no portal is running. Everything is checked and written
// in a copy of the backup first, which then gets the name of the database, so that an interrupted restore leaves
// either database complete.
func restore(ctx context.Context, cfg config.Config, from string, s streams) error {
	address := databaseAddress(cfg)
	if store.IsPostgres(address) {
		return errors.New("this database is PostgreSQL, which is restored with its own tools: use pg_restore, or a base " +
			"copy and its log, as RUNBOOK.md describes. Nothing was changed")
	}
	if err := checkRestorable(from, address); err != nil {
		return err
	}
	return runAlone(cfg, "restore", func() error {
		r := &restoration{cfg: cfg, address: address, from: from, streams: s}
		err := r.run(ctx)
		if err == nil || r.replaced {
			return err
		}
		if ctx.Err() != nil {
			err = errors.New("interrupted")
		}
		return fmt.Errorf("%s was not restored, and the database was not replaced: %w", from, err)
	})
}

// checkRestorable rejects paths that are obviously mistakes.
func checkRestorable(from, address string) error {
	backup, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("the backup %s cannot be read (%w): check --from", from, err)
	}
	if !backup.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file: give the backup with --from", from)
	}
	if there, err := os.Stat(address); err == nil && os.SameFile(there, backup) {
		return fmt.Errorf("%s is the database itself: give the backup with --from", from)
	}
	if folder, err := os.Stat(filepath.Dir(address)); err != nil || !folder.IsDir() {
		return fmt.Errorf("the folder %s does not exist: check --data and PORTAL_DATABASE_URL, or create it",
			filepath.Dir(address))
	}
	return nil
}

// restoration is one run of portal restore.
type restoration struct {
	cfg           config.Config
	address, from string
	streams

	replaced bool   // the backup is in place
	kept     string // the name of the replaced database; empty if there was none

	backupTime time.Time
	exactTime  bool
	changed    store.Restored
	missing    store.NotInBackup
	unread     error // why the replaced database could not be read
}

func (r *restoration) run(ctx context.Context) error {
	v, err := vault.Open(keyFiles(r.cfg))
	if err != nil {
		return err
	}
	copied, err := store.CopyBackup(ctx, r.from, r.address)
	if err != nil {
		return err
	}
	if err := r.prepare(ctx, v, copied); err != nil {
		return errors.Join(err, store.DropCopy(copied))
	}
	ctx = context.WithoutCancel(ctx) // the rest is short, or the operator must see its result
	if err := r.replace(ctx, copied); err != nil {
		if r.replaced {
			return fmt.Errorf("the backup is in place, but the disk reported an error: %w", err)
		}
		return errors.Join(err, store.DropCopy(copied))
	}
	if err := r.verify(ctx, v); err != nil {
		return fmt.Errorf("the backup is in place, but cannot be used: %w. The replaced database is %s", err,
			cmp.Or(r.kept, "-"))
	}
	r.print()
	return nil
}

// prepare checks the copy, and writes everything that must be different in a restored database.
func (r *restoration) prepare(ctx context.Context, v *vault.Vault, copied string) (err error) {
	db, err := store.OpenUnchanged(ctx, copied, storeOptions(v, time.Now))
	if db == nil {
		if errors.Is(err, store.ErrNoDatabase) {
			err = errors.New("it is not a database of the portal")
		}
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := checkKeys(ctx, db, v, r.cfg); err != nil {
		return err
	}
	if err := verifyAudit(ctx, db); err != nil {
		return err
	}
	if err := db.Update(ctx); err != nil {
		return err
	}
	if err := db.BindKeys(ctx); err != nil {
		return err
	}
	if r.backupTime, r.exactTime, err = db.BackupTime(ctx); err != nil {
		return err
	}
	r.missing, r.unread = store.CompareReplaced(ctx, r.address, db)
	// Sessions in the backup may have ended since, and a form that was open before the failure must not be sent.
	if _, err := newAccounts(db, v, r.cfg.Portal, time.Now).SignOutAll(ctx, access.Operator()); err != nil {
		return err
	}
	return db.Write(ctx, func(tx *store.Tx) error {
		if r.changed, err = tx.PrepareRestored(ctx); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: store.ActionRestore, Object: "database",
			Outcome: "done", Detail: fmt.Sprintf("backup:%s leads:%d operations:%d", r.backupTime.UTC().Format(time.RFC3339),
				r.changed.Leads, len(r.missing.Operations))})
	})
}

func verifyAudit(ctx context.Context, db *store.Store) error {
	_, _, intact, err := db.BrokenAudit(ctx)
	if err == nil && !intact {
		err = store.ErrAuditBroken
	}
	return err
}

// replace gives the copy the name of the database.
func (r *restoration) replace(ctx context.Context, copied string) error {
	kept := filepath.Base(r.address) + ".replaced-" + time.Now().UTC().Format("20060102T150405.000Z")
	if _, err := os.Lstat(r.address); err == nil {
		r.kept = filepath.Join(filepath.Dir(r.address), kept)
	}
	var err error
	r.replaced, err = store.ReplaceWith(ctx, copied, r.address, kept)
	switch {
	case errors.Is(err, store.ErrUsed):
		return errors.New("another command has the database open: wait until it has ended")
	case err != nil && !r.replaced:
		return fmt.Errorf("the database could not be kept as %s: %w", kept, err)
	}
	return err
}

// verify opens the restored database as every command does.
func (r *restoration) verify(ctx context.Context, v *vault.Vault) error {
	db, err := store.OpenUnchanged(ctx, r.address, storeOptions(v, time.Now))
	if db == nil {
		return err
	}
	return errors.Join(err, verifyAudit(ctx, db), db.Close())
}

func (r *restoration) print() {
	when := "The backup was made on "
	if !r.exactTime {
		when = "portal backup did not make this file. Its newest audit entry is of "
	}
	fmt.Fprintf(r.out, "%s was restored. The audit log is verified.\n%s%s.\n", r.from, when,
		r.backupTime.UTC().Format("2006-01-02 15:04:05 MST"))
	if r.kept != "" {
		fmt.Fprintf(r.out, "The replaced database is %s.\n", r.kept)
	}
	fmt.Fprintf(r.out, "Everyone is signed out. To be read from the lender when the portal starts: %s.\n",
		countOf(int(r.changed.Leads), "lead"))
	if r.changed.Repulls+r.changed.Reassignments > 0 {
		fmt.Fprintf(r.out, "Stopped, because they may have been sent since the backup: %s, %s of a run.\n",
			countOf(int(r.changed.Repulls), "planned re-pull"), countOf(int(r.changed.Reassignments), "reassignment"))
	}
	r.printMissing()
	r.printAnswers()
}

// printAnswers lists the lender's answers that the replaced database may not have stored, by ID only.
func (r *restoration) printAnswers() {
	path := r.cfg.Portal.JournalFile
	if _, err := os.Stat(path); err != nil {
		return
	}
	all, err := journal.ReadFiles(path)
	if err != nil {
		fmt.Fprintf(r.out, "The journal file could not be read: %v.\n", err)
		return
	}
	fmt.Fprintf(r.out, "The journal file %s was not changed. It has %s from the lender that may not be stored anywhere "+
		"else (operation ID, application, state). The portal reads them when it starts.\n", path, countOf(len(all), "answer"))
	for _, one := range all {
		fmt.Fprintf(r.out, "  %s  %s  %s\n", one.Operation, cmp.Or(string(one.App), "-"), one.State)
	}
}

// printMissing lists what is missing from the backup, by ID only.
func (r *restoration) printMissing() {
	if r.unread != nil {
		why := "The replaced database could not be read completely, so this list may not be complete"
		if errors.Is(r.unread, store.ErrNoDatabase) {
			why = "There was no database to be compared with the backup"
		}
		fmt.Fprintf(r.out, "%s. What happened since the backup is missing.\n", why)
	}
	if n := len(r.missing.Operations); n > 0 {
		fmt.Fprintf(r.out, "Sent to the lender, or settled, since the backup: %s (id, kind, application, state). "+
			"Do not send them again:\n", countOf(n, "operation"))
		for _, op := range r.missing.Operations {
			fmt.Fprintf(r.out, "  %s  %s  %s  %s\n", op.ID, op.Kind, cmp.Or(string(op.App), "-"), op.State)
		}
	}
	r.printApps("Leads that the backup does not have, to be added by application ID: ", r.missing.Leads)
	r.printApps("Applications that webhooks named since the backup: ", r.missing.Webhooks)
	if r.unread == nil && len(r.missing.Operations)+len(r.missing.Leads)+len(r.missing.Webhooks) == 0 {
		fmt.Fprintln(r.out, "The replaced database has no operations, leads or webhooks that the backup does not have.")
	}
}

func (r *restoration) printApps(title string, apps []heloc.AppID) {
	if len(apps) == 0 {
		return
	}
	fmt.Fprintf(r.out, "%s%d\n", title, len(apps))
	for _, app := range apps {
		fmt.Fprintf(r.out, "  %s\n", app)
	}
}
