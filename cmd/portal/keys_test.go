package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// newInstallation returns the configuration of a small installation with a lead and a note.
func newInstallation(t *testing.T) config.Config {
	t.Helper()
	dir := t.TempDir()
	cfg := config.Config{Data: dir}
	cfg.Portal.KeysetFile, cfg.Portal.KEK.File = filepath.Join(dir, "keyset.json"), filepath.Join(dir, "elsewhere", "kek")
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		ctx := t.Context()
		name, err := v.SealName(leadApp, heloc.Name{First: "Elena", Last: "Rivera"})
		if err != nil {
			t.Fatal(err)
		}
		part, err := v.Seal(vault.PartAAD(leadApp, lead.PartDetails), []byte(`{"street":"2216 Larkspur Ave"}`))
		if err != nil {
			t.Fatal(err)
		}
		err = db.Write(ctx, func(tx *store.Tx) error {
			l := lead.Row{App: leadApp, ShortID: "1-26325-001", Originator: "o1", Company: "B1", Borrower: name}
			if err := tx.AddLead(ctx, &l, time.Now()); err != nil {
				return err
			}
			if err := tx.SavePart(ctx, store.SealedPart{App: leadApp, Part: lead.PartDetails, Version: 1, Sealed: part,
				FetchedAt: 1}); err != nil {
				return err
			}
			if err := tx.Audit(ctx, store.AuditEntry{ActorID: "olivia", Action: store.ActionLeadOpen,
				Object: "lead:" + string(leadApp), Outcome: "opened"}); err != nil {
				return err
			}
			return tx.SaveSetting(ctx, currentKeySetting, v.CurrentKey())
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	return cfg
}

const leadApp = heloc.AppID("0f0e0d0c-0000-4000-8000-000000000001")

func withDatabase(t *testing.T, cfg config.Config, do func(db *store.Store, v *vault.Vault)) {
	t.Helper()
	db, v, err := openOrCreate(t.Context(), cfg, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	do(db, v)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// runOn runs a command on an installation; each set function can change its arguments.
func runOn(t *testing.T, cfg config.Config, s streams, command string, set ...func(*config.Args)) error {
	t.Helper()
	inv := config.Invocation{Command: command, Config: cfg}
	for _, one := range set {
		one(&inv.Args)
	}
	return dispatch(t.Context(), inv, s)
}

// letGo sets --let-go, with which keys retire accepts the losses.
func letGo(args *config.Args) { args.Keys.Retire.LetGo = true }

// withHead sets the head that audit verify looks for.
func withHead(head string) func(*config.Args) {
	return func(args *config.Args) { args.Audit.Verify.Head = &head }
}

// borrowerName decrypts the borrower's name.
func borrowerName(t *testing.T, db *store.Store, v *vault.Vault) (heloc.Name, error) {
	t.Helper()
	l, err := db.AnyLead(t.Context(), leadApp)
	if err != nil {
		t.Fatal(err)
	}
	return v.UnsealName(leadApp, l.Borrower)
}

func TestKeysRotateAndFinish_KeepAllData(t *testing.T) {
	cfg := newInstallation(t)
	ctx := t.Context()
	var out bytes.Buffer
	s := streams{out: &out, err: &out}
	if err := runOn(t, cfg, s, "keys rotate"); err != nil {
		t.Fatal(err)
	}
	// The portal still runs with the old keys, so it could not read what is encrypted now.
	if err := runOn(t, cfg, s, "keys finish"); err == nil || !strings.Contains(err.Error(), "restart") {
		t.Errorf("finished while a portal uses the old keys: got %v, want an error", err)
	}
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		if n, err := borrowerName(t, db, v); err != nil || n.Last != "Rivera" {
			t.Errorf("between: got %v, %v, want the name: the old keys must still decrypt", n, err)
		}
		if err := useKeys(ctx, db, v, reencrypt.New(db, v, time.Now)); err != nil {
			t.Fatal(err)
		}
		if err := db.Write(ctx, func(tx *store.Tx) error {
			return tx.Audit(ctx, store.AuditEntry{ActorID: "olivia", Action: store.ActionReveal})
		}); err != nil {
			t.Fatal(err)
		}
		if _, rows, intact, err := db.BrokenAudit(ctx); err != nil || !intact || rows < 2 {
			t.Errorf("the audit under two keys: %d rows, intact %v, %v", rows, intact, err)
		}
	})
	for _, want := range []string{"2 values", "0 values"} {
		out.Reset()
		if err := runOn(t, cfg, s, "keys finish"); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("got %q, %v, want %s", out.String(), err, want)
		}
	}
	before := mustReadFile(t, cfg.Portal.KeysetFile)
	if err := runOn(t, cfg, s, "keys retire"); err != nil {
		t.Fatal(err)
	}
	if after := mustReadFile(t, cfg.Portal.KeysetFile); bytes.Equal(before, after) {
		t.Error("the keyset is unchanged")
	}
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		if n, err := borrowerName(t, db, v); err != nil || n.Last != "Rivera" {
			t.Errorf("afterwards: got %v, %v, want the name", n, err)
		}
		if _, _, intact, err := db.BrokenAudit(ctx); err != nil || !intact {
			t.Errorf("the audit: intact %v, %v", intact, err)
		}
	})
}

func mustReadFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestDatabaseCopy_WithoutKeys_Unreadable copies everything except the keys, and everything except the key that wraps
// them.
func TestDatabaseCopy_WithoutKeys_Unreadable(t *testing.T) {
	cfg := newInstallation(t)
	files, err := filepath.Glob(filepath.Join(cfg.Data, "portal.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v, %v", files, err)
	}
	for _, file := range files {
		for _, leak := range []string{"Rivera", "Elena", "Larkspur"} {
			if bytes.Contains(mustReadFile(t, file), []byte(leak)) {
				t.Errorf("%s contains %q", filepath.Base(file), leak)
			}
		}
	}
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
		otherKeys, err := vault.InMemory()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := borrowerName(t, db, otherKeys); err == nil {
			t.Errorf("other keys decrypt the name: %v", n)
		}
	})
	if err := os.Remove(cfg.Portal.KEK.File); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openExisting(t.Context(), cfg, time.Now); err == nil {
		t.Error("the keyset opens without the key-encryption key")
	}
}

// TestAuditVerify_CutEnd_FoundBySavedHead verifies the audit against a head that was stored elsewhere.
func TestAuditVerify_CutEnd_FoundBySavedHead(t *testing.T) {
	cfg := newInstallation(t)
	var out bytes.Buffer
	s := streams{out: &out, err: &out}
	if err := runOn(t, cfg, s, "audit head"); err != nil {
		t.Fatal(err)
	}
	head := strings.TrimSpace(out.String())
	if err := runOn(t, cfg, s, "audit verify", withHead(head)); err != nil {
		t.Errorf("the current head: %v", err)
	}
	for _, bad := range []string{"7:" + head[2:], head + "x", "nonsense"} {
		if err := runOn(t, cfg, s, "audit verify", withHead(bad)); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestHold_SetAndLift(t *testing.T) {
	cfg := newInstallation(t)
	ctx := t.Context()
	runWith := func(command, app string) (string, error) {
		var out bytes.Buffer
		err := runOn(t, cfg, streams{out: &out, err: &out}, command, func(args *config.Args) {
			if command == "hold lift" {
				args.Hold.Lift.Lead = app
			} else {
				args.Hold.Add.Lead = app
			}
		})
		return out.String(), err
	}
	if _, err := runWith("hold add", "nothing"); err == nil {
		t.Error("a lead that does not exist was put on hold")
	}
	if got, err := runWith("hold add", "1-26325-001"); err != nil || !strings.Contains(got, "is held") {
		t.Errorf("got %q, %v", got, err)
	}
	purge := func() (gone int) {
		withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
			err := db.Write(ctx, func(tx *store.Tx) error {
				l, err := tx.AnyLead(ctx, leadApp)
				if err != nil {
					return err
				}
				l.CanceledDate, l.Step = "2020-01-01", heloc.StepClosed
				if err := tx.SaveLead(ctx, &l, time.Now().AddDate(-5, 0, 0), true); err != nil {
					return err
				}
				apps, err := tx.DropLeads(ctx, time.Now(), 10)
				gone = len(apps)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, intact, err := db.BrokenAudit(context.WithoutCancel(ctx)); err != nil || !intact {
				t.Errorf("the audit: intact %v, %v", intact, err)
			}
		})
		return gone
	}
	if got := purge(); got != 0 {
		t.Errorf("on hold: got %d deleted, want none", got)
	}
	if got, err := runWith("hold list", ""); err != nil || !strings.Contains(got, "1-26325-001") {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := runWith("hold lift", string(leadApp)); err != nil {
		t.Error(err)
	}
	if got := purge(); got != 1 {
		t.Errorf("lifted: got %d deleted, want the lead deleted", got)
	}
}
