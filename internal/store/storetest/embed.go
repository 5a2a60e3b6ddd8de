package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func crm(t *testing.T, s *store.Store, key string) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveEmbedClient(ctx, store.EmbedClient{Key: key, Name: "CRM " + key, BrokerID: "B1", Kind: "jwt", Origins: "https://crm.example", Sealed: []byte("s"), CreatedAt: 1, ChangedAt: 1})
	})
}

func launchOf(id, key, replay string) store.Launch {
	return store.Launch{ID: id, Client: key, ReplayKey: replay, Subject: "mark", Origin: "https://crm.example", Sealed: []byte("sealed"), CreatedAt: store.Millis(noon()), ExpiresAt: store.Millis(noon().Add(time.Hour))}
}

func embedClients(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	got := must(s.EmbedClient(t.Context(), "acme"))(t)
	got.Name, got.AttestedBy, got.AttestedAt, got.DisabledAt = "Acme", "Quinn", 5, 6
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveEmbedClient(ctx, got) })
	if all := must(s.EmbedClients(t.Context()))(t); len(all) != 1 || all[0].Name != "Acme" || all[0].AttestedAt != 5 || all[0].DisabledAt != 6 || all[0].CreatedAt != 1 {
		t.Errorf("got %+v", all)
	}
	_, err := s.EmbedClient(t.Context(), "other")
	wantKind(t, err, fault.NotFound)
}

func launchesOnce(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	crm(t, s, "other")
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLaunch(ctx, launchOf("l1", "acme", "r1")) })
	err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddLaunch(t.Context(), launchOf("l2", "other", "r1")) })
	wantKind(t, err, fault.Conflict)
	if got := must(s.Launch(t.Context(), "acme", "l1"))(t); string(got.Sealed) != "sealed" || got.Origin != "https://crm.example" {
		t.Errorf("got %+v", got)
	}
	_, err = s.Launch(t.Context(), "other", "l1")
	wantKind(t, err, fault.NotFound)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if ours, err := tx.TakeLaunch(ctx, "l1", "olivia"); err != nil || !ours {
			t.Errorf("the first taker: got %v, %v", ours, err)
		}
		if ours, err := tx.TakeLaunch(ctx, "l1", "marcus"); err != nil || ours {
			t.Errorf("another person: got %v, %v", ours, err)
		}
		return tx.DropLaunches(ctx, noon().Add(2*time.Hour))
	})
	_, err = s.Launch(t.Context(), "acme", "l1")
	wantKind(t, err, fault.NotFound)
}

func launchCodesOnce(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	code := store.LaunchCode{Hash: "h1", LaunchID: "l1", Purpose: "press", ExpiresAt: store.Millis(noon().Add(time.Minute))}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddLaunch(ctx, launchOf("l1", "acme", "r1")); err != nil {
			return err
		}
		return tx.AddLaunchCode(ctx, code)
	})
	if got := must(s.LaunchOfCode(t.Context(), code, noon()))(t); got.ID != "l1" {
		t.Errorf("got %q, want l1", got.ID)
	}
	other := code
	other.Purpose = "tab"
	for _, try := range []struct {
		what string
		code store.LaunchCode
		at   time.Time
		want bool
	}{
		{"for another step", other, noon(), false}, {"too late", code, noon().Add(time.Minute), false}, {"in time", code, noon(), true}, {"again", code, noon(), false},
	} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if got, err := tx.SpendLaunchCode(ctx, try.code, try.at); err != nil || got != try.want {
				t.Errorf("%s: got %v, %v, want %v", try.what, got, err, try.want)
			}
			return nil
		})
	}
	_, err := s.LaunchOfCode(t.Context(), code, noon())
	wantKind(t, err, fault.NotFound)
}

func embedLinks(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	link := store.EmbedLink{Key: "acme", Subject: "mark", UserID: "olivia", LinkedAt: 1}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddEmbedLink(ctx, link) })
	stolen := link
	stolen.UserID = "marcus"
	wantKind(t, s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddEmbedLink(t.Context(), stolen) }), fault.Conflict)
	if got := must(s.EmbedLink(t.Context(), "acme", "mark"))(t); got.UserID != "olivia" {
		t.Errorf("got %q, want olivia", got.UserID)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if n, err := tx.DropEmbedLinks(ctx, "olivia", "other"); err != nil || n != 0 {
			t.Errorf("at another CRM: got %d, %v", n, err)
		}
		n, err := tx.DropEmbedLinks(ctx, "olivia", "")
		if n != 1 {
			t.Errorf("everywhere: got %d, want 1", n)
		}
		return err
	})
}

func clientsSessionsEnd(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	session := access.Session{UserID: "olivia", Created: noon(), LastSeen: noon(), Expires: noon().Add(time.Hour), Level: 1, Proved: noon(), Proof: access.ByLaunch}
	for hash, client := range map[string]string{"own": "", "framed": "acme"} {
		one := session
		one.IDHash, one.Client = hash, client
		if err := s.AddSession(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	if got, _, err := s.Session(t.Context(), "framed"); err != nil || got.Client != "acme" {
		t.Errorf("got %+v, %v", got, err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.EndSessionsOfClient(ctx, "acme") })
	_, _, err := s.Session(t.Context(), "framed")
	wantKind(t, err, fault.NotFound)
	if _, _, err := s.Session(t.Context(), "own"); err != nil {
		t.Errorf("the portal's own session ended too: %v", err)
	}
}

func references(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "olivia", "B1"), leadOf(2, "piotr", "B2"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddReferences(ctx, appID(1), []string{"m", "m"}); err != nil {
			return err
		}
		return tx.AddReferences(ctx, appID(2), []string{"m"})
	})
	got := must(s.LeadsOfReference(t.Context(), access.Scope{BrokerID: "B1"}, "m"))(t)
	if len(got) != 1 || got[0].App != appID(1) {
		t.Errorf("got %d leads, want the company's own", len(got))
	}
}
