package store

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// AddExports counts one export for each of some leads.
func (tx *Tx) AddExports(ctx context.Context, t lead.Export, at time.Time, apps ...heloc.AppID) error {
	for chunk := 0; chunk < len(apps); chunk += rowsPerStatement {
		some := apps[chunk:min(chunk+rowsPerStatement, len(apps))]
		args := make([]any, 0, 5*len(some))
		for _, app := range some {
			args = append(args, app, t.UserID, t.Kind, t.About, Millis(at))
		}
		if err := tx.exec(ctx, `INSERT INTO lead_exports (app, user_id, kind, about, at)
			VALUES (?, ?, ?, ?, ?)`+strings.Repeat(`, (?, ?, ?, ?, ?)`, len(some)-1)+`
			ON CONFLICT (app, user_id, kind, about) DO UPDATE SET n = lead_exports.n + 1, at = excluded.at`,
			args...); err != nil {
			return err
		}
	}
	return nil
}

// rowsPerStatement limits the rows of one statement, because databases limit the number of arguments.
const rowsPerStatement = 100

// Exports lists what was exported of a lead that the caller has opened, latest first.
func (q queries) Exports(ctx context.Context, app heloc.AppID, limit int) ([]lead.Export, error) {
	return list[lead.Export](ctx, q, `SELECT t.user_id, u.name, t.kind, t.about, t.n, t.at FROM lead_exports t
		JOIN users u ON u.id = t.user_id
		WHERE t.app = ? ORDER BY t.at DESC LIMIT ?`, app, limit)
}
