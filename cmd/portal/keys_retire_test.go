package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/config"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// isFindable reports whether a search finds the lead of the small installation.
func isFindable(t *testing.T, db *store.Store, v *vault.Vault, typed string) bool {
	t.Helper()
	found, err := db.Candidates(t.Context(), access.Scope{BrokerID: "B1"}, "B1",
		v.SearchTokens("B1", heloc.QueryTerms(typed)), 9)
	if err != nil {
		t.Fatal(err)
	}
	return len(found) == 1 && found[0].App == leadApp
}

// TestKeysRetire_ListsLossesFirst has a lead whose phone was deleted with its draft.
func TestKeysRetire_ListsLossesFirst(t *testing.T) {
	cfg := newInstallation(t)
	ctx := t.Context()
	const phone = "303 555 0147"
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		tokens := journal.StoredTokens(v, "B1", heloc.SearchTerms(heloc.Name{First: "Elena", Last: "Rivera"}, phone, "", ""))
		if err := db.Write(ctx, func(tx *store.Tx) error { return tx.AddTokens(ctx, leadApp, tokens) }); err != nil {
			t.Fatal(err)
		}
	})
	runWith := func(do func(s streams) error) (string, error) {
		var out bytes.Buffer
		err := do(streams{out: &out, err: &out})
		return out.String(), err
	}
	doctor := func() string {
		output, _ := runWith(func(s streams) error {
			withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
				(&diagnosis{streams: s}).keys(ctx, reencrypt.New(db, v, time.Now), v.HasOlderKeys())
			})
			return nil
		})
		return output
	}
	retire := func(accept bool) (string, error) {
		return runWith(func(s streams) error {
			return runOn(t, cfg, s, "keys retire", func(args *config.Args) { args.Keys.Retire.LetGo = accept })
		})
	}
	wantText := func(what, got string, pieces ...string) {
		t.Helper()
		for _, piece := range pieces {
			if !strings.Contains(got, piece) {
				t.Errorf("%s: got %q, want %q in it", what, got, piece)
			}
		}
	}
	wantText("doctor at first", doctor(), "Older keys: none")
	if output, err := retire(false); err != nil || !strings.Contains(output, "no older keys") {
		t.Errorf("nothing to retire: got %q, %v", output, err)
	}
	if _, err := runWith(func(s streams) error { return runOn(t, cfg, s, "keys rotate") }); err != nil {
		t.Fatal(err)
	}
	wantText("doctor before the restart", doctor(), "not been restarted")
	if _, err := retire(true); err == nil || !strings.Contains(err.Error(), "restart") {
		t.Errorf("before the restart: got %v, want an error", err)
	}
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		if err := useKeys(ctx, db, v, reencrypt.New(db, v, time.Now)); err != nil {
			t.Fatal(err)
		}
	})
	wantText("doctor after it", doctor(), "; 1 lead and 2 values remain")
	output, err := runWith(func(s streams) error { return runOn(t, cfg, s, "keys finish") })
	if err != nil {
		t.Fatal(err)
	}
	wantText("finish", output, "re-indexed 1 lead", "1 lead can be found only by name")
	wantText("doctor at the end", doctor(), "except for 1 lead that")

	keyset := mustReadFile(t, cfg.Portal.KeysetFile)
	_, err = retire(false)
	if err == nil {
		t.Fatal("the losses were not listed")
	}
	wantText("retire", err.Error(), "1 lead can be found only by name", "nothing was changed", "--let-go")
	if !bytes.Equal(keyset, mustReadFile(t, cfg.Portal.KeysetFile)) {
		t.Error("rejected, but the keyset has changed")
	}
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		if !isFindable(t, db, v, phone) || !isFindable(t, db, v, "rivera") {
			t.Error("rejected, but the lead is not found anymore")
		}
	})
	if output, err = retire(true); err != nil {
		t.Fatal(err)
	}
	wantText("retire, accepted", output, "older keys are deleted", "1 lead can be found only by name")
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		if v.HasOlderKeys() || isFindable(t, db, v, phone) || !isFindable(t, db, v, "rivera") {
			t.Errorf("older keys %v, by phone %v, by name %v: want only the name",
				v.HasOlderKeys(), isFindable(t, db, v, phone), isFindable(t, db, v, "rivera"))
		}
		rows, err := db.AuditOf(context.WithoutCancel(ctx), "keys", 9)
		var acts []string
		for _, a := range rows {
			acts = append(acts, strings.TrimSpace(string(a.Action)+" "+a.Detail))
		}
		want := "keys.retire search:1 references:0 duplicates:0 links:0, keys.finish values:2 leads:1, keys.rotate"
		if got := strings.Join(acts, ", "); err != nil || got != want {
			t.Errorf("audited: got %q, %v, want %q", got, err, want)
		}
		if _, _, intact, err := db.BrokenAudit(ctx); err != nil || !intact {
			t.Errorf("the audit: intact %v, %v", intact, err)
		}
	})
}

func TestKeysRotate_NoDatabase_Error(t *testing.T) {
	var out bytes.Buffer
	cfg := config.Config{Data: t.TempDir()}
	cfg.Portal.KeysetFile, cfg.Portal.KEK.File = cfg.Data+"/keyset.json", cfg.Data+"/kek"
	if err := runOn(t, cfg, streams{out: &out, err: &out}, "keys rotate"); err == nil ||
		!strings.Contains(err.Error(), "no database") {
		t.Errorf("got %v, want an error: a wrong folder must not become an installation", err)
	}
}

func TestRetireLosses_CoverEveryField(t *testing.T) {
	one := store.OldKeyDependents{Search: 1, References: 1, Duplicates: 1, Links: 1, SignInFailures: 1, MailedLinks: 1,
		Forms: 1, Launches: 1, Notices: 1, Webhooks: 1}
	many := store.OldKeyDependents{Search: 2, References: 2, Duplicates: 2, Links: 2, SignInFailures: 2, MailedLinks: 2,
		Forms: 2, Launches: 2, Notices: 2, Webhooks: 2}
	for start, b := range map[string]store.OldKeyDependents{"1 ": one, "2 ": many} {
		lines := retireLosses(b)
		if len(lines) != 10 {
			t.Errorf("got %d lines, want ten", len(lines))
		}
		for _, l := range lines {
			if !strings.HasPrefix(l, start) || strings.Contains(l, "%") {
				t.Errorf("got %q, want it to begin with %q", l, start)
			}
		}
	}
	if got := retireLosses(store.OldKeyDependents{}); len(got) != 0 {
		t.Errorf("got %q without losses", got)
	}
}
