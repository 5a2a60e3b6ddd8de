package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/store"
)

// audit verifies the whole audit chain and looks for a head that was saved elsewhere, or prints the newest head.
func (i *installation) audit(ctx context.Context, command string, saved *string) error {
	if command == "head" {
		head, err := i.db.AuditHead(ctx)
		return i.report(err, "%d:%s\n", head.Seq, head.MAC)
	}
	seq, rows, ok, err := i.db.BrokenAudit(ctx)
	if err != nil {
		return err
	}
	base, err := i.db.AuditBase(ctx)
	if err != nil {
		return err
	}
	switch {
	case !ok && base.Seq > 0 && seq == base.Seq:
		return fmt.Errorf("the audit log does not verify: its start, after row %d, "+
			"was not written by this installation or does not match the rows", seq)
	case !ok:
		return fmt.Errorf("the audit log does not verify: row %d was changed or removed; the %d rows before it are valid",
			seq, rows)
	}
	if saved != nil {
		if err := i.compareHead(ctx, *saved); err != nil {
			return err
		}
	}
	return i.report(nil, "The audit log is verified: %d rows%s.\n", rows, startText(base))
}

// startText describes where an audit begins whose oldest rows were dropped.
func startText(base store.AuditBase) string {
	if base.Seq == 0 {
		return ""
	}
	return fmt.Sprintf(", starting at row %d; earlier rows, written before %s, were deleted after six years",
		base.Seq+1, store.Instant(base.WrittenBefore).Format(time.DateOnly))
}

// compareHead looks for an audit head that was stored elsewhere.
func (i *installation) compareHead(ctx context.Context, saved string) error {
	head, err := parseHead(saved)
	if err != nil {
		return err
	}
	status, err := i.db.HeadStatusOf(ctx, head)
	switch {
	case err != nil:
		return err
	case status == store.HeadMissing:
		return fmt.Errorf("row %d does not match the saved head: the audit log was changed, truncated or replaced", head.Seq)
	case status == store.HeadTrimmed:
		fmt.Fprintf(i.out, "Row %d is older than the first stored row, so this head cannot be compared. "+
			"Compare a later one.\n", head.Seq)
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
