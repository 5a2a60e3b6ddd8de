package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/store"
)

// migrate brings the database to the newest schema, which opening it does.
func migrate(ctx context.Context, cfg config.Config, s streams) error {
	db, _, err := making(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The database is up to date.")
	return db.Close()
}

// backup writes a copy of the database while the portal runs. Keys are not in it: keep
// the keyset and the key that wraps it in other places.
func backup(ctx context.Context, told config.Invocation, s streams) error {
	db, _, err := keeping(ctx, told.Config, time.Now)
	if err != nil {
		return err
	}
	if err := db.Backup(ctx, told.Backup.To); err != nil {
		return errors.Join(err, db.Close())
	}
	fmt.Fprintf(s.out, "The database is copied to %s. The keys are not in it.\n", told.Backup.To)
	return db.Close()
}

// verifyAudit walks the chain of the audit from end to end, and looks for a head that was
// kept elsewhere.
func verifyAudit(ctx context.Context, told config.Invocation, s streams) error {
	db, _, err := keeping(ctx, told.Config, time.Now)
	if err != nil {
		return err
	}
	err = verified(ctx, db, told.Head, s)
	return errors.Join(err, db.Close())
}

func verified(ctx context.Context, db *store.Store, kept string, s streams) error {
	seq, rows, ok, err := db.BrokenAudit(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("the audit is broken at row %d, after %d good rows: it was changed or cut there", seq, rows)
	}
	if kept != "" {
		head, err := parseHead(kept)
		if err != nil {
			return err
		}
		if ok, err = db.HasAuditHead(ctx, head); err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("row %d does not carry the mark that was kept: the audit was changed, cut or replaced", head.Seq)
		}
	}
	fmt.Fprintf(s.out, "The audit is whole: %d rows.\n", rows)
	return nil
}

// parseHead reads ROW:MARK, or a line of the list that the audit's page gives.
func parseHead(text string) (store.AuditHead, error) {
	row, mark, _ := strings.Cut(text, ":")
	if fields := strings.Fields(text); len(fields) == 3 {
		row, mark = fields[0], fields[2]
	}
	seq, err := strconv.ParseInt(row, 10, 64)
	if err != nil || mark == "" {
		return store.AuditHead{}, errors.New("a head is ROW:MARK, as portal audit head prints it")
	}
	return store.AuditHead{Seq: seq, MAC: mark}, nil
}

// auditHead prints the end of the chain.
func auditHead(ctx context.Context, cfg config.Config, s streams) error {
	db, _, err := keeping(ctx, cfg, time.Now)
	if err != nil {
		return err
	}
	head, err := db.AuditHead(ctx)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d:%s\n", head.Seq, head.MAC)
	return nil
}
