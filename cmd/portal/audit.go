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

// verifyAudit verifies the whole audit chain. If the user gives a head that was stored elsewhere, it also looks for
// that head.
func verifyAudit(ctx context.Context, inv config.Invocation, s streams) error {
	db, _, err := openExisting(ctx, inv.Config, time.Now)
	if err != nil {
		return err
	}
	err = verifyChain(ctx, db, inv.AuditHead, s)
	return errors.Join(err, db.Close())
}

func verifyChain(ctx context.Context, db *store.Store, saved string, s streams) error {
	seq, rows, ok, err := db.BrokenAudit(ctx)
	if err != nil {
		return err
	}
	base, err := db.AuditBase(ctx)
	if err != nil {
		return err
	}
	switch {
	case !ok && base.Seq > 0 && seq == base.Seq:
		return fmt.Errorf("the audit log does not verify: its start, after row %d, was not written by this installation or does not match the rows", seq)
	case !ok:
		return fmt.Errorf("the audit log does not verify: row %d was changed or removed; the %d rows before it are valid", seq, rows)
	}
	if err := compareHead(ctx, db, saved, s); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "The audit log is verified: %d rows%s.\n", rows, startText(base))
	return nil
}

// startText describes where an audit begins whose oldest rows were dropped.
func startText(base store.AuditBase) string {
	if base.Seq == 0 {
		return ""
	}
	return fmt.Sprintf(", starting at row %d; earlier rows, written before %s, were deleted after six years",
		base.Seq+1, store.Instant(base.WrittenBefore).Format(time.DateOnly))
}

// compareHead looks for an audit head that was stored elsewhere. It does nothing without one.
func compareHead(ctx context.Context, db *store.Store, saved string, s streams) error {
	if saved == "" {
		return nil
	}
	head, err := parseHead(saved)
	if err != nil {
		return err
	}
	status, err := db.HeadStatusOf(ctx, head)
	switch {
	case err != nil:
		return err
	case status == store.HeadMissing:
		return fmt.Errorf("row %d does not match the saved head: the audit log was changed, truncated or replaced", head.Seq)
	case status == store.HeadTrimmed:
		fmt.Fprintf(s.out, "Row %d is older than the first stored row, so this head cannot be compared. Compare a later one.\n", head.Seq)
	}
	return nil
}

// parseHead reads ROW:HASH, or a line of the list on the audit page.
func parseHead(text string) (store.AuditHead, error) {
	row, mark, _ := strings.Cut(text, ":")
	if fields := strings.Fields(text); len(fields) == 3 {
		row, mark = fields[0], fields[2]
	}
	seq, err := strconv.ParseInt(row, 10, 64)
	if err != nil || mark == "" {
		return store.AuditHead{}, errors.New("a head has the form ROW:HASH, as printed by portal audit head")
	}
	return store.AuditHead{Seq: seq, MAC: mark}, nil
}

// printAuditHead prints the head of the chain.
func printAuditHead(ctx context.Context, cfg config.Config, s streams) error {
	db, _, err := openExisting(ctx, cfg, time.Now)
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
