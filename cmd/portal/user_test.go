package main

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

func TestSignOut_AllUsers(t *testing.T) {
	cfg := newInstallation(t)
	// standing signs two users in, three times in all, if begin is set, and returns the number of sessions.
	countSessions := func(begin bool) int {
		n := 0
		withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
			service := newAccounts(db, v, cfg.Portal, time.Now)
			for _, email := range []string{"ann@summit.test", "ben@summit.test", "ben@summit.test"} {
				user, _, err := db.UserByEmail(t.Context(), email)
				if err != nil {
					if user, err = service.Add(t.Context(), access.User{
						Actor: access.Actor{Email: email, Name: "A Person", Role: access.Admin},
					}, "kettle-lantern-orchard"); err != nil {
						t.Fatal(err)
					}
				}
				if begin {
					session := access.Session{IDHash: rand.Text(), UserID: user.UserID, Created: time.Now(), LastSeen: time.Now(),
						Expires: time.Now().Add(time.Hour), Role: user.Role, SessionEpoch: user.SessionEpoch}
					if err := db.AddSession(t.Context(), session); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, email := range []string{"ann@summit.test", "ben@summit.test"} {
				user, _, _ := db.UserByEmail(t.Context(), email)
				all, err := db.SessionsOf(t.Context(), user.UserID, time.Now())
				if n += len(all); err != nil {
					t.Fatal(err)
				}
			}
		})
		return n
	}
	runWith := func(line string) (string, int) {
		args := append(strings.Fields("user sign-out "+line), "--data", cfg.Data)
		t.Setenv("PORTAL_KEYSET_FILE", cfg.Portal.KeysetFile)
		t.Setenv("PORTAL_KEK_FILE", cfg.Portal.KEK.File)
		return runCommand(t, args...)
	}
	if got := countSessions(true); got != 3 {
		t.Fatalf("got %d sessions, want three", got)
	}
	for _, line := range []string{"", "ann@summit.test --all", "nobody@summit.test"} {
		if output, code := runWith(line); code != 1 {
			t.Errorf("%q: got %d %s, want an error", line, code, output)
		}
	}
	if output, code := runWith("ben@summit.test"); code != 0 || !strings.Contains(output, "sessions ended: 2") ||
		countSessions(false) != 1 {
		t.Errorf("ben: got %d %s, and %d sessions", code, output, countSessions(false))
	}
	countSessions(true)
	if output, code := runWith("--all"); code != 0 || !strings.Contains(output, "sessions ended: 4") ||
		countSessions(false) != 0 {
		t.Errorf("everybody: got %d %s, and %d sessions", code, output, countSessions(false))
	}
}

func TestUserDisable_PrintsOpenWork(t *testing.T) {
	cfg := newInstallation(t) // with one lead, of the originator o1
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		service := newAccounts(db, v, cfg.Portal, time.Now)
		for email, originator := range map[string]string{"ann@summit.test": "o1", "ben@summit.test": "o2"} {
			who := access.User{Actor: access.Actor{Email: email, Name: "A Person", Role: access.Originator,
				OriginatorUUID: originator, BrokerID: "B1"}}
			if _, err := service.Add(t.Context(), who, "kettle-lantern-orchard"); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Setenv("PORTAL_KEYSET_FILE", cfg.Portal.KeysetFile)
	t.Setenv("PORTAL_KEK_FILE", cfg.Portal.KEK.File)
	for email, want := range map[string]bool{"ann@summit.test": true, "ben@summit.test": false} {
		output, code := runCommand(t, "user", "disable", email, "--data", cfg.Data)
		if waits := strings.Contains(output, "1 open lead, now unassigned, and 0 drafts") &&
			strings.Contains(output, "/admin/users/"); code != 0 || waits != want {
			t.Errorf("%s: got %d %s, want open work listed %v", email, code, output, want)
		}
	}
}

// TestUserAdd_Assistant_WorksForAll: nobody could choose on the command line, so a new assistant works for the company.
func TestUserAdd_Assistant_WorksForAll(t *testing.T) {
	cfg := newInstallation(t)
	t.Setenv("PORTAL_KEYSET_FILE", cfg.Portal.KeysetFile)
	t.Setenv("PORTAL_KEK_FILE", cfg.Portal.KEK.File)
	out, code := runCommand(t, "user", "add", "ada@summit.test", "--name", "Ada Cole", "--role", "assistant",
		"--broker", "summit", "--organization", "Evergreen", "--data", cfg.Data)
	if code != 0 || !strings.Contains(out, "all originators of the company") {
		t.Fatalf("got %d: %s", code, out)
	}
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
		user, _, err := db.UserByEmail(t.Context(), "ada@summit.test")
		if err != nil || user.WorksFor != access.AllOriginators || !user.Can(access.ReassignLead) {
			t.Errorf("got %+v, %v, want all originators and reassigning", user.Actor, err)
		}
	})
}
