package desk_test

import (
	"context"
	"sync"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	deskaccount "hearthline/internal/desk/account"
	"hearthline/internal/desk/admin"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
)

// addAdmin adds another administrator and the services that administration needs.
func (h *harness) addAdmin(id string) access.Actor {
	h.t.Helper()
	h.deskDeps.Accounts = account.New(h.store, h.deskDeps.Vault,
		account.Options{Cost: account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1}})
	h.rebuildDesks()
	h.deskDeps.Embeds = embed.New(h.store, h.deskDeps.Vault, embed.Options{})
	h.rebuildDesks()
	other := access.Actor{UserID: id, Email: id + "@test", Name: "Another", Role: access.Admin,
		BrokerID: h.olivia.BrokerID, ElevatedUntil: elevatedUntil()}
	h.must(h.store.AddUser(h.t.Context(), access.User{Actor: other}, ""))
	return other
}

func (h *harness) people(who access.Actor) *admin.People {
	h.t.Helper()
	p, err := h.service.For(who).People()
	h.must(err)
	return p
}

// TestAdminWrite_MutualRemoval_OneRemains has two administrators remove each other's permission at the same moment,
// from desks that were opened before.
func TestAdminWrite_MutualRemoval_OneRemains(t *testing.T) {
	t.Parallel()
	for what, action := range map[string]func(ctx context.Context, p *admin.People, id string) error{
		"close": func(ctx context.Context, p *admin.People, id string) error {
			return p.Close(ctx, id, admin.CloseOptions{})
		},
		"sign out": func(ctx context.Context, p *admin.People, id string) error { return p.SignOut(ctx, id) },
	} {
		runInSynctest(t, true, func(t *testing.T, g *harness) {
			one, two := g.addAdmin("one"), g.addAdmin("two")
			desks := map[string]*admin.People{two.UserID: g.people(one), one.UserID: g.people(two)}
			start := make(chan struct{})
			errs := make(chan error, 2)
			var both sync.WaitGroup
			for id, p := range desks {
				both.Go(func() {
					<-start
					errs <- action(t.Context(), p, id)
				})
			}
			close(start)
			both.Wait()
			close(errs)
			var done, refused int
			for err := range errs {
				switch {
				case err == nil:
					done++
				case fault.Is(err, fault.Denied):
					refused++
				default:
					t.Errorf("%s: got %v, want Denied", what, err)
				}
			}
			if done != 1 || refused != 1 {
				t.Errorf("%s: got %d done and %d refused, want one of each", what, done, refused)
			}
		})
	}
}

