package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func credentialOf(id, user, handle string) store.Credential {
	return store.Credential{
		ID: id, UserID: user, Kind: store.CredentialPasskey, Handle: handle, Name: "Key " + id,
		Sealed: []byte("sealed " + id), CreatedAt: store.Millis(noon()),
	}
}

func credentials(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	want := credentialOf("c1", "olivia", "h1")
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddCredential(ctx, credentialOf("c0", "olivia", "h1")); err != nil {
			return err
		}
		return tx.AddCredential(ctx, want) // the same handle: it replaces the other one
	})
	all := must(s.Credentials(t.Context(), "olivia"))(t)
	if len(all) != 1 || all[0].ID != want.ID || string(all[0].Sealed) != string(want.Sealed) || all[0].Name != want.Name {
		t.Errorf("got %+v, want only %+v", all, want)
	}
	if found := must(s.CredentialByHandle(t.Context(), "h1"))(t); found.UserID != "olivia" {
		t.Errorf("got %q, want olivia's", found.UserID)
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddCredential(t.Context(), credentialOf("c2", "marcus", "h1"))
	})
	if err == nil {
		t.Error("two users have the same handle")
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if had, err := tx.RemoveCredential(ctx, "marcus", "c1"); err != nil || had {
			t.Errorf("marcus removes olivia's: got %v, %v", had, err)
		}
		if had, err := tx.RenameCredential(ctx, "marcus", "c1", "mine"); err != nil || had {
			t.Errorf("marcus renames olivia's: got %v, %v", had, err)
		}
		had, err := tx.RemoveCredential(ctx, "olivia", "c1")
		if !had {
			t.Error("olivia cannot remove her own")
		}
		return err
	})
	_, err = s.CredentialByHandle(t.Context(), "h1")
	wantKind(t, err, fault.NotFound)
}

func totpStepsOnce(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.AddCredential(ctx, credentialOf("c1", "olivia", "h1"))
	})
	for _, step := range []struct {
		n    int64
		want bool
	}{{10, true}, {10, false}, {9, false}, {11, true}} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if got, err := tx.AcceptTOTPStep(ctx, "c1", step.n, 1); err != nil || got != step.want {
				t.Errorf("step %d: got %v, %v, want %v", step.n, got, err, step.want)
			}
			return nil
		})
	}
}

func recoveryOnce(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.ReplaceRecoveryCodes(ctx, "olivia", []string{"a", "b"})
	})
	if hash := must(s.RecoveryHash(t.Context(), "olivia", 1))(t); hash != "b" {
		t.Errorf("got %q, want b", hash)
	}
	for _, want := range []bool{true, false} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if got, err := tx.ConsumeRecoveryCode(ctx, "olivia", "b", 5); err != nil || got != want {
				t.Errorf("used: got %v, %v, want %v", got, err, want)
			}
			return nil
		})
	}
	if hash := must(s.RecoveryHash(t.Context(), "olivia", 1))(t); hash != "" {
		t.Errorf("a used code is still there: %q", hash)
	}
	if left := must(s.CountRecoveryCodes(t.Context(), "olivia"))(t); left != 1 {
		t.Errorf("got %d codes left, want 1", left)
	}
}

func ceremonies(t *testing.T, s *store.Store) {
	one := store.Ceremony{IDHash: "hash", Kind: "second-step", Sealed: []byte("x"),
		ExpiresAt: store.Millis(noon().Add(time.Minute))}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.SaveCeremony(ctx, one, 5); err != nil {
			return err
		}
		one.Sealed = []byte("y")
		return tx.SaveCeremony(ctx, one, 5)
	})
	if got := must(s.Ceremony(t.Context(), "hash", "second-step", noon()))(t); string(got.Sealed) != "y" {
		t.Errorf("got %q, want the later one", got.Sealed)
	}
	_, err := s.Ceremony(t.Context(), "hash", "other", noon())
	wantKind(t, err, fault.NotFound)
	_, err = s.Ceremony(t.Context(), "hash", "second-step", noon().Add(time.Minute))
	wantKind(t, err, fault.NotFound)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropCeremonies(ctx, noon()) })
	for _, want := range []bool{true, false} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if got, err := tx.EndCeremony(ctx, "hash", "second-step"); err != nil || got != want {
				t.Errorf("ended: got %v, %v, want %v", got, err, want)
			}
			return nil
		})
	}
}

