package store

import (
	"context"
	"encoding/json"
)

// Setting reads a stored value of the installation; empty when there is none.
func (q Queries) Setting(ctx context.Context, name string) (string, error) {
	return findOrZero[string](ctx, q, `SELECT value FROM settings WHERE name = ?`, name)
}

// Settings reads values of the installation by name; one that was never saved is missing.
func (q Queries) Settings(ctx context.Context, names ...string) (map[string]string, error) {
	return mapOf[string, string](ctx, q, `SELECT name, value FROM settings WHERE name IN `+placeholders(len(names)),
		toAny(names)...)
}

// SaveSetting stores a value of the installation.
func (tx *Tx) SaveSetting(ctx context.Context, name, value string) error {
	return tx.exec(ctx, `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE
		SET value = excluded.value`, name, value)
}

// settingJSON reads a setting that holds JSON; the zero value when there is none.
func settingJSON[T any](ctx context.Context, q Queries, name string) (value T, err error) {
	text, err := q.Setting(ctx, name)
	if err != nil || text == "" {
		return value, err
	}
	return value, json.Unmarshal([]byte(text), &value)
}

func (tx *Tx) saveSettingJSON(ctx context.Context, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return tx.SaveSetting(ctx, name, string(text))
}

// The settings about what the lender does not answer, so that pages do not ask again in vain: when it last said so, in
// RFC 3339.
const (
	LenderNoQuotes = "lender.no-quotes" // it does not calculate offers for a draw
	LenderNoCosts  = "lender.no-costs"  // it does not return the costs of an offer before the offer is selected
)

// LenderEcho is the setting for whether the lender returns our reference: "yes", "no", or empty before the first start.
// Without an echo, no notification of the lender shows which lost start it is about.
const LenderEcho = "lender.echo"

// CleaningClock is the setting that cleanup uses to detect a wrong clock: when cleanup last ran, and from when it may
// delete, in milliseconds.
const CleaningClock = "cleaning.clock"

// The settings about reads of the lender's directory.
const (
	DirectoryRead   = "directory.read"   // when it was last read completely, in milliseconds
	DirectoryUnread = "directory.unread" // why the last read was not complete; empty when it was

	directoryAdditions = "directory.additions" // HeldAdditions; empty when there are none
)
