package store

import (
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// References are marks of records elsewhere and the vault's key that made them.
type References struct {
	KeyID        int64
	BlindIndexes []string
}

// AddReferences notes the marks of the records elsewhere that a lead belongs to.
func (tx *Tx) AddReferences(ctx context.Context, app heloc.AppID, refs References) error {
	for _, mark := range refs.BlindIndexes {
		if err := tx.AddReference(ctx, Reference{App: app, BlindIndex: mark, KeyID: refs.KeyID}); err != nil {
			return err
		}
	}
	return nil
}

// RecordIndex is the mark of a record of a CRM, whose it is and of which type, and the vault's
// key that made it.
type RecordIndex struct {
	Client, Type, BlindIndex string
	KeyID                    int64
}

// LinkRecord makes a lead that of a client's record.
func (tx *Tx) LinkRecord(ctx context.Context, app heloc.AppID, r RecordIndex) error {
	return tx.AddReference(ctx, Reference{App: app, BlindIndex: r.BlindIndex, Client: r.Client, Type: r.Type, KeyID: r.KeyID})
}

// UnlinkRecord takes a lead off a record, by its mark, and gives the client whose record it is;
// fault.NotFound where the lead does not belong to it. An id that merely travels with the
// lead is no record.
func (tx *Tx) UnlinkRecord(ctx context.Context, app heloc.AppID, mark string) (client string, err error) {
	if err := tx.get(ctx, &client, `SELECT client FROM lead_references WHERE mark = ? AND app_uuid = ? AND client <> ''`, mark, app); err != nil {
		return "", err
	}
	return client, tx.DropReference(ctx, Reference{App: app, BlindIndex: mark})
}

// CopyRecordLinks gives a lead the records of the one that it corrects.
func (tx *Tx) CopyRecordLinks(ctx context.Context, from, to heloc.AppID) error {
	_, err := tx.exec(ctx, `INSERT INTO lead_references (mark, app_uuid, client, record_type, under) SELECT mark, ?, client, record_type, under FROM lead_references
		WHERE app_uuid = ? AND client <> '' ON CONFLICT (mark, app_uuid) DO NOTHING`, to, from)
	return err
}

// UnlinkClientRecords forgets which leads belong to a client's records, drafts included.
func (tx *Tx) UnlinkClientRecords(ctx context.Context, client string) error {
	if _, err := tx.exec(ctx, `DELETE FROM lead_references WHERE client = ? AND client <> ''`, client); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE drafts SET record = '', record_client = '', record_type = '' WHERE record <> '' AND record_client = ?`, client)
	return err
}

// HasLinkedRecord says whether any lead belongs to a record, whoever may see it.
func (q queries) HasLinkedRecord(ctx context.Context, marks []string) (bool, error) {
	var n int
	err := q.get(ctx, &n, `SELECT count(*) FROM lead_references WHERE mark IN `+placeholders(len(marks)), toAny(marks)...)
	return n > 0, err
}

// Reference is one mark of a lead.
type Reference struct {
	App        heloc.AppID `db:"app_uuid"`
	BlindIndex string      `db:"mark"`
	Client     string      `db:"client"` // whose record it is; "" for an id that merely travels with the lead
	Type       string      `db:"record_type"`
	KeyID      int64       `db:"under"` // the key that made it; 0 the first there was
}

// AddReference adds one; a mark that stands is the newer key's from then on.
func (tx *Tx) AddReference(ctx context.Context, r Reference) error {
	_, err := tx.exec(ctx, `INSERT INTO lead_references (mark, app_uuid, client, record_type, under) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (mark, app_uuid) DO UPDATE SET under = excluded.under WHERE lead_references.under <> excluded.under`, r.BlindIndex, r.App, r.Client, r.Type, r.KeyID)
	return err
}

// ReferencesOf lists the marks of a lead.
func (q queries) ReferencesOf(ctx context.Context, app heloc.AppID) ([]Reference, error) {
	var rs []Reference
	return rs, q.list(ctx, &rs, `SELECT app_uuid, mark, client, record_type, under FROM lead_references WHERE app_uuid = ?`, app)
}

// maxRecordTypes bounds the types of a client's records that are told apart.
const maxRecordTypes = 100

const nextRecordTypeSQL = `SELECT record_type FROM lead_references WHERE client = ? AND client <> '' AND record_type > ? ORDER BY record_type LIMIT 1`

// RecordTypes lists the types of which a client has records with leads, in order and after
// "", which is what names none. It goes from type to type and not from record to record;
// fault.Conflict where there are too many.
func (q queries) RecordTypes(ctx context.Context, client string) ([]string, error) {
	types := []string{""}
	for {
		var next string
		err := q.get(ctx, &next, nextRecordTypeSQL, client, types[len(types)-1])
		if fault.KindOf(err) == fault.NotFound {
			return types, nil
		}
		if err != nil {
			return nil, err
		}
		if types = append(types, next); len(types) > maxRecordTypes {
			return nil, fault.New(fault.Conflict, "This CRM has too many types of records to look through. Name the one that is meant.")
		}
	}
}

// DropReference removes one.
func (tx *Tx) DropReference(ctx context.Context, r Reference) error {
	_, err := tx.exec(ctx, `DELETE FROM lead_references WHERE mark = ? AND app_uuid = ?`, r.BlindIndex, r.App)
	return err
}

// leadsOfReferenceSQL names a lead once, whichever keys have marked it.
func leadsOfReferenceSQL(marks int) string {
	return `SELECT ` + strings.Join(leadColumns, ", ") + ` FROM leads WHERE app_uuid IN (SELECT app_uuid FROM lead_references WHERE mark IN ` + placeholders(marks) + `)`
}

// LeadsOfReference finds the leads within a scope that belong to a record elsewhere, by
// the mark that each key makes of it.
func (q queries) LeadsOfReference(ctx context.Context, scope access.Scope, marks []string) ([]Lead, error) {
	var all []Lead
	if err := q.list(ctx, &all, leadsOfReferenceSQL(len(marks)), toAny(marks)...); err != nil {
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

// toAny are values as arguments of a query.
func toAny[T any](values []T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

// placeholders is the list of a condition IN with so many values.
func placeholders(n int) string { return "(?" + strings.Repeat(", ?", n-1) + ")" }

// prefixed puts a table's name before each of its columns.
func prefixed(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}