func pendingEnds(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	begun := func(hash, kind, user string, minutes int) store.Ceremony {
		return store.Ceremony{IDHash: hash, Kind: kind, UserID: user, Sealed: []byte("x"),
			ExpiresAt: store.Millis(noon().Add(time.Duration(minutes) * time.Minute))}
	}
	open := func(hash, kind string) bool {
		_, err := s.Ceremony(t.Context(), hash, kind, noon())
		return err == nil
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i, c := range []store.Ceremony{
			begun("a", "second-step", "olivia", 3), begun("b", "second-step", "olivia", 1),
			begun("c", "second-step", "olivia", 2), begun("here", "totp", "olivia", 9),
			begun("d", "held-over", "olivia", 9), begun("e", "second-step", "marcus", 1), begun("f", "sso-in", "", 1),
		} {
			if err := tx.SaveCeremony(ctx, c, 2); err != nil {
				t.Fatalf("%d: %v", i, err)
			}
		}
		link := invitationOf("i1", "reset", "olivia", "")
		link.UserID = "olivia"
		return tx.AddInvitation(ctx, link)
	})
	if !open("a", "second-step") || open("b", "second-step") || !open("c", "second-step") {
		t.Error("the two that remain of three are not the ones that expire last")
	}
	before := must(s.User(t.Context(), "olivia"))(t)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.EndPending(ctx, "olivia", "here") })
	for _, tt := range []struct {
		hash, kind string
		want       bool
	}{{"a", "second-step", false}, {"c", "second-step", false}, {"here", "totp", true}, {"d", "held-over", true},
		{"e", "second-step", true}, {"f", "sso-in", true}} {
		if got := open(tt.hash, tt.kind); got != tt.want {
			t.Errorf("%s %s is in progress: got %v, want %v", tt.hash, tt.kind, got, tt.want)
		}
	}
	_, err := s.PendingInvitation(t.Context(), "hash of i1", time.Now())
	wantKind(t, err, fault.NotFound)
	late := sessionOf(1, "olivia", noon())
	late.SessionEpoch = before.SessionEpoch
	wantKind(t, s.AddSession(t.Context(), late), fault.Conflict)
	late.SessionEpoch = must(s.User(t.Context(), "olivia"))(t).SessionEpoch
	if err := s.AddSession(t.Context(), late); err != nil {
		t.Errorf("begun afterwards: %v", err)
	}
}

func sessionsRotated(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	one := sessionOf(0, "olivia", noon())
	one.Level, one.ElevatedAt, one.Role = 2, noon(), access.Originator
	if err := s.AddSession(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	turned := one
	turned.IDHash, turned.Role = "fresh", access.Manager
	for _, want := range []bool{true, false} {
		if ours, err := s.RotateSession(t.Context(), one.IDHash, turned); err != nil || ours != want {
			t.Errorf("rotated: got %v, %v, want %v", ours, err, want)
		}
	}
	got, _, err := s.Session(t.Context(), "fresh")
	if err != nil || got.Role != access.Manager || got.ElevatedAt.Equal(noon()) || got.Level != 2 {
		t.Errorf("got %+v, %v, want the new role without a step-up", got, err)
	}
}

func sessionsElevated(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	for i, user := range []string{"olivia", "olivia", "marcus"} {
		if err := s.AddSession(t.Context(), sessionOf(i, user, noon().Add(time.Duration(i)*time.Second))); err != nil {
			t.Fatal(err)
		}
	}
	proved := sessionOf(0, "olivia", noon())
	proved.IDHash, proved.Level, proved.ElevatedAt, proved.Proof = "fresh", 2, noon(), access.ByTOTP
	if ours, err := s.ElevateSession(t.Context(), "session-00", proved); err != nil || !ours {
		t.Fatalf("got %v, %v, want the session elevated", ours, err)
	}
	if ours, err := s.ElevateSession(t.Context(), "session-00", proved); err != nil || ours {
		t.Errorf("the old token: got %v, %v, want it invalid", ours, err)
	}
	got, _, err := s.Session(t.Context(), "fresh")
	if err != nil || got.Level != 2 || got.Proof != access.ByTOTP || !got.ElevatedAt.Equal(noon()) ||
		!got.Created.Equal(noon()) {
		t.Errorf("got %+v, %v", got, err)
	}
	if all := must(s.SessionsOf(t.Context(), "olivia", noon()))(t); len(all) != 2 || all[0].IDHash != "session-01" {
		t.Errorf("got %+v, want olivia's two, latest first", all)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if had, err := tx.EndSessionOf(ctx, "marcus", "fresh"); err != nil || had {
			t.Errorf("marcus ends olivia's: got %v, %v", had, err)
		}
		_, err := tx.EndSessionsOf(ctx, "olivia", "fresh")
		return err
	})
	if all := must(s.SessionsOf(t.Context(), "olivia", noon()))(t); len(all) != 1 || all[0].IDHash != "fresh" {
		t.Errorf("got %+v, want the one to keep", all)
	}
}
