package desk_test

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/desk/pipeline"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func TestLead_OtherCompany_NotFound(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		apps := map[string]heloc.AppID{
			"olivia": g.start(g.olivia, "Rivera"), "marcus": g.start(g.marcus, "Rivera"), "piotr": g.start(g.piotr, "Rivera"),
		}
		for _, tt := range []struct {
			who  access.Actor
			sees []string
		}{
			{g.olivia, []string{"olivia"}}, {g.marcus, []string{"marcus"}}, {g.piotr, []string{"piotr"}},
			{g.maya, []string{"olivia", "marcus"}}, {g.ann, []string{"olivia", "marcus"}},
			{g.assistantOf("beth", g.marcus), []string{"marcus"}}, {g.assistantOf("carl"), nil},
		} {
			sees := map[heloc.AppID]bool{}
			for _, name := range tt.sees {
				sees[apps[name]] = true
			}
			short := g.openLead(g.piotr, apps["piotr"]).Row().ShortID
			for list, page := range map[string]pipeline.Page{
				"list":         g.listPage(tt.who, lead.Query{}, ""),
				"name":         g.listPage(tt.who, lead.Query{}, "rivera"),
				"part of name": g.listPage(tt.who, lead.Query{}, "Riv"),
				"phone":        g.listPage(tt.who, lead.Query{}, "(919) 555-0142"),
				"last four":    g.listPage(tt.who, lead.Query{}, "0142"),
				"e-mail":       g.listPage(tt.who, lead.Query{}, "Xochitl@Borrower.test"),
				"house":        g.listPage(tt.who, lead.Query{}, "rivera 418"),
				"short ids":    g.listPage(tt.who, lead.Query{}, short[:len(short)-3]),
			} {
				for _, row := range page.Rows {
					if !sees[row.App] {
						t.Errorf("%s: the %s contains a lead of %s", tt.who.Email, list, row.Originator)
					}
				}
				if len(page.Rows) != len(tt.sees) {
					t.Errorf("%s: the %s contains %d leads, want %d", tt.who.Email, list, len(page.Rows), len(tt.sees))
				}
				counted := 0
				for _, n := range page.Counts {
					counted += n
				}
				if counted != len(tt.sees) {
					t.Errorf("%s: the counts add up to %d, want %d", tt.who.Email, counted, len(tt.sees))
				}
			}
			if page := g.listPage(tt.who, lead.Query{}, "okafor"); len(page.Rows) != 0 {
				t.Errorf("%s: got %d leads for a name that no borrower has, want none", tt.who.Email, len(page.Rows))
			}
			for name, app := range apps {
				l, err := g.service.For(tt.who).Lead(t.Context(), string(app))
				if sees[app] && (err != nil || l.Name.Last != "Rivera") {
					t.Errorf("%s: the lead of %s: got %v, want it open", tt.who.Email, name, err)
				} else if !sees[app] {
					wantKind(t, err, fault.NotFound)
				}
				start, err := g.store.StartOf(t.Context(), app)
				g.must(err)
				if _, err := g.service.For(tt.who).Receipt(t.Context(), start.ID); (err == nil) != sees[app] {
					t.Errorf("%s: the receipt of %s: got %v", tt.who.Email, name, err)
				}
			}
		}
		_, err := g.service.For(g.admin).Lead(t.Context(), string(apps["olivia"]))
		wantKind(t, err, fault.NotFound)
		_, err = g.service.For(g.admin).Pipeline()
		wantKind(t, err, fault.Denied)
		_, err = g.service.For(g.olivia).Lead(t.Context(), "../../etc")
		wantKind(t, err, fault.NotFound)
	})
}

// assistantOf adds an assistant of Olivia's company who works for some originators and may reassign leads.
func (h *harness) assistantOf(id string, originators ...access.Actor) access.Actor {
	h.t.Helper()
	a := h.ann
	a.UserID, a.Email, a.WorksFor = id, id+"@test", ""
	for _, o := range originators {
		a.WorksFor = access.CoversOf(append(a.WorksFor.All(), o.OriginatorUUID)...)
	}
	h.must(h.store.AddUser(h.t.Context(), access.User{Actor: a}, ""))
	return a
}

