package store

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
)

// SealedColumn is a column with sealed values. Key is the column whose value binds them to their row.
// AADColumn is the column whose value names the additional data, where that is not the column's own name.
// Text columns contain base64 instead of bytes.
type SealedColumn struct {
	Table, Key, Column, AADColumn string
	Text                          bool
}

// SealedColumns lists all of them, for re-encryption. A test compares the list with the schema. Ceremonies
// are missing because they live for minutes only and are left to expire.
func SealedColumns() []SealedColumn {
	return []SealedColumn{
		{Table: "leads", Key: "app", Column: "borrower"},
		{Table: "lead_parts", Key: "app", Column: "sealed", AADColumn: "part"},
		{Table: "operations", Key: "id", Column: "messages", Text: true},
		{Table: "operations", Key: "id", Column: "reason", Text: true},
		{Table: "quotes", Key: "id", Column: "sealed"},
		{Table: "quotes", Key: "id", Column: "sealed_request"},
		{Table: "drafts", Key: "id", Column: "sealed"},
		{Table: "drafts", Key: "id", Column: "start_snapshot"},
		{Table: "drafts", Key: "id", Column: "transfers"},
		{Table: "absences", Key: "id", Column: "sealed"},
		{Table: "notes", Key: "id", Column: "sealed"},
		{Table: "saved_views", Key: "id", Column: "sealed"},
		{Table: "follow_ups", Key: "id", Column: "sealed"},
		{Table: "reveals", Key: "id", Column: "sealed_reason"},
		{Table: "reassignments", Key: "op_id", Column: "sealed"},
		{Table: "jobs", Key: "id", Column: "sealed"},
		{Table: "choices", Key: "op_id", Column: "sealed"},
		{Table: "webhook_inbox", Key: "digest", Column: "sealed"},
		{Table: "credentials", Key: "id", Column: "sealed"},
		{Table: "invitations", Key: "id", Column: "sealed"},
		{Table: "outbox", Key: "id", Column: "sealed"},
		{Table: "grant_requests", Key: "id", Column: "sealed"},
		{Table: "embed_clients", Key: "key", Column: "sealed"},
		{Table: "embed_links", Key: "subject", Column: "sealed"},
		{Table: "shared_quotes", Key: "id", Column: "token"},
		{Table: "shared_quotes", Key: "id", Column: "sealed"},
		{Table: "launches", Key: "id", Column: "sealed"},
		{Table: "push_subscriptions", Key: "id", Column: "sealed"},
	}
}

// aadExpression returns the column that names the additional data, or the empty text without one.
func (c SealedColumn) aadExpression() string {
	if c.AADColumn == "" {
		return "''"
	}
	return c.AADColumn
}

// order returns the columns to sort by.
func (c SealedColumn) order() string {
	if c.AADColumn == "" {
		return c.Key
	}
	return c.Key + ", " + c.AADColumn
}

// afterCondition returns the condition for rows after a position.
func (c SealedColumn) afterCondition() string {
	return fmt.Sprintf(`(%[1]s, %[2]s) > (?, ?) AND length(%[3]s) > 0`, c.Key, c.aadExpression(), c.Column)
}

// Sealed is one sealed value with its position.
type Sealed struct {
	Row     string `db:"row"`
	AADName string `db:"aad_name"`
	Value   []byte `db:"value"`
	column  SealedColumn
}

// SealedPage lists a page of a column's values after the position of the last one.
func (q Queries) SealedPage(ctx context.Context, c SealedColumn, after Sealed, limit int) ([]Sealed, error) {
	page, err := list[Sealed](ctx, q, fmt.Sprintf(`SELECT %[1]s AS row, %[2]s AS aad_name, %[3]s AS value FROM %[4]s
		WHERE %[5]s ORDER BY %[6]s LIMIT ?`, c.Key, c.aadExpression(), c.Column, c.Table, c.afterCondition(), c.order()),
		after.Row, after.AADName, limit)
	for i := range page {
		page[i].column = c
		if c.Text && err == nil {
			page[i].Value, err = base64.RawStdEncoding.DecodeString(string(page[i].Value))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s.%s: %w", c.Table, c.Column, err)
	}
	return page, nil
}

// ReplaceSealed replaces one sealed value by a new sealing of the same plaintext, unless the row was
// rewritten meanwhile.
func (tx *Tx) ReplaceSealed(ctx context.Context, old Sealed, value []byte) error {
	c := old.column
	var before, after any = old.Value, value
	if c.Text {
		before, after = base64.RawStdEncoding.EncodeToString(old.Value), base64.RawStdEncoding.EncodeToString(value)
	}
	query, args := fmt.Sprintf(`UPDATE %s SET %s = ? WHERE %s = ? AND %s = ?`, c.Table, c.Column, c.Key, c.Column),
		[]any{after, old.Row, before}
	if c.AADColumn != "" {
		query, args = query+" AND "+c.AADColumn+" = ?", append(args, old.AADName)
	}
	return tx.exec(ctx, query, args...)
}

// ErrOtherKeys is returned when the keys do not belong to the database.
var ErrOtherKeys = errors.New("store: the keys do not belong to the database")

// keyCheck is the setting that holds a MAC made with the database's keys.
const keyCheck = "keys.check"

func keyCheckParts() []string { return []string{"keys check"} }

// CheckKeys returns ErrOtherKeys if the database was written with keys other than those in the options. Keys that
// were rotated since still match. For a database without that MAC, the newest entry in its audit log is checked
// instead; a database that has neither was never used with any keys.
func (s *Store) CheckKeys(ctx context.Context) error {
	code, err := s.Setting(ctx, keyCheck)
	if err != nil {
		return err
	}
	if code != "" {
		if !s.verifyMAC(code, keyCheckParts()...) {
			return ErrOtherKeys
		}
		return nil
	}
	last, ok, err := find[AuditEntry](ctx, s.Queries, `SELECT `+auditColumns+` FROM audit ORDER BY seq DESC LIMIT 1`)
	if err == nil && ok && !s.verifyMAC(last.MAC, last.parts()...) {
		err = ErrOtherKeys
	}
	return err
}

// BindKeys binds a database to the keys unless it is already bound. CheckKeys must have accepted the keys. BindKeys
// returns ErrOtherKeys if another process has bound the database to different keys in the meantime.
func (s *Store) BindKeys(ctx context.Context) error {
	if code, err := s.Setting(ctx, keyCheck); err != nil || code != "" {
		return err
	}
	err := s.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, keyCheck,
			tx.mac(keyCheckParts()...))
	})
	if err != nil {
		return err
	}
	return s.CheckKeys(ctx)
}

// UsedWithKeys reports whether the database was ever used with keys, so that new ones could not read it.
func (q Queries) UsedWithKeys(ctx context.Context) (bool, error) {
	n, err := get[int](ctx, q, `SELECT (SELECT count(*) FROM settings WHERE name = ?)
		+ (SELECT count(*) FROM (SELECT seq FROM audit LIMIT 1) a)`, keyCheck)
	return n > 0, err
}
