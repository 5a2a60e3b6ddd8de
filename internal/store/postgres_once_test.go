package store_test

import (
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// TestPostgres_SingleUse_OnceOverAllProcesses lets two processes use each kind of code, link and launch at the same
// time: one of all attempts succeeds.
func TestPostgres_SingleUse_OnceOverAllProcesses(t *testing.T) {
	t.Parallel()
	address := storetest.NewPostgres(t)
	stores := []*store.Store{open(t, address), open(t, address)}
	now := time.Now()
	later := store.Millis(now.Add(time.Hour))
	code := store.LaunchCode{Hash: "code", LaunchID: "launch", Purpose: "continue", ExpiresAt: later}
	if err := stores[0].Write(t.Context(), func(tx *store.Tx) error {
		return errors.Join(
			tx.AddUser(t.Context(), access.User{Actor: access.Actor{UserID: "u", Email: "u@summit.test", Role: access.Originator,
				BrokerID: "B1"}}, "hash"),
			tx.AddCredential(t.Context(), store.Credential{ID: "totp", UserID: "u", Kind: store.CredentialTOTP, Handle: "h",
				Sealed: []byte("sealed")}),
			tx.ReplaceRecoveryCodes(t.Context(), "u", []string{"recovery"}),
			tx.AddInvitation(t.Context(), store.Invitation{ID: "link", Kind: "reset", TokenHash: "t", Subject: "s", UserID: "u",
				Sealed: []byte("sealed"), CreatedAt: 1, ExpiresAt: later}),
			tx.AddEmbedClient(t.Context(), store.EmbedClient{Key: "acme", Name: "Acme", BrokerID: "B1", Kind: "jwt",
				Origins: "https://crm.example", Sealed: []byte("sealed"), CreatedAt: 1, ChangedAt: 1}),
			tx.AddLaunch(t.Context(), store.Launch{ID: "launch", Client: "acme", ReplayKey: "first", Sealed: []byte("sealed"),
				ExpiresAt: later}),
			tx.AddLaunchCode(t.Context(), code),
		)
	}); err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, address, `UPDATE users SET monthly_report = 1`)
	for what, use := range map[string]func(tx *store.Tx) (bool, error){
		"the code of an authenticator app": func(tx *store.Tx) (bool, error) {
			return tx.AcceptTOTPStep(t.Context(), "totp", 7, 1)
		},
		"a recovery code": func(tx *store.Tx) (bool, error) {
			return tx.ConsumeRecoveryCode(t.Context(), "u", "recovery", 1)
		},
		"a link by email":      func(tx *store.Tx) (bool, error) { return tx.UseInvitation(t.Context(), "link", now) },
		"the code of a launch": func(tx *store.Tx) (bool, error) { return tx.ConsumeLaunchCode(t.Context(), code, now) },
		"a launch": func(tx *store.Tx) (bool, error) {
			return true, tx.AddLaunch(t.Context(), store.Launch{ID: "again", Client: "acme", ReplayKey: "second",
				Sealed: []byte("sealed"), ExpiresAt: later})
		},
		"a launch without an end": func(tx *store.Tx) (bool, error) {
			return true, tx.AddLaunch(t.Context(), store.Launch{ID: rand.Text(), Client: "acme", ReplayKey: "third",
				Sealed: []byte("sealed"), ExpiresAt: later, Secret: "secret"})
		},
		"a lead": func(tx *store.Tx) (bool, error) { // as the journal claims it for one of several forms
			open, err := tx.OperationAndOpen(t.Context(), rand.Text(), "app")
			if err != nil || len(open) > 0 {
				return false, err
			}
			return true, tx.AddOperation(t.Context(), lead.Operation{ID: rand.Text(), Kind: heloc.OpAddSSN, App: "app",
				ActorID: "u", State: lead.OpSent})
		},
		"a month's report": func(tx *store.Tx) (bool, error) { return tx.ClaimMonthlyReport(t.Context(), "u", "2026-11") },
	} {
		var running sync.WaitGroup
		var used atomic.Int64
		start := make(chan struct{})
		for i := range 8 {
			running.Go(func() {
				<-start
				ok := false
				err := stores[i%2].Write(t.Context(), func(tx *store.Tx) (err error) {
					ok, err = use(tx)
					return err
				})
				switch {
				case err == nil && ok:
					used.Add(1)
				case err != nil && !fault.Is(err, fault.Conflict):
					t.Errorf("%s: %v", what, err)
				}
			})
		}
		close(start)
		running.Wait()
		if n := used.Load(); n != 1 {
			t.Errorf("%s was used %d times, want once", what, n)
		}
	}
}

// TestPostgres_SignInAttempts_CountedOverAllProcesses lets two processes count attempts under one key at the same time.
func TestPostgres_SignInAttempts_CountedOverAllProcesses(t *testing.T) {
	t.Parallel()
	address := storetest.NewPostgres(t)
	stores := []*store.Store{open(t, address), open(t, address)}
	const attempts = 16
	var running sync.WaitGroup
	start := make(chan struct{})
	for i := range attempts {
		running.Go(func() {
			<-start
			err := stores[i%2].Write(t.Context(), func(tx *store.Tx) error {
				rows, err := tx.SignInAttempts(t.Context(), "key")
				if err != nil {
					return err
				}
				return tx.SaveSignInAttempts(t.Context(), store.SignInAttempts{Key: "key", Count: rows["key"].Count + 1, At: 1})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	running.Wait()
	rows, err := stores[0].SignInAttempts(t.Context(), "key")
	if err != nil || rows["key"].Count != attempts {
		t.Errorf("got %+v, %v, want each of %d attempts counted", rows, err, attempts)
	}
}
