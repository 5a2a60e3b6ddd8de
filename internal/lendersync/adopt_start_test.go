package lendersync

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
)

// startElsewhere starts an inquiry that echoes none of our starts.
func (h *harness) startElsewhere(in heloc.Inquiry) heloc.AppID {
	h.t.Helper()
	got, err := h.client.Start(h.t.Context(), partner.Start{Originator: heloc.OriginatorID(h.olivia.OriginatorUUID),
		Inquiry: in})
	h.must(err)
	return got.AppUUID
}

// loseStart sends an inquiry that the lender receives, and whose response is lost.
func (h *harness) loseStart(lastName string) lead.Operation {
	h.t.Helper()
	h.must(h.lender.SetFaults(sandbox.Faults{DropResponses: 1}))
	op := h.start(lastName)
	if op.State != lead.OpUnknown {
		h.t.Fatalf("got a start in state %s, want unknown", op.State)
	}
	return op
}

func TestAdoptStart_OtherBorrowerOrProperty_RefusedAndNothingStored(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		by := store.Adopter{UserID: "olivia", Name: "Olivia", Scope: g.olivia.Scope()}
		op := g.loseStart("Rivera")
		other := g.start("Okafor") // a lead of another start, which it echoes
		elsewhere := inquiry("Rivera")
		elsewhere.Property.Address.Street1 = "9 Birch Road"
		for name, app := range map[string]heloc.AppID{
			"another borrower": g.startElsewhere(inquiry("Rivers")), "another property": g.startElsewhere(elsewhere),
			"another start's": other.App,
		} {
			err := g.service.AdoptStart(t.Context(), op.ID, app, by)
			if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != "appUuid" ||
				fields[0].Message != "That application is for another borrower or property. Check the ID." {
				t.Errorf("%s: got %v", name, err)
			}
			if stored, err := g.store.Operation(t.Context(), op.ID); err != nil || stored.State != lead.OpUnknown ||
				stored.App != "" {
				t.Errorf("%s: got the start %s with %q, %v", name, stored.State, stored.App, err)
			}
			if _, err := g.store.AnyLead(t.Context(), app); app != other.App && !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: got %v, want no lead", name, err)
			}
		}
		piotr := store.Adopter{UserID: "piotr", Scope: access.Scope{OriginatorUUID: string(g.originators[2].ID)}}
		err := g.service.AdoptStart(t.Context(), op.ID, g.startElsewhere(inquiry("Rivera")), piotr)
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("another company's user: got %v, want not found", err)
		}
	})
}

func TestAdoptStart_SameBorrowerAndProperty_ConfirmedWithTypedData(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		by := store.Adopter{UserID: "olivia", Name: "Olivia", Scope: g.olivia.Scope()}
		op := g.loseStart("Rivera")
		in := inquiry("RIVERA")
		in.Property.Address.City, in.Property.Address.ZIP = "GOLDEN", "80401-1234"
		app := g.startElsewhere(in)
		g.must(g.service.AdoptStart(t.Context(), op.ID, app, by))
		stored, err := g.store.Operation(t.Context(), op.ID)
		g.must(err)
		if stored.State != lead.OpConfirmed || stored.App != app || stored.ResolvedBy != "olivia" {
			t.Errorf("got %s with lead %q, settled by %q", stored.State, stored.App, stored.ResolvedBy)
		}
		row := g.lead(app)
		if name, err := g.vault.UnsealName(app, row.Borrower); err != nil || name.Last != "Rivera" ||
			!g.finds(row, "3035550142") {
			t.Errorf("got the name %q, %v, want what was typed", name.Last, err)
		}
		if draft, err := g.store.DraftOfLead(t.Context(), app); err != nil || draft.ID != op.DraftID {
			t.Errorf("got the draft %q, %v", draft.ID, err)
		}
		audit, err := g.store.AuditOf(t.Context(), "lead:"+string(app), 9)
		if err != nil || len(audit) != 2 || audit[0].Action != store.ActionAdopt || audit[0].ActorID != "olivia" ||
			!strings.Contains(audit[0].Detail, "compared") {
			t.Errorf("audit: got %+v, %v", audit, err)
		}
		if err := g.service.AdoptStart(t.Context(), op.ID, app, by); !fault.Is(err, fault.Conflict) {
			t.Errorf("a second time: got %v, want a conflict", err)
		}
		time.Sleep(time.Second)
		g.must(g.service.Refresh(t.Context(), app))
	})
}

// A user may have added the application by its ID before, which tells nothing about the start.
func TestAdoptStart_LeadExists_StartConfirmed(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		by := store.Adopter{UserID: "olivia", Name: "Olivia", Scope: g.olivia.Scope()}
		op := g.loseStart("Rivera")
		app := g.startElsewhere(inquiry("Rivera"))
		g.must(g.service.Adopt(t.Context(), app, by))
		g.must(g.service.AdoptStart(t.Context(), op.ID, app, by))
		if stored, err := g.store.Operation(t.Context(), op.ID); err != nil || stored.State != lead.OpConfirmed ||
			stored.App != app {
			t.Errorf("got %s with lead %q, %v", stored.State, stored.App, err)
		}
	})
}

// An application that echoes the start needs no comparison, and no request for its borrower.
func TestAdoptStart_EchoedReference_BorrowerNotRead(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		op := g.loseStart("Rivera")
		app := g.lender.Inquiries()[0].AppUUID
		g.transport.set(nil, nil)
		g.must(g.service.AdoptStart(t.Context(), op.ID, app,
			store.Adopter{UserID: "olivia", Name: "Olivia", Scope: g.olivia.Scope()}))
		stored, err := g.store.Operation(t.Context(), op.ID)
		g.must(err)
		if stored.State != lead.OpConfirmed || stored.App != app || stored.ResolvedBy != "" {
			t.Errorf("got %s with lead %q, settled by %q", stored.State, stored.App, stored.ResolvedBy)
		}
		if n := g.transport.count("/details/"); n != 1 {
			t.Errorf("got %d requests for details, want 1", n)
		}
	})
}
