package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// auditedInstallation creates a small installation with some audit rows and closes it, so that its file is complete.
func auditedInstallation(t *testing.T) config.Config {
	t.Helper()
	cfg := newInstallation(t)
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
		for range 8 {
			err := db.Write(t.Context(), func(tx *store.Tx) error {
				return tx.Audit(t.Context(), store.AuditEntry{ActorID: "olivia", Action: store.ActionLeadOpen,
					Object: "lead:" + string(leadApp), Outcome: "opened"})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	return cfg
}

// runVerify runs portal audit verify, with a head that was stored elsewhere, or "".
func runVerify(t *testing.T, cfg config.Config, head string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	var set []func(*config.Args)
	if head != "" {
		set = append(set, withHead(head))
	}
	err := runOn(t, cfg, streams{out: &out, err: &out}, "audit verify", set...)
	return out.String(), err
}

// TestAuditVerify_Tampering_Detected changes the file without having the keys.
func TestAuditVerify_Tampering_Detected(t *testing.T) {
	if output, err := runVerify(t, auditedInstallation(t), ""); err != nil ||
		!strings.Contains(output, "verified: 9 rows") {
		t.Fatalf("unchanged: got %q, %v", output, err)
	}
	for name, tt := range map[string]struct{ statement, want string }{
		"a row changed": {`UPDATE audit SET actor_id = 'marcus' WHERE seq = 4`, "row 4"},
		"a row deleted": {`DELETE FROM audit WHERE seq = 4`, "row 4"},
		"two rows swapped": {`UPDATE audit SET seq = -seq WHERE seq IN (4, 5); UPDATE audit SET seq = 9 + seq
			WHERE seq < 0`, "row 4"},
		"the end cut off":      {`DELETE FROM audit WHERE seq > 6`, "row 7"},
		"the end with its MAC": {`DELETE FROM audit WHERE seq > 6; DELETE FROM settings WHERE name = 'audit.head'`, "row 7"},
		"a forged row added": {`INSERT INTO audit (seq, at, actor_id, company, action, object, outcome, detail, prev_mac,
			mac) SELECT 10, at, actor_id, company, action, object, outcome, detail, mac, mac FROM audit
			WHERE seq = 9`, "row 10"},
		"the beginning deleted": {`DELETE FROM audit WHERE seq = 1`, "row 1"},
	} {
		cfg := auditedInstallation(t)
		raw, err := sql.Open("sqlite3", databaseAddress(cfg))
		if err != nil {
			t.Fatal(err)
		}
		_, err = raw.ExecContext(t.Context(), `DROP TRIGGER audit_no_UPDATE; DROP TRIGGER audit_no_DELETE; `+tt.statement)
		if closed := raw.Close(); err != nil || closed != nil {
			t.Fatalf("%s: %v, %v", name, err, closed)
		}
		if output, err := runVerify(t, cfg, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %q, %v, want it broken at %s", name, output, err, tt.want)
		}
	}
}

// TestAuditVerify_OlderCopy_FoundBySavedHead restores an earlier file: its chain is intact, with valid MACs, but
// shorter.
func TestAuditVerify_OlderCopy_FoundBySavedHead(t *testing.T) {
	cfg := auditedInstallation(t)
	earlier := mustReadFile(t, databaseAddress(cfg))
	var out bytes.Buffer
	s := streams{out: &out, err: &out}
	if err := runOn(t, cfg, s, "keys rotate"); err != nil { // writes a row
		t.Fatal(err)
	}
	out.Reset()
	if err := runOn(t, cfg, s, "audit head"); err != nil {
		t.Fatal(err)
	}
	head := strings.TrimSpace(out.String())
	if _, err := runVerify(t, cfg, head); err != nil {
		t.Errorf("the current file: %v", err)
	}
	if err := os.WriteFile(databaseAddress(cfg), earlier, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runVerify(t, cfg, ""); err != nil {
		t.Fatalf("the earlier file without a head: %v", err)
	}
	if _, err := runVerify(t, cfg, head); err == nil || !strings.Contains(err.Error(), "row 10") {
		t.Errorf("against the stored head: got %v, want the missing row named", err)
	}
}

// TestAuditVerify_AfterRetention_StartsAtBase drops the first rows as retention does, and rotates the keys
// afterwards: the key that authenticates the base is never retired.
func TestAuditVerify_AfterRetention_StartsAtBase(t *testing.T) {
	cfg := auditedInstallation(t)
	var heads []store.AuditHead
	cut := func(rows int) {
		t.Helper()
		withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
			for range rows {
				err := db.Write(t.Context(), func(tx *store.Tx) error {
					_, err := tx.TrimAudit(t.Context(), time.Now().Add(time.Hour), 1)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
		all, err := db.Audits(t.Context(), store.AuditQuery{Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			heads = append(heads, store.AuditHead{Seq: a.Seq, MAC: a.MAC})
		}
	})
	cut(3)
	var out bytes.Buffer
	s := streams{out: &out, err: &out}
	if err := runOn(t, cfg, s, "keys rotate"); err != nil {
		t.Fatal(err)
	}
	cut(1)
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		if err := useKeys(t.Context(), db, v, reencrypt.New(db, v, time.Now)); err != nil {
			t.Fatal(err)
		}
	})
	if err := errors.Join(runOn(t, cfg, s, "keys finish"), runOn(t, cfg, s, "keys retire", letGo)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		head store.AuditHead
		want string
	}{
		{heads[8], "Row 1 is older than the first stored row"},
		{store.AuditHead{Seq: 2, MAC: "forged"}, "Row 2 is older"},
		{heads[5], "starting at row 5"},
		{heads[4], "starting at row 5"},
	} {
		output, err := runVerify(t, cfg, fmt.Sprintf("%d:%s", tt.head.Seq, tt.head.MAC))
		if err != nil || !strings.Contains(output, tt.want) ||
			!strings.Contains(output, "The audit log is verified: 12 rows") {
			t.Errorf("with the head of row %d: got %q, %v, want %q", tt.head.Seq, output, err, tt.want)
		}
	}
	if _, err := runVerify(t, cfg, fmt.Sprintf("4:%s", heads[6].MAC)); err == nil ||
		!strings.Contains(err.Error(), "row 4") {
		t.Errorf("another MAC for the base's row: got %v, want it detected", err)
	}
	raw, err := sql.Open("sqlite3", databaseAddress(cfg))
	if err != nil {
		t.Fatal(err)
	}
	_, err = raw.ExecContext(t.Context(), `UPDATE audit_base
		SET seq = 6, mac = (SELECT mac FROM audit WHERE seq = 6); DELETE FROM audit WHERE seq <= 6`)
	if closed := raw.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	if output, err := runVerify(t, cfg, ""); err == nil ||
		!strings.Contains(err.Error(), "after row 6, was not written by this installation") {
		t.Errorf("a base that was made without the keys: got %q, %v", output, err)
	}
}
