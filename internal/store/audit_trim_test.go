package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// agedAudit is an audit of ten rows, one per day from January 1, 2020, the first about an account.
type agedAudit struct {
	*Store
	t     *testing.T
	now   time.Time
	start time.Time
}

func newAgedAudit(t *testing.T) *agedAudit {
	t.Helper()
	a := &agedAudit{t: t, start: time.Date(2020, time.January, 1, 15, 0, 0, 0, time.UTC)}
	a.now = a.start
	s, err := Open(t.Context(), newSQLiteFile(t), Options{MAC: sqliteMAC, Now: func() time.Time { return a.now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	a.Store = s
	if err := s.AddUser(t.Context(), access.User{Actor: access.Actor{UserID: "olivia", Email: "olivia@summit.test",
		Role: access.Originator}}, ""); err != nil {
		t.Fatal(err)
	}
	for day := 1; day < 10; day++ {
		a.now = a.start.AddDate(0, 0, day)
		a.mustWrite(func(tx *Tx) error { return tx.Audit(t.Context(), a.userAdded("lead:other")) })
	}
	a.now = a.start.AddDate(6, 0, 0)
	return a
}

func (a *agedAudit) userAdded(object string) AuditEntry {
	return AuditEntry{ActorID: "olivia", Action: ActionLeadOpen, Object: object, Outcome: "done"}
}

func (a *agedAudit) mustWrite(f func(tx *Tx) error) {
	a.t.Helper()
	if err := a.Write(a.t.Context(), f); err != nil {
		a.t.Fatal(err)
	}
}

// trimDay deletes the rows from before a day, counted from the first.
func (a *agedAudit) trimDay(day int) (n int64, err error) {
	a.t.Helper()
	err = a.Write(a.t.Context(), func(tx *Tx) (err error) {
		n, err = tx.TrimAudit(a.t.Context(), a.start.AddDate(0, 0, day), 100)
		return err
	})
	return n, err
}

func (a *agedAudit) execRaw(statements string) {
	a.t.Helper()
	if err := a.Store.execRaw(a.t.Context(), statements); err != nil {
		a.t.Fatal(err)
	}
}

const dropAuditTriggers = `DROP TRIGGER audit_no_UPDATE; DROP TRIGGER audit_no_DELETE; DROP TRIGGER audit_no_INSERT; ` +
	`DROP TRIGGER audit_base_no_DELETE; DROP TRIGGER audit_base_forward; `

func TestBrokenAudit_TamperedAfterTrim_Found(t *testing.T) {
	t.Parallel()
	const earlier = `CREATE TABLE kept AS SELECT * FROM audit; CREATE TABLE kept_head AS SELECT * FROM settings
		WHERE name = 'audit.head'; `
	for _, tt := range []struct {
		name, before, statement string
		at                      int64
	}{
		{"the row after the base deleted", ``, `DELETE FROM audit WHERE seq = 5`, 5},
		{"a later row deleted", ``, `DELETE FROM audit WHERE seq = 8`, 8},
		{"the row after the base changed", ``, `UPDATE audit SET actor_id = 'marcus' WHERE seq = 5`, 5},
		{"the base moved on, and the rows dropped", ``, `UPDATE audit_base
			SET seq = 7, mac = (SELECT mac FROM audit WHERE seq = 7); DELETE FROM audit WHERE seq <= 7`, 7},
		{"the base with another cutoff date", ``, `UPDATE audit_base SET written_before = written_before + 1`, 4},
		{"the base with another trim date", ``, `UPDATE audit_base SET trimmed_at = trimmed_at - 1`, 4},
		{"the base with another trim row", ``, `UPDATE audit_base
			SET trim_seq = 6, trim_mac = (SELECT mac FROM audit WHERE seq = 6)`, 4},
		{"the base deleted", ``, `DELETE FROM audit_base`, 1},
		{"a deleted row restored", earlier, `INSERT INTO audit SELECT * FROM kept WHERE seq = 4`, 4},
		{"a row written before the first", ``, `INSERT INTO audit SELECT -1, at, actor_id, company, action, object, outcome,
			detail, prev_mac, mac, network FROM audit WHERE seq = 6`, 4},
		{"the end cut off", ``, `DELETE FROM audit WHERE seq > 11`, 12},
		{"the end cut off, with the row that recorded the trim", ``, `DELETE FROM audit WHERE seq > 9; DELETE FROM settings
			WHERE name = 'audit.head'`, 4},
		{"cut off at an earlier end", earlier, `DELETE FROM audit WHERE seq > 10; UPDATE settings
			SET value = (SELECT value FROM kept_head) WHERE name = 'audit.head'`, 4},
		{"all cut off after the base", ``, `DELETE FROM audit; DELETE FROM settings WHERE name = 'audit.head'`, 4},
		{"all cut off with the base", ``, `DELETE FROM audit; DELETE FROM audit_base`, 1},
		{"all cut off with the base and the head", ``, `DELETE FROM audit; DELETE FROM audit_base; DELETE FROM settings
			WHERE name = 'audit.head'`, 1},
	} {
		a := newAgedAudit(t)
		a.execRaw(tt.before)
		if n, err := a.trimDay(4); n != 4 || err != nil {
			t.Fatalf("got %d dropped, %v, want 4", n, err)
		}
		a.mustWrite(func(tx *Tx) error { return tx.Audit(t.Context(), a.userAdded("lead:other")) })
		if _, rows, ok, err := a.BrokenAudit(t.Context()); err != nil || !ok || rows != 8 {
			t.Fatalf("before: got %d rows, ok %v, %v, want 8", rows, ok, err)
		}
		a.execRaw(dropAuditTriggers + tt.statement)
		if seq, _, ok, err := a.BrokenAudit(t.Context()); err != nil || ok || seq != tt.at {
			t.Errorf("%s: got ok %v, broken at %d, %v, want broken at %d", tt.name, ok, seq, err, tt.at)
		}
		// Neither a later row nor a later trim hides the damage.
		a.mustWrite(func(tx *Tx) error { return tx.Audit(t.Context(), a.userAdded("lead:another")) })
		_, _ = a.trimDay(9)
		if _, _, ok, _ := a.BrokenAudit(t.Context()); ok {
			t.Errorf("%s: the chain is no longer broken", tt.name)
		}
	}
}

func TestBrokenAudit_AccountWithoutEntry_Found(t *testing.T) {
	t.Parallel()
	a := newAgedAudit(t)
	if _, err := a.trimDay(4); err != nil {
		t.Fatal(err)
	}
	a.execRaw(fmt.Sprintf(`INSERT INTO users (id, email, name, role, created_at)
		VALUES ('mallory', 'm@summit.test', 'M', 'admin', %d)`, Millis(a.now)))
	if seq, _, ok, err := a.BrokenAudit(t.Context()); err != nil || ok || seq != 5 {
		t.Errorf("got ok %v, broken at %d, %v, want the account without an audit row detected", ok, seq, err)
	}
}

func TestTrimAudit_Broken_DropsNothing(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"a row changed":            `UPDATE audit SET actor_id = 'marcus' WHERE seq = 2`,
		"a row with an older time": `UPDATE audit SET at = 1 WHERE seq = 6`,
		"a row deleted":            `DELETE FROM audit WHERE seq = 3`,
	} {
		a := newAgedAudit(t)
		a.execRaw(dropAuditTriggers + statement)
		was, err := get[int](t.Context(), a.Queries, `SELECT count(*) FROM audit`)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := a.trimDay(8); n != 0 || err == nil || !strings.Contains(err.Error(), "broken at row") {
			t.Errorf("%s: got %d dropped, %v, want none and the broken row in the error", name, n, err)
		}
		left, err := get[int](t.Context(), a.Queries, `SELECT count(*) FROM audit`)
		if err != nil || left != was {
			t.Errorf("%s: got %d rows left, %v, want %d", name, left, err, was)
		}
	}
}

// TestTrimAudit_LegalHold_Stops puts a lead under a legal hold that one row in the middle concerns.
func TestTrimAudit_LegalHold_Stops(t *testing.T) {
	t.Parallel()
	const app = heloc.AppID("00000000-0000-4000-8000-0000000000f1")
	for _, object := range []string{"lead:" + string(app), "operation:hl-1", "draft:d1"} {
		a := newAgedAudit(t)
		early := a.start.AddDate(0, 0, -4)
		for i, of := range []string{"user:olivia", object, "user:olivia"} { // rows 11 to 13
			a.mustWrite(func(tx *Tx) error {
				row := a.userAdded(of)
				row.At = Millis(early.AddDate(0, 0, i))
				return tx.Audit(t.Context(), row)
			})
		}
		a.mustWrite(func(tx *Tx) error {
			l := lead.Row{App: app, Originator: "o1", Company: "B1"}
			if err := tx.AddLead(t.Context(), &l, a.start); err != nil {
				return err
			}
			_, err := tx.SetLegalHold(t.Context(), app, a.now)
			return err
		})
		a.execRaw(`INSERT INTO operations (id, kind, app, draft_id, actor_id, actor_name, originator, company, digest,
			state, created_at)
			VALUES ('hl-1', 'start', '` + string(app) + `', 'd1', 'u', 'U', 'o1', 'B1', '', 'succeeded', 1),
				('hl-2', 'start', 'another', 'd2', 'u', 'U', 'o1', 'B1', '', 'succeeded', 1)`)
		for _, want := range []int64{11, 0} {
			if n, err := a.trimDay(300); n != want || err != nil {
				t.Errorf("%s: got %d dropped, %v, want %d", object, n, err, want)
			}
		}
		if _, _, ok, err := a.BrokenAudit(t.Context()); !ok || err != nil {
			t.Errorf("%s: got ok %v, %v", object, ok, err)
		}
		a.mustWrite(func(tx *Tx) error { _, err := tx.SetLegalHold(t.Context(), app, time.Time{}); return err })
		if n, err := a.trimDay(300); n != 2 || err != nil {
			t.Errorf("%s, hold removed: got %d dropped, %v, want 2", object, n, err)
		}
	}
}

func TestAuditTable_DeleteAboveBase_Refused(t *testing.T) {
	t.Parallel()
	a := newAgedAudit(t)
	if _, err := a.trimDay(4); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`DELETE FROM audit WHERE seq = 5`,
		`DELETE FROM audit`,
		`UPDATE audit SET at = 1`,
		`INSERT INTO audit SELECT 4, at, actor_id, company, action, object, outcome, detail, prev_mac, mac, network FROM audit
			WHERE seq = 5`,
		`DELETE FROM audit_base`,
		`UPDATE audit_base SET seq = 3`,
		`UPDATE audit_base SET base_mac = 'x'`,
		`REPLACE INTO audit_base SELECT * FROM audit_base`,
	} {
		if err := a.Store.execRaw(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "audit") {
			t.Errorf("%s: got %v, want an error", statement, err)
		}
	}
	if _, rows, ok, err := a.BrokenAudit(t.Context()); err != nil || !ok || rows != 7 {
		t.Errorf("afterwards: got %d rows, ok %v, %v", rows, ok, err)
	}
}
