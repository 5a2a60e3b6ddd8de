package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func mailOf(id string, kind store.MailKind, at time.Time) store.Mail {
	return store.Mail{ID: id, Kind: kind, Sealed: []byte("sealed " + id), CreatedAt: store.Millis(at),
		SendAt: store.Millis(at)}
}

func mailsWait(t *testing.T, s *store.Store) {
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i, m := range []store.Mail{mailOf("m2", store.MailMessage, noon().Add(time.Second)),
			mailOf("m1", store.MailMessage, noon()), mailOf("w1", store.MailRequest, noon())} {
			if err := tx.AddMail(ctx, m); err != nil {
				t.Fatalf("mail %d: %v", i, err)
			}
		}
		return nil
	})
	lease := func(now time.Time) (store.Mail, bool) {
		t.Helper()
		m, ok, err := s.LeaseMail(t.Context(), store.MailMessage, now, now.Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		return m, ok
	}
	first, ok := lease(noon().Add(time.Second))
	if !ok || first.ID != "m1" || first.Tries != 1 || string(first.Sealed) != "sealed m1" {
		t.Fatalf("got %+v, %v, want the one that has waited longest", first, ok)
	}
	if second, ok := lease(noon().Add(time.Second)); !ok || second.ID != "m2" {
		t.Errorf("got %+v, %v, want the other one while the first is leased", second, ok)
	}
	if m, ok := lease(noon().Add(2 * time.Second)); ok {
		t.Errorf("got %+v, want none: both are leased", m)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.FinishMail(ctx, "m1", "sent"); err != nil {
			return err
		}
		return tx.PostponeMail(ctx, "m2", noon().Add(2*time.Minute))
	})
	if m, ok := lease(noon().Add(time.Minute)); ok {
		t.Errorf("got %+v, want none before its time", m)
	}
	if m, ok := lease(noon().Add(2 * time.Minute)); !ok || m.ID != "m2" || m.Tries != 2 {
		t.Errorf("got %+v, %v, want the postponed one", m, ok)
	}
	if waiting := must(s.UnsentMails(t.Context(), 10))(t); len(waiting) != 1 || waiting[0].ID != "m2" {
		t.Errorf("got %+v, want the unsent ones", waiting)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropMails(ctx, noon().Add(time.Hour)) })
	if waiting := must(s.UnsentMails(t.Context(), 10))(t); len(waiting) != 0 {
		t.Errorf("got %+v, want none after the retention period", waiting)
	}
}

func invitationOf(id, kind, subject, company string) store.Invitation {
	return store.Invitation{
		ID: id, Kind: kind, TokenHash: "hash of " + id, Subject: subject, Company: company, Sealed: []byte("sealed"),
		CreatedBy: "maya", CreatedAt: store.Millis(noon()), ExpiresAt: store.Millis(noon().Add(time.Hour)),
	}
}

func invitations(t *testing.T, s *store.Store) {
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, i := range []store.Invitation{
			invitationOf("i1", "invite", "ada", "b:B1"), invitationOf("i2", "invite", "lars", "b:B2"),
			invitationOf("i3", "reset", "ada", ""),
			invitationOf("i4", "invite", "ada", "b:B1"), // replaces i1
		} {
			if err := tx.AddInvitation(ctx, i); err != nil {
				return err
			}
		}
		return nil
	})
	for id, open := range map[string]bool{"i1": false, "i2": true, "i3": true, "i4": true, "i9": false} {
		_, err := s.PendingInvitation(t.Context(), "hash of "+id, noon())
		if open && err != nil {
			t.Errorf("%s: got %v, want it pending", id, err)
		}
		if !open {
			wantKind(t, err, fault.NotFound)
		}
	}
	_, err := s.PendingInvitation(t.Context(), "hash of i2", noon().Add(time.Hour))
	wantKind(t, err, fault.NotFound)
	if own := must(s.PendingInvitations(t.Context(), "invite", "b:B1", noon()))(t); len(own) != 1 || own[0].ID != "i4" {
		t.Errorf("got %+v, want the company's pending one", own)
	}
	if all := must(s.PendingInvitations(t.Context(), "invite", "", noon()))(t); len(all) != 2 {
		t.Errorf("got %d from all companies, want two", len(all))
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, tt := range []struct {
			id, company string
			want        bool
		}{{"i2", "b:B1", false}, {"i3", "", false}, {"i2", "b:B2", true}, {"i2", "b:B2", false}} {
			if got, err := tx.RevokeInvitation(ctx, tt.id, tt.company, noon()); err != nil || got != tt.want {
				t.Errorf("%s revoked by %q: got %v, %v, want %v", tt.id, tt.company, got, err, tt.want)
			}
		}
		for _, want := range []bool{true, false} {
			if got, err := tx.UseInvitation(ctx, "i4", noon()); err != nil || got != want {
				t.Errorf("used: got %v, %v, want %v", got, err, want)
			}
		}
		return tx.DropInvitations(ctx, noon().Add(2*time.Hour))
	})
	_, err = s.PendingInvitation(t.Context(), "hash of i3", noon())
	wantKind(t, err, fault.NotFound)
}

