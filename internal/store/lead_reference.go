package store

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// References are blind indexes of records in other systems, and the vault key that made them.
type References struct {
	KeyID        int64
	BlindIndexes []string
}

// AddReferences stores the indexes of the external records that a lead belongs to.
func (tx *Tx) AddReferences(ctx context.Context, app heloc.AppID, refs References) error {
	for _, index := range refs.BlindIndexes {
		if err := tx.AddReference(ctx, Reference{App: app, BlindIndex: index, KeyID: refs.KeyID}); err != nil {
			return err
		}
	}
	return nil
}

// RecordIndex is the blind index of a CRM record, the CRM client and type of that record, and the vault key
// that made the index.
type RecordIndex struct {
	Client, Type, BlindIndex string
	KeyID                    int64
}

// LinkRecord links a lead to a client's record, and tells the client.
func (tx *Tx) LinkRecord(ctx context.Context, app heloc.AppID, r RecordIndex) error {
	if err := tx.AddReference(ctx, Reference{App: app, BlindIndex: r.BlindIndex, Client: r.Client, Type: r.Type,
		KeyID: r.KeyID}); err != nil {
		return err
	}
	return tx.queueCRMStarted(ctx, app, r.Client)
}

// UnlinkRecord removes the link between a lead and a record, found by its index, and returns the client of
// the record; fault.NotFound when there is no such link. An external id that is only passed along with the
// lead is not a record.
func (tx *Tx) UnlinkRecord(ctx context.Context, app heloc.AppID, index string) (client string, err error) {
	client, err = get[string](ctx, tx.Queries, `SELECT client FROM lead_references WHERE blind_index = ? AND app = ?
		AND client <> ''`, index, app)
	if err != nil {
		return "", err
	}
	return client, tx.DropReference(ctx, Reference{App: app, BlindIndex: index})
}

// CopyRecordLinks links a lead to the records of the lead that it corrects, and tells their clients.
func (tx *Tx) CopyRecordLinks(ctx context.Context, from, to heloc.AppID) error {
	n, err := tx.execRows(ctx, `INSERT INTO lead_references (blind_index, app, client, type, key_id)
		SELECT blind_index, ?, client, type, key_id FROM lead_references
		WHERE app = ? AND client <> '' ON CONFLICT (blind_index, app) DO NOTHING`, to, from)
	if err != nil || n == 0 {
		return err
	}
	return tx.queueCRMStarted(ctx, to, "")
}

// UnlinkClientRecords deletes the links from leads and drafts to a client's records, and the events about them.
func (tx *Tx) UnlinkClientRecords(ctx context.Context, client string) error {
	return tx.execEach(ctx, []any{client}, `DELETE FROM lead_references WHERE client = ? AND client <> ''`,
		`DELETE FROM crm_events WHERE client = ?`,
		`UPDATE drafts SET record_index = '', record_client = '', record_type = ''
			WHERE record_index <> '' AND record_client = ?`)
}

// HasLinkedRecord reports whether any lead is linked to a record, in any scope.
func (q Queries) HasLinkedRecord(ctx context.Context, indexes []string) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM lead_references WHERE blind_index IN `+placeholders(len(indexes)),
		toAny(indexes)...)
}

// Reference is one record index of a lead.
type Reference struct {
	App        heloc.AppID `db:"app"`
	BlindIndex string      `db:"blind_index"`
	// the client of the record; "" for an external id that is only passed along with the lead
	Client string `db:"client"`
	Type   string `db:"type"`
	KeyID  int64  `db:"key_id"` // the key that made it; 0 the first key
}

// AddReference adds one. An index that exists already is assigned to the newer key.
func (tx *Tx) AddReference(ctx context.Context, r Reference) error {
	return tx.exec(ctx, `INSERT INTO lead_references (blind_index, app, client, type, key_id) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (blind_index, app) DO UPDATE SET key_id = excluded.key_id
		WHERE lead_references.key_id <> excluded.key_id`, r.BlindIndex, r.App, r.Client, r.Type, r.KeyID)
}

// ReferencesOf lists the record indexes of a lead.
func (q Queries) ReferencesOf(ctx context.Context, app heloc.AppID) ([]Reference, error) {
	return list[Reference](ctx, q, `SELECT app, blind_index, client, type, key_id FROM lead_references WHERE app = ?`, app)
}

// ClientReferences lists the links between some leads and a client's records.
func (q Queries) ClientReferences(ctx context.Context, client string, apps []heloc.AppID) ([]Reference, error) {
	return list[Reference](ctx, q, `SELECT app, blind_index, client, type, key_id FROM lead_references
		WHERE client = ? AND app IN `+placeholders(len(apps))+` ORDER BY app, type, blind_index`,
		append([]any{client}, toAny(apps)...)...)
}

// maxRecordTypes limits the number of record types per client.
const maxRecordTypes = 100

const nextRecordTypeSQL = `SELECT type FROM lead_references WHERE client = ? AND client <> '' AND type > ?
	ORDER BY type LIMIT 1`

// RecordTypes lists the types of a client's records that have leads, in order, after "", which means no type.
// It seeks from type to type in the index instead of reading each record; fault.Conflict when there are too
// many types.
func (q Queries) RecordTypes(ctx context.Context, client string) ([]string, error) {
	types := []string{""}
	for {
		next, err := get[string](ctx, q, nextRecordTypeSQL, client, types[len(types)-1])
		if fault.Is(err, fault.NotFound) {
			return types, nil
		}
		if err != nil {
			return nil, err
		}
		if types = append(types, next); len(types) > maxRecordTypes {
			return nil, fault.New(fault.Conflict, "This CRM has too many record types to search. Specify one.")
		}
	}
}

// DropReference deletes one.
func (tx *Tx) DropReference(ctx context.Context, r Reference) error {
	return tx.exec(ctx, `DELETE FROM lead_references WHERE blind_index = ? AND app = ?`, r.BlindIndex, r.App)
}

// leadsOfReferenceSQL selects each lead once, even when several keys have indexed it.
func leadsOfReferenceSQL(indexes int) string {
	return `SELECT ` + leadColumns + ` FROM leads WHERE app IN (SELECT app FROM lead_references WHERE blind_index IN ` +
		placeholders(indexes) + `)`
}

// LeadsOfReference finds the leads within a scope that belong to an external record, by the record's index
// under each key.
func (q Queries) LeadsOfReference(ctx context.Context, scope access.Scope, indexes []string) ([]lead.Row, error) {
	all, err := list[lead.Row](ctx, q, leadsOfReferenceSQL(len(indexes)), toAny(indexes)...)
	return slices.DeleteFunc(all, func(l lead.Row) bool { return !scope.Covers(l.Owner()) }), err
}

// toAny converts values to query arguments.
func toAny[T any](values []T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

// placeholders returns the list for an IN condition with n values; the one without any matches nothing.
func placeholders(n int) string {
	if n == 0 {
		return "(NULL)"
	}
	return "(?" + strings.Repeat(", ?", n-1) + ")"
}

// prefixed puts a table name before each of its columns.
func prefixed(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}
