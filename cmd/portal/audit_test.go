package main

import (
	"bytes"
	"database/sql"
	"os"
	"strings"
	"testing"

	"hearthline/internal/config"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// audited is a small installation with some rows in its audit, closed, so that its file is
// everything there is.
func audited(t *testing.T) config.Config {
	t.Helper()
	cfg := installed(t)
	opened(t, cfg, func(db *store.Store, _ *vault.Vault) {
		for range 8 {
			err := db.Write(t.Context(), func(tx *store.Tx) error {
				return tx.Audit(t.Context(), store.Audited{ActorID: "olivia", Action: store.ActLeadOpen, Object: "lead:" + string(leadApp), Outcome: "opened"})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	return cfg
}

// verify runs portal audit verify, with a head that was kept elsewhere or "".
func verify(t *testing.T, cfg config.Config, head string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := verifyAudit(t.Context(), config.Invocation{Config: cfg, Head: head}, streams{out: &out, err: &out})
	return out.String(), err
}

// TestAuditVerifyFindsWhatWasDoneToTheAudit is somebody with the file and without the keys.
func TestAuditVerifyFindsWhatWasDoneToTheAudit(t *testing.T) {
	if said, err := verify(t, audited(t), ""); err != nil || !strings.Contains(said, "whole: 9 rows") {
		t.Fatalf("untouched: got %q, %v", said, err)
	}
	for name, tt := range map[string]struct{ deed, want string }{
		"a row changed":            {`UPDATE audit SET actor_id = 'marcus' WHERE seq = 4`, "row 4"},
		"a row taken out":          {`DELETE FROM audit WHERE seq = 4`, "row 4"},
		"two rows exchanged":       {`UPDATE audit SET seq = -seq WHERE seq IN (4, 5); UPDATE audit SET seq = 9 + seq WHERE seq < 0`, "row 4"},
		"the end cut off":          {`DELETE FROM audit WHERE seq > 6`, "row 7"},
		"the end with its mark":    {`DELETE FROM audit WHERE seq > 6; DELETE FROM settings WHERE name = 'audit.head'`, "row 7"},
		"a row of our own added":   {`INSERT INTO audit (seq, at, actor_id, company, action, object, outcome, detail, prev_mac, mac) SELECT 10, at, actor_id, company, action, object, outcome, detail, mac, mac FROM audit WHERE seq = 9`, "row 10"},
		"the beginning taken away": {`DELETE FROM audit WHERE seq = 1`, "row 1"},
	} {
		cfg := audited(t)
		raw, err := sql.Open("sqlite3", databasePath(cfg))
		if err != nil {
			t.Fatal(err)
		}
		_, err = raw.ExecContext(t.Context(), `DROP TRIGGER audit_no_UPDATE; DROP TRIGGER audit_no_DELETE; `+tt.deed)
		if closed := raw.Close(); err != nil || closed != nil {
			t.Fatalf("%s: %v, %v", name, err, closed)
		}
		if said, err := verify(t, cfg, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %q, %v, want it broken at %s", name, said, err, tt.want)
		}
	}
}

// TestAnOlderCopyIsFoundByTheHeadThatWasKept puts an earlier file back: a chain that is whole,
// marks and all, and shorter than it was.
func TestAnOlderCopyIsFoundByTheHeadThatWasKept(t *testing.T) {
	cfg := audited(t)
	earlier := copyOf(t, databasePath(cfg))
	var out bytes.Buffer
	s := streams{out: &out, err: &out}
	if err := rotateKeys(t.Context(), cfg, s); err != nil { // writes a row
		t.Fatal(err)
	}
	out.Reset()
	if err := auditHead(t.Context(), cfg, s); err != nil {
		t.Fatal(err)
	}
	head := strings.TrimSpace(out.String())
	if _, err := verify(t, cfg, head); err != nil {
		t.Errorf("the file of today: %v", err)
	}
	if err := os.WriteFile(databasePath(cfg), earlier, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(t, cfg, ""); err != nil {
		t.Fatalf("the earlier file is whole by itself: %v", err)
	}
	if _, err := verify(t, cfg, head); err == nil || !strings.Contains(err.Error(), "row 10") {
		t.Errorf("against the head that was kept: got %v, want the missing row named", err)
	}
}