// TestAssistant_ReassignsOnlyBetweenTheirs has desks that were opened before the choice changes.
func TestAssistant_ReassignsOnlyBetweenTheirs(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		beth := g.assistantOf("beth", g.olivia, g.marcus)
		reassign := func(l *desk.Lead, to access.Actor) error {
			_, err := l.Reassign(t.Context(), deskreassign.Request{OperationID: l.NewOperationID(heloc.OpReassign),
				Assignee: to.OriginatorUUID})
			return err
		}
		app := g.start(g.olivia, "Rivera-Match")
		l := g.openLead(beth, app)
		targets, err := l.Assignees(t.Context(), "")
		g.must(err)
		if len(targets.List) != 1 || string(targets.List[0].UUID) != g.marcus.OriginatorUUID {
			t.Errorf("offered %+v, want Marcus alone", targets.People)
		}
		wantKind(t, reassign(l, g.maya), fault.Invalid)
		g.must(reassign(l, g.marcus))
		set := func(worksFor access.Covers, reassigns bool) {
			g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
				return tx.SetAssistant(t.Context(), g.maya, beth.UserID, worksFor, reassigns)
			}))
		}
		l = g.openLead(beth, app)
		set(beth.WorksFor, false)
		wantKind(t, reassign(l, g.olivia), fault.Denied)
		set(access.Covers(g.olivia.OriginatorUUID), true)
		wantKind(t, reassign(l, g.olivia), fault.Denied)
		now, err := g.store.User(t.Context(), beth.UserID)
		g.must(err)
		op, err := g.store.LastReassignmentBy(t.Context(), store.UserScopeOf(now.Actor), app, time.Time{})
		g.must(err)
		receipt, err := g.service.For(now.Actor).Receipt(t.Context(), op.OpID)
		g.must(err)
		bulk, err := g.service.For(now.Actor).BulkReassignments()
		g.must(err)
		_, err = receipt.Undo(t.Context(), bulk.NewUndoOperationID(app))
		wantKind(t, err, fault.NotFound)
		now.Reassigns = false
		if _, err := g.service.For(now.Actor).BulkReassignments(); !fault.Is(err, fault.Denied) {
			t.Errorf("an assistant who may not reassign: got %v", err)
		}
	})
}

// Tokens are short, so a lead with all tokens of the query is still compared with the query.
func TestSearch_TokenCollision_ComparesName(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.start(g.olivia, "Quetzalcoatl")
		for typed, want := range map[string]int{
			"Quetzalcoatl": 1, "QUETZALCOATL xoch": 1, "quetzalc": 1, "quetzalcxyz": 0, "quetzalcoatls": 0,
			"xochitl quetzalco": 1, "zzz quetzal": 0, "   ": 1,
		} {
			if page := g.listPage(g.olivia, lead.Query{}, typed); len(page.Rows) != want {
				t.Errorf("%q: got %d rows, want %d", typed, len(page.Rows), want)
			}
		}
	})
}

func TestLeadWrite_RoleLacksPermission_Denied(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		g.transport.setHanging(false)
		for _, who := range []access.Actor{g.ann, g.admin} {
			_, err := g.service.For(who).Intake()
			wantKind(t, err, fault.Denied)
		}
		l := g.openLead(g.ann, app)
		_, err := l.Cancel(t.Context(), l.NewOperationID(heloc.OpCancel))
		wantKind(t, err, fault.Denied)
		_, err = l.Offers().SelectOffer(t.Context(), l.NewOperationID(heloc.OpSelectOffer), heloc.OfferSelection{})
		wantKind(t, err, fault.Denied)
		_, err = l.AddPropertyEstimate(t.Context(), l.NewOperationID(heloc.OpPropertyValue), heloc.Dollars(1))
		wantKind(t, err, fault.Denied)
		_, err = l.Offers().Quote(t.Context(), heloc.QuoteRequest{})
		wantKind(t, err, fault.Denied)
		g.must(l.SetAside(t.Context(), true)) // only the portal knows it, and an assistant may do it
		if g.transport.count("/") != 0 {
			t.Error("the lender got a request from a user without permission")
		}
		_, err = g.service.For(g.admin).Drafts()
		wantKind(t, err, fault.Denied)
	})
}

func TestLead_ReassignedAtLender_NotFoundForFormerOriginator(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		mine := g.openLead(g.olivia, app) // opened before the lead was reassigned
		_, err := g.deskDeps.Lender.Reassign(t.Context(), app, heloc.OriginatorID(g.marcus.OriginatorUUID))
		g.must(err)
		g.readTwice(app)
		_, err = g.service.For(g.olivia).Lead(t.Context(), string(app))
		wantKind(t, err, fault.NotFound)
		wantKind(t, mine.SetAside(t.Context(), true), fault.NotFound)
		if got := g.openLead(g.marcus, app); got.Name.Last != "Rivera-Match" {
			t.Errorf("got %q", got.Name.Last)
		}
		// She still has access to the receipt of what she sent.
		start, err := g.store.StartOf(t.Context(), app)
		g.must(err)
		if r, err := g.service.For(g.olivia).Receipt(t.Context(), start.ID); err != nil || r.Op.State != lead.OpSucceeded {
			t.Errorf("got %v", err)
		}
	})
}
