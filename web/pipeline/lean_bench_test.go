package pipeline_test

import (
	"context"
	"database/sql"
	"io"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/webtest"
)

// leanQueryAndTable reads what a list shows of an originator's leads with one prepared statement, and renders its
// table: what the page would cost without a page around it, names that are encrypted, permissions, or anything that
// depends on the time.
func leanQueryAndTable(b *testing.B, h *webtest.Harness) func() error {
	b.Helper()
	db, err := sql.Open("sqlite3", "file:"+h.Database()+"?mode=ro")
	check(b, err)
	b.Cleanup(func() { _ = db.Close() })
	statement, err := db.PrepareContext(b.Context(), `SELECT app, short_id, city, state, status_key, revision, amount
		FROM leads WHERE originator = ? ORDER BY due_sort, app LIMIT 50`)
	check(b, err)
	originator := h.People["olivia"].OriginatorUUID
	return func() error {
		found, err := statement.QueryContext(context.Background(), originator)
		if err != nil {
			return err
		}
		defer func() { _ = found.Close() }()
		rows := make([]view.LeadRow, 0, store.PageSize)
		for found.Next() {
			var r view.LeadRow
			var city, state, status string
			var amount heloc.Money
			if err := found.Scan(&r.App, &r.ShortID, &city, &state, &status, &r.Revision, &amount); err != nil {
				return err
			}
			r.Href, r.Name, r.CityState = to.Base("").Lead(r.App), r.ShortID, text.CityState(city, state)
			r.Chip, r.Amount = ui.ChipView{Label: text.StatusOf(status, "").Chip}, text.Dollars(&amount)
			rows = append(rows, r)
		}
		if err := found.Err(); err != nil {
			return err
		}
		return view.LeadTable(rows, view.DefaultLeadColumns()).Render(context.Background(), io.Discard)
	}
}
