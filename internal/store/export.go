package store

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// ExportKind is what of a lead was taken out of the portal.
type ExportKind string

// The kinds.
const (
	ExportDocument  ExportKind = "document"  // About is the lender's id of it
	ExportDocuments ExportKind = "documents" // all of them, as a zip
	ExportSheet     ExportKind = "sheet"     // the offers as the borrower is shown them
	ExportList      ExportKind = "list"      // a row of an exported list
)

// ExportKinds lists the kinds, for words and tests.
func ExportKinds() []ExportKind {
	return []ExportKind{ExportDocument, ExportDocuments, ExportSheet, ExportList}
}

// Export is what one person took of a lead, how often, and when last (milliseconds).
type Export struct {
	UserID string     `db:"user_id"`
	Name   string     `db:"name"`
	Kind   ExportKind `db:"what"`
	About  string     `db:"about"`
	N      int        `db:"n"`
	At     int64      `db:"at"`
}

// AddExports counts one take of each of some leads.
func (tx *Tx) AddExports(ctx context.Context, t Export, at time.Time, apps ...heloc.AppID) error {
	for chunk := 0; chunk < len(apps); chunk += rowsPerStatement {
		some := apps[chunk:min(chunk+rowsPerStatement, len(apps))]
		args := make([]any, 0, 5*len(some))
		for _, app := range some {
			args = append(args, app, t.UserID, t.Kind, t.About, Millis(at))
		}
		if _, err := tx.exec(ctx, `INSERT INTO lead_takes (app_uuid, user_id, what, about, at) VALUES (?, ?, ?, ?, ?)`+strings.Repeat(`, (?, ?, ?, ?, ?)`, len(some)-1)+`
			ON CONFLICT (app_uuid, user_id, what, about) DO UPDATE SET n = lead_takes.n + 1, at = excluded.at`, args...); err != nil {
			return err
		}
	}
	return nil
}

// rowsPerStatement is how many rows one statement holds: databases bound their arguments.
const rowsPerStatement = 100

const exportsSQL = `SELECT t.user_id, u.name, t.what, t.about, t.n, t.at FROM lead_takes t JOIN users u ON u.id = t.user_id
	WHERE t.app_uuid = ? ORDER BY t.at DESC LIMIT ?`

// Exports lists what was taken of a lead that has been opened already, the last first.
func (q queries) Exports(ctx context.Context, app heloc.AppID, limit int) ([]Export, error) {
	var ts []Export
	return ts, q.list(ctx, &ts, exportsSQL, app, limit)
}
