package migrations

import "testing"

// TestDirectoryChanges_ListedAgainLongAgo_AccountNotMarked closes two accounts by the directory, of
// which one originator is listed again: that account stayed closed, and does not open now.
func TestDirectoryChanges_ListedAgainLongAgo_AccountNotMarked(t *testing.T) {
	db := newOlderDatabase(t, baselineVersion)
	for id, removedAt := range map[string]int{"removed": 1_000_000, "listed": 0} {
		for _, statement := range []string{
			`INSERT INTO originators (uuid, email, first_name, last_name, organization, synced_at, gone_at) VALUES ($1, $1, 'A', 'B', 'O', 1, $2)`,
			`INSERT INTO users (id, email, name, role, originator_uuid, created_at, disabled_at) VALUES ($1, $1, 'A B', 'originator', $1, 1, 1000000)`,
			`INSERT INTO audit (seq, at, actor_id, company, action, object, outcome, detail, prev_mac, mac) VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM audit), 1000000, 'system', '', 'user.disable', 'user:' || $1, 'done', 'directory', '', '')`,
		} {
			db.exec(statement, id, removedAt)
		}
	}
	db.update()
	for id, want := range map[string]int{"removed": 1_000_000, "listed": 0} {
		var got int
		if err := db.QueryRowContext(t.Context(), `SELECT absent_at FROM users WHERE id = $1`, id).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got absent at %d, %v, want %d", id, got, err, want)
		}
	}
}
