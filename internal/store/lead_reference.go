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