// TestAdminWrite_PermissionLost_NoEffect uses the desk of an administrator whose account was closed or signed out
// after the desk was opened.
func TestAdminWrite_PermissionLost_NoEffect(t *testing.T) {
	t.Parallel()
	actions := map[string]func(ctx context.Context, g *harness, d *desk.Desk) error{
		"close": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			return mustPeople(d).Close(ctx, "ann", admin.CloseOptions{})
		},
		"role": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			return mustPeople(d).ChangeRole(ctx, "ann", access.Manager, "Runs the team")
		},
		"sign out": func(ctx context.Context, _ *harness, d *desk.Desk) error { return mustPeople(d).SignOut(ctx, "ann") },
		"reset": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			return mustPeople(d).Reset(ctx, "ann", false, "Lost phone")
		},
		"reopen": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			return mustPeople(d).Reopen(ctx, "ann", "")
		},
		"disconnect": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			return mustPeople(d).DisconnectCRM(ctx, "ann", "1")
		},
		"invite": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			i, _ := d.Invitations()
			return i.Invite(ctx, admin.Invitee{Name: "New Admin", Email: "new@test", Role: access.Admin,
				Reason: "Second administrator"})
		},
		"revoke": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			i, _ := d.Invitations()
			return i.Revoke(ctx, "1")
		},
		"license": func(ctx context.Context, g *harness, d *desk.Desk) error {
			l, _ := d.Licenses()
			return l.Set(ctx, admin.LicenseEntry{Holder: g.olivia.OriginatorUUID, States: []string{"CO"}})
		},
		"a license list": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			l, _ := d.Licenses()
			return l.Import(ctx, "", lead.LicensePlan(nil).Fingerprint())
		},
		"a CRM": func(ctx context.Context, g *harness, d *desk.Desk) error {
			e, _ := d.EmbedClients()
			return e.Save(ctx, embed.Setup{Key: "acme", Name: "Acme", Kind: launch.KindCanvas, BrokerID: g.olivia.BrokerID,
				Secret: "0123456789abcdef0123456789abcdef", Origins: []string{"https://crm.test"}})
		},
		"attest": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			e, _ := d.EmbedClients()
			return e.RequestApproval(ctx, "known", "Quinn", "In writing")
		},
		"retire": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			e, _ := d.EmbedClients()
			return e.RetireSecret(ctx, "known")
		},
		"disable a CRM": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			e, _ := d.EmbedClients()
			return e.Disable(ctx, "known")
		},
		"enable a CRM": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			e, _ := d.EmbedClients()
			return e.Enable(ctx, "known")
		},
		"heads": func(ctx context.Context, _ *harness, d *desk.Desk) error {
			a, _ := d.Audit()
			_, err := a.Heads(ctx)
			return err
		},
	}
	for how, end := range map[string]func(ctx context.Context, p *admin.People, id string) error{
		"closed": func(ctx context.Context, p *admin.People, id string) error {
			return p.Close(ctx, id, admin.CloseOptions{})
		},
		"signed out": func(ctx context.Context, p *admin.People, id string) error { return p.SignOut(ctx, id) },
	} {
		runInSynctest(t, true, func(t *testing.T, g *harness) {
			ctx, other := t.Context(), g.addAdmin("other")
			stale := g.service.For(other)
			opened := map[string]func() error{}
			for what, action := range actions {
				opened[what] = func() error { return action(ctx, g, stale) }
			}
			g.must(end(ctx, g.people(g.admin), other.UserID))
			before, err := g.store.AuditHead(ctx)
			g.must(err)
			for what, action := range opened {
				if err := action(); !fault.Is(err, fault.Denied) {
					t.Errorf("%s, %s: got %v, want Denied", how, what, err)
				}
			}
			if after, err := g.store.AuditHead(ctx); err != nil || after.Seq != before.Seq {
				t.Errorf("%s: the audit grew from row %d to %d, %v, want no new row", how, before.Seq, after.Seq, err)
			}
		})
	}
}

// TestAccountChange_SessionEnded_Denied has the owner end the other sessions while another session changes how the
// account signs in.
func TestAccountChange_SessionEnded_Denied(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.addAdmin("other")
		own := func() *deskaccount.Account {
			who, err := g.store.User(t.Context(), g.olivia.UserID)
			g.must(err)
			who.ElevatedUntil = elevatedUntil()
			a, err := g.service.For(who.Actor).Account()
			g.must(err)
			return a
		}
		otherSession := own()
		g.must(own().EndOtherSessions(t.Context(), "here"))
		if _, err := otherSession.ReplaceRecoveryCodes(t.Context()); !fault.Is(err, fault.Conflict) {
			t.Errorf("after all others ended: got %v, want Conflict", err)
		}
		if _, err := own().ReplaceRecoveryCodes(t.Context()); err != nil {
			t.Errorf("the owner: got %v", err)
		}
		otherSession = own()
		session := access.Session{IDHash: "there", UserID: g.olivia.UserID, Created: g.deskDeps.Now(),
			LastSeen: g.deskDeps.Now(), Expires: elevatedUntil(), SessionEpoch: 1}
		g.must(g.store.AddSession(t.Context(), session))
		g.must(own().EndSession(t.Context(), session.IDHash))
		if _, err := otherSession.ReplaceRecoveryCodes(t.Context()); !fault.Is(err, fault.Conflict) {
			t.Errorf("after that session ended: got %v, want Conflict", err)
		}
	})
}

func mustPeople(d *desk.Desk) *admin.People {
	p, err := d.People()
	if err != nil {
		panic(err)
	}
	return p
}
