package migrations

import (
	"context"
	"database/sql"
)

// createAuditTriggers makes the audit append-only. Rows may be deleted only up to the audit's base,
// which only moves forward, and none is inserted behind it.
func createAuditTriggers(ctx context.Context, tx *sql.Tx, d Dialect) error {
	const base = `coalesce((SELECT max(seq) FROM audit_base), 0)`
	for _, g := range []guard{
		{"audit_no_UPDATE", "BEFORE UPDATE ON audit", "", "the audit is append-only"},
		{"audit_no_DELETE", "BEFORE DELETE ON audit", "OLD.seq > " + base, "the audit is append-only"},
		{"audit_no_INSERT", "BEFORE INSERT ON audit", "NEW.seq <= " + base, "the audit is append-only"},
		{"audit_base_no_DELETE", "BEFORE DELETE ON audit_base", "", "the base of the audit stays"},
		{"audit_base_forward", "BEFORE UPDATE ON audit_base", "NEW.seq <= OLD.seq", "the base of the audit moves forward"},
	} {
		if err := create(ctx, tx, d.guard(g)); err != nil {
			return err
		}
	}
	return nil
}
