package store

import (
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
)

// AddReferences notes the marks of the records elsewhere that a lead belongs to.
func (tx *Tx) AddReferences(ctx context.Context, app heloc.AppID, marks []string) error {
	for _, mark := range marks {
		if _, err := tx.exec(ctx, `INSERT INTO lead_references (mark, app_uuid) VALUES (?, ?) ON CONFLICT (mark, app_uuid) DO NOTHING`, mark, app); err != nil {
			return err
		}
	}
	return nil
}

// AddRecord makes a lead that of a client's record, by its mark.
func (tx *Tx) AddRecord(ctx context.Context, app heloc.AppID, client, mark string) error {
	_, err := tx.exec(ctx, `INSERT INTO lead_references (mark, app_uuid, client) VALUES (?, ?, ?) ON CONFLICT (mark, app_uuid) DO NOTHING`, mark, app, client)
	return err
}

// CopyRecords gives a lead the records of the one that it corrects.
func (tx *Tx) CopyRecords(ctx context.Context, from, to heloc.AppID) error {
	_, err := tx.exec(ctx, `INSERT INTO lead_references (mark, app_uuid, client) SELECT mark, ?, client FROM lead_references
		WHERE app_uuid = ? AND client <> '' ON CONFLICT (mark, app_uuid) DO NOTHING`, to, from)
	return err
}

// DropClientRecords forgets which leads belong to a client's records, drafts included.
func (tx *Tx) DropClientRecords(ctx context.Context, client string) error {
	if _, err := tx.exec(ctx, `DELETE FROM lead_references WHERE client = ? AND client <> ''`, client); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE drafts SET record = '', record_client = '' WHERE record <> '' AND record_client = ?`, client)
	return err
}

// Recorded says whether any lead belongs to a record, whoever may see it.
func (q queries) Recorded(ctx context.Context, mark string) (bool, error) {
	var n int
	err := q.get(ctx, &n, `SELECT count(*) FROM lead_references WHERE mark = ?`, mark)
	return n > 0, err
}

var leadsOfReferenceSQL = `SELECT ` + prefixed("l", strings.Join(leadColumns, ", ")) + ` FROM lead_references r JOIN leads l ON l.app_uuid = r.app_uuid WHERE r.mark = ?`

// LeadsOfReference finds the leads within a scope that belong to a record elsewhere.
func (q queries) LeadsOfReference(ctx context.Context, scope access.Scope, mark string) ([]Lead, error) {
	var all []Lead
	if err := q.list(ctx, &all, leadsOfReferenceSQL, mark); err != nil {
		return nil, err
	}
	kept := all[:0]
	for _, l := range all {
		if scope.Covers(l.Owner()) {
			kept = append(kept, l)
		}
	}
	return kept, nil
}

// prefixed puts a table's name before each of its columns.
func prefixed(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}
