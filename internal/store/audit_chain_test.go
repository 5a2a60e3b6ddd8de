package store

import (
	"strings"
	"testing"

	"hearthline/internal/access"
)

// auditChain writes ten audit rows, the first about an account, and returns a store whose database can be
// changed, because its triggers are dropped.
func auditChain(t *testing.T) *Store {
	t.Helper()
	s := openSQLite(t)
	ctx := WithNetwork(t.Context(), "192.0.2.0/24")
	if err := s.AddUser(ctx, access.User{Actor: access.Actor{UserID: "olivia", Email: "olivia@summit.test",
		Role: access.Originator}}, ""); err != nil {
		t.Fatal(err)
	}
	for range 9 {
		if err := s.Write(t.Context(), func(tx *Tx) error {
			return tx.Audit(ctx, AuditEntry{ActorID: "olivia", Company: "B1", Action: ActionLeadOpen, Object: "lead:1",
				Outcome: "done", Detail: "d"})
		}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestAudits_TextIsNeverSQL(t *testing.T) {
	t.Parallel()
	s := auditChain(t)
	for _, text := range []string{"x' OR '1'='1", "olivia' --", `olivia"`, "x' UNION SELECT * FROM users --"} {
		for what, query := range map[string]AuditQuery{"actor": {ActorID: text}, "object": {Object: text},
			"action": {Action: AuditAction(text)}} {
			query.Limit = 100
			if got, err := s.Audits(t.Context(), query); err != nil || len(got) != 0 {
				t.Errorf("%s %q: got %d rows, %v, want none", what, text, len(got), err)
			}
		}
	}
}

func TestAuditTable_UpdateOrDelete_Refused(t *testing.T) {
	t.Parallel()
	s := auditChain(t)
	for _, statement := range []string{
		`UPDATE audit SET detail = 'x' WHERE seq = 3`,
		`DELETE FROM audit WHERE seq = 10`,
		`INSERT OR REPLACE INTO audit (seq, at, actor_id, company, action, object, outcome, detail, prev_mac, mac)
			SELECT 3, at, actor_id, company, action, object, outcome, 'x', prev_mac, mac FROM audit WHERE seq = 4`,
		`REPLACE INTO audit SELECT * FROM audit WHERE seq = 4`,
	} {
		if err := s.execRaw(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: got %v, want an error", statement, err)
		}
	}
	if _, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != 10 {
		t.Errorf("afterwards: got %d rows, ok %v, %v", rows, ok, err)
	}
}

func TestBrokenAudit_Tampered_Found(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, statement string
		at              int64
	}{
		{"a changed row", `UPDATE audit SET detail = 'x' WHERE seq = 3`, 3},
		{"a changed time", `UPDATE audit SET at = at + 1 WHERE seq = 5`, 5},
		{"a changed company", `UPDATE audit SET company = 'B2' WHERE seq = 5`, 5},
		{"a changed network", `UPDATE audit SET network = '198.51.100.0/24' WHERE seq = 5`, 5},
		{"a network removed", `UPDATE audit SET network = '' WHERE seq = 6`, 6},
		{"a row cut out", `DELETE FROM audit WHERE seq = 4`, 4},
		{"a row cut out and the rest moved up", `DELETE FROM audit WHERE seq = 4; UPDATE audit SET seq = -seq + 1
			WHERE seq > 4; UPDATE audit SET seq = -seq WHERE seq < 0`, 4},
		{"the beginning cut off", `DELETE FROM audit WHERE seq < 3`, 1},
		{"the end cut off", `DELETE FROM audit WHERE seq > 7`, 8},
		{"all cut off", `DELETE FROM audit`, 1},
		{"all cut off with the head", `DELETE FROM audit; DELETE FROM settings WHERE name = 'audit.head'`, 1},
		{"a row replaced by its neighbor", `UPDATE audit SET mac = (SELECT mac FROM audit WHERE seq = 5),
			prev_mac = (SELECT prev_mac FROM audit WHERE seq = 5) WHERE seq = 6`, 6},
		{"two rows swapped", `UPDATE audit SET seq = -seq WHERE seq IN (4, 5); UPDATE audit SET seq = 9 + seq
			WHERE seq < 0`, 4},
		{"a row added without the key", `INSERT INTO audit (seq, at, actor_id, company, action, object, outcome, detail,
			prev_mac, mac) SELECT 11, at, actor_id, company, action, object, outcome, detail, mac, 'forged' FROM audit
			WHERE seq = 10`, 11},
		{"the head removed with the end", `DELETE FROM audit WHERE seq > 7; DELETE FROM settings
			WHERE name = 'audit.head'`, 8},
		{"the head set back", `DELETE FROM audit WHERE seq > 7; UPDATE settings SET value = '7 forged'
			WHERE name = 'audit.head'`, 8},
	} {
		s := auditChain(t)
		if err := s.execRaw(t.Context(),
			`DROP TRIGGER audit_no_UPDATE; DROP TRIGGER audit_no_DELETE; `+tt.statement); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if seq, _, ok, err := s.BrokenAudit(t.Context()); err != nil || ok || seq != tt.at {
			t.Errorf("%s: got ok %v, broken at %d, %v, want broken at %d", tt.name, ok, seq, err, tt.at)
		}
		// A later row does not hide the damage.
		if err := s.Write(t.Context(), func(tx *Tx) error {
			return tx.Audit(t.Context(), AuditEntry{ActorID: "system", Action: ActionReveal})
		}); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if _, _, ok, _ := s.BrokenAudit(t.Context()); ok {
			t.Errorf("%s: a later row hid the damage", tt.name)
		}
	}
}
