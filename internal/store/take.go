package store

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// TakeKind is what of a lead was taken out of the portal.
type TakeKind string

// The kinds.
const (
	TakeDocument  TakeKind = "document"  // About is the lender's id of it
	TakeDocuments TakeKind = "documents" // all of them, as a zip
	TakeSheet     TakeKind = "sheet"     // the offers as the borrower is shown them
	TakeList      TakeKind = "list"      // a row of an exported list
)

// TakeKinds lists the kinds, for words and tests.
func TakeKinds() []TakeKind { return []TakeKind{TakeDocument, TakeDocuments, TakeSheet, TakeList} }

// Take is what one person took of a lead, how often, and when last (milliseconds).
type Take struct {
	UserID string   `db:"user_id"`
	Name   string   `db:"name"`
	What   TakeKind `db:"what"`
	About  string   `db:"about"`
	N      int      `db:"n"`
	At     int64    `db:"at"`
}

// AddTakes counts one take of each of some leads.
func (tx *Tx) AddTakes(ctx context.Context, t Take, at time.Time, apps ...heloc.AppID) error {
	for chunk := 0; chunk < len(apps); chunk += takesAtOnce {
		some := apps[chunk:min(chunk+takesAtOnce, len(apps))]
		args := make([]any, 0, 5*len(some))
		for _, app := range some {
			args = append(args, app, t.UserID, t.What, t.About, Millis(at))
		}
		if _, err := tx.exec(ctx, `INSERT INTO lead_takes (app_uuid, user_id, what, about, at) VALUES (?, ?, ?, ?, ?)`+strings.Repeat(`, (?, ?, ?, ?, ?)`, len(some)-1)+`
			ON CONFLICT (app_uuid, user_id, what, about) DO UPDATE SET n = lead_takes.n + 1, at = excluded.at`, args...); err != nil {
			return err
		}
	}
	return nil
}

// takesAtOnce is how many rows one statement holds: databases bound their arguments.
const takesAtOnce = 100

const takesSQL = `SELECT t.user_id, u.name, t.what, t.about, t.n, t.at FROM lead_takes t JOIN users u ON u.id = t.user_id
	WHERE t.app_uuid = ? ORDER BY t.at DESC LIMIT ?`

// Takes lists what was taken of a lead that has been opened already, the last first.
func (q queries) Takes(ctx context.Context, app heloc.AppID, limit int) ([]Take, error) {
	var ts []Take
	return ts, q.list(ctx, &ts, takesSQL, app, limit)
}
