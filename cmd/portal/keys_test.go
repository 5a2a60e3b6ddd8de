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
	"hearthline/internal/journal"
	"hearthline/internal/renewal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// installed is the configuration of a small installation with a lead and a note in it.
func installed(t *testing.T) config.Config {
	t.Helper()
	dir := t.TempDir()
	cfg := config.Config{Data: dir}
	cfg.Portal.KeysetFile, cfg.Portal.KEKFile = filepath.Join(dir, "keyset.json"), filepath.Join(dir, "elsewhere", "kek")
	opened(t, cfg, func(db *store.Store, v *vault.Vault) {
		ctx := t.Context()
		name, err := vault.SealJSON(v, journal.PlaceOfName(leadApp), heloc.Name{First: "Elena", Last: "Rivera"})
		if err != nil {
			t.Fatal(err)
		}
		part, err := v.Seal(journal.PlaceOfPart(leadApp, store.PartDetails), []byte(`{"street":"2216 Larkspur Ave"}`))
		if err != nil {
			t.Fatal(err)
		}
		err = db.Write(ctx, func(tx *store.Tx) error {
			l := store.Lead{App: leadApp, ShortID: "1-26325-001", Originator: "o1", BrokerID: "B1", Borrower: name}
			if err := tx.AddLead(ctx, &l, time.Now()); err != nil {
				return err
			}
			if err := tx.SavePart(ctx, store.SealedPart{App: leadApp, Part: store.PartDetails, Version: 1, Sealed: part, FetchedAt: 1}); err != nil {
				return err
			}
			if err := tx.Audit(ctx, store.Audited{ActorID: "olivia", Action: store.ActLeadOpen, Object: "lead:" + string(leadApp), Outcome: "opened"}); err != nil {
				return err
			}
			return tx.SaveSetting(ctx, presentKey, v.Present())
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	return cfg
}

const leadApp = heloc.AppID("0f0e0d0c-0000-4000-8000-000000000001")

func opened(t *testing.T, cfg config.Config, do func(db *store.Store, v *vault.Vault)) {
	t.Helper()
	db, v, err := making(t.Context(), cfg, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	do(db, v)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// nameIn opens the borrower's name.
func nameIn(t *testing.T, db *store.Store, v *vault.Vault) (heloc.Name, error) {
	t.Helper()
	l, err := db.AnyLead(t.Context(), leadApp)
	if err != nil {
		t.Fatal(err)
	}
	return vault.UnsealJSON[heloc.Name](v, journal.PlaceOfName(leadApp), l.Borrower)
}

func TestKeysAreRenewedWithoutLosingAnything(t *testing.T) {
	cfg := installed(t)
	ctx := t.Context()
	var out bytes.Buffer
	s := streams{out: &out, err: &out}
	if err := rotateKeys(ctx, cfg, s); err != nil {
		t.Fatal(err)
	}
	// The portal still runs with the old keys: what is sealed now it could not read.
	if err := finishKeys(ctx, cfg, s); err == nil || !strings.Contains(err.Error(), "restart") {
		t.Errorf("finished beside a portal with old keys: got %v, want a refusal", err)
	}
	opened(t, cfg, func(db *store.Store, v *vault.Vault) {
		if n, err := nameIn(t, db, v); err != nil || n.Last != "Rivera" {
			t.Errorf("between: got %v, %v, want the name: old keys still open", n, err)
		}
		if err := useKeys(ctx, db, v, renewal.New(db, v, time.Now)); err != nil {
			t.Fatal(err)
		}
		if err := db.Write(ctx, func(tx *store.Tx) error {
			return tx.Audit(ctx, store.Audited{ActorID: "olivia", Action: store.ActReveal})
		}); err != nil {
			t.Fatal(err)
		}
		if _, rows, whole, err := db.BrokenAudit(ctx); err != nil || !whole || rows < 2 {
			t.Errorf("the audit under two keys: %d rows, whole %v, %v", rows, whole, err)
		}
	})
	for _, want := range []string{"2 values", "0 values"} {
		out.Reset()
		if err := finishKeys(ctx, cfg, s); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("got %q, %v, want %s", out.String(), err, want)
		}
	}
	before := copyOf(t, cfg.Portal.KeysetFile)
	if err := retireKeys(ctx, config.Invocation{Config: cfg}, s); err != nil {
		t.Fatal(err)
	}
	if after := copyOf(t, cfg.Portal.KeysetFile); bytes.Equal(before, after) {
		t.Error("the keyset is as it was")
	}
	opened(t, cfg, func(db *store.Store, v *vault.Vault) {
		if n, err := nameIn(t, db, v); err != nil || n.Last != "Rivera" {
			t.Errorf("afterwards: got %v, %v, want the name", n, err)
		}
		if _, _, whole, err := db.BrokenAudit(ctx); err != nil || !whole {
			t.Errorf("the audit: whole %v, %v", whole, err)
		}
	})
}

func copyOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestACopiedDatabaseShowsNoName copies everything but the keys, and everything but the
// key that wraps them.
func TestACopiedDatabaseShowsNoName(t *testing.T) {
	cfg := installed(t)
	files, err := filepath.Glob(filepath.Join(cfg.Data, "portal.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v, %v", files, err)
	}
	for _, file := range files {
		for _, leak := range []string{"Rivera", "Elena", "Larkspur"} {
			if bytes.Contains(copyOf(t, file), []byte(leak)) {
				t.Errorf("%s holds %q", filepath.Base(file), leak)
			}
		}
	}
	opened(t, cfg, func(db *store.Store, _ *vault.Vault) {
		stranger, err := vault.InMemory()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := nameIn(t, db, stranger); err == nil {
			t.Errorf("other keys open the name: %v", n)
		}
	})
	if err := os.Remove(cfg.Portal.KEKFile); err != nil {
		t.Fatal(err)
	}
	if _, _, err := keeping(t.Context(), cfg, time.Now); err == nil {
		t.Error("the keyset opens without the key that wraps it")
	}
}

// TestTheKeptHeadShowsACutEnd verifies the audit against a head that was kept elsewhere.
func TestTheKeptHeadShowsACutEnd(t *testing.T) {
	cfg := installed(t)
	ctx := t.Context()
	var out bytes.Buffer
	s := streams{out: &out, err: &out}
	if err := auditHead(ctx, cfg, s); err != nil {
		t.Fatal(err)
	}
	head := strings.TrimSpace(out.String())
	if err := verifyAudit(ctx, config.Invocation{Config: cfg, Head: head}, s); err != nil {
		t.Errorf("the present head: %v", err)
	}
	for _, bad := range []string{"7:" + head[2:], head + "x", "nonsense"} {
		if err := verifyAudit(ctx, config.Invocation{Config: cfg, Head: bad}, s); err == nil {
			t.Errorf("%q is believed", bad)
		}
	}
}

func TestALeadIsHeldAndLifted(t *testing.T) {
	cfg := installed(t)
	ctx := t.Context()
	tell := func(command, lead string) (string, error) {
		var out bytes.Buffer
		err := hold(ctx, config.Invocation{Config: cfg, Command: command, Lead: lead}, streams{out: &out, err: &out})
		return out.String(), err
	}
	if _, err := tell("hold add", "nothing"); err == nil {
		t.Error("a lead that does not exist is held")
	}
	if got, err := tell("hold add", "1-26325-001"); err != nil || !strings.Contains(got, "is held") {
		t.Errorf("got %q, %v", got, err)
	}
	forgotten := func() (gone int) {
		opened(t, cfg, func(db *store.Store, _ *vault.Vault) {
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
			if _, _, whole, err := db.BrokenAudit(context.WithoutCancel(ctx)); err != nil || !whole {
				t.Errorf("the audit: whole %v, %v", whole, err)
			}
		})
		return gone
	}
	if got := forgotten(); got != 0 {
		t.Errorf("held: got %d forgotten, want none", got)
	}
	if got, err := tell("hold list", ""); err != nil || !strings.Contains(got, "1-26325-001") {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := tell("hold lift", string(leadApp)); err != nil {
		t.Error(err)
	}
	if got := forgotten(); got != 1 {
		t.Errorf("lifted: got %d forgotten, want it gone", got)
	}
}