func invitationsOfUser(t *testing.T, s *store.Store) {
	of := func(id, kind, subject, user string) store.Invitation {
		i := invitationOf(id, kind, subject, "")
		i.UserID = user
		return i
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, i := range []store.Invitation{
			of("i1", "address", "new", "ada"), of("i2", "reset", "old", "ada"), of("i3", "address", "lars", "lars"),
			of("i4", "invite", "new", ""), of("i5", "invite", "lars", ""),
		} {
			if err := tx.AddInvitation(ctx, i); err != nil {
				return err
			}
		}
		return nil
	})
	open := func(want string) {
		t.Helper()
		got := ""
		for _, id := range []string{"i1", "i2", "i3", "i4", "i5"} {
			if _, err := s.PendingInvitation(t.Context(), "hash of "+id, noon()); err == nil {
				got += id + " "
			}
		}
		if got != want {
			t.Errorf("got %spending, want %s", got, want)
		}
	}
	if one, ok, err := s.InvitationOf(t.Context(), "ada", "address", noon()); err != nil || !ok || one.ID != "i1" {
		t.Errorf("got %+v, %v, %v, want the one of this user and kind", one, ok, err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.EndInvitationsOf(ctx, "ada", "address", noon())
	})
	open("i2 i3 i4 i5 ")
	if _, ok, err := s.InvitationOf(t.Context(), "ada", "address", noon()); err != nil || ok {
		t.Errorf("ended: got one, %v", err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.EndInvitationsTo(ctx, []string{"old", "new"}, noon())
	})
	open("i3 i5 ")
}

func identities(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	link := func(issuer, subject, user string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddIdentity(t.Context(), issuer, subject, user) })
	}
	if err := link("https://a.test", "1", "olivia"); err != nil {
		t.Fatal(err)
	}
	wantKind(t, link("https://a.test", "1", "marcus"), fault.Conflict)
	wantKind(t, link("https://a.test", "2", "olivia"), fault.Conflict)
	if err := link("https://b.test", "1", "marcus"); err != nil {
		t.Errorf("the same subject at another issuer: %v", err)
	}
	if u := must(s.UserByIdentity(t.Context(), "https://a.test", "1"))(t); u.UserID != "olivia" {
		t.Errorf("got %q, want olivia", u.UserID)
	}
	_, err := s.UserByIdentity(t.Context(), "https://b.test", "2")
	wantKind(t, err, fault.NotFound)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.MarkIdentityStrong(ctx, "https://a.test", "1")
	})
	for id, want := range map[string]bool{"olivia": true, "marcus": false} {
		if got := must(s.SignInState(t.Context(), store.LoginLocation{UserID: id}))(t).StrongLinks > 0; got != want {
			t.Errorf("two factors recorded for %s: got %v, want %v", id, got, want)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.RemoveIdentities(ctx, "olivia")
		if n != 1 {
			t.Errorf("got %d removed, want one", n)
		}
		return err
	})
	if has := must(s.HasIdentity(t.Context(), "olivia"))(t); has {
		t.Error("olivia is still linked")
	}
}
