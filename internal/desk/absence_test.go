package desk_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/desk/reassign"
	"hearthline/internal/desk/team"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// current is a user as their next request reads them.
func (h *harness) current(who access.Actor) access.Actor {
	h.t.Helper()
	user, err := h.store.User(h.t.Context(), who.UserID)
	h.must(err)
	user.ElevatedUntil = elevatedUntil()
	return user.Actor
}

func (h *harness) absences(who access.Actor) *team.Absences {
	h.t.Helper()
	a, err := h.service.For(who).Absences()
	h.must(err)
	return a
}

// addOriginator adds an account for another originator of the same company as Olivia.
func (h *harness) addOriginator() access.Actor {
	h.t.Helper()
	all, err := h.store.OriginatorsOf(h.t.Context(), access.Scope{BrokerID: h.olivia.BrokerID})
	h.must(err)
	for _, o := range all {
		if uuid := string(o.UUID); uuid != h.olivia.OriginatorUUID && uuid != h.marcus.OriginatorUUID &&
			uuid != h.maya.OriginatorUUID {
			who := h.actor(h.t, o.Email, access.Originator)
			h.must(h.store.AddUser(h.t.Context(), access.User{Actor: who}, ""))
			return who
		}
	}
	h.t.Fatal("the company has no other originator")
	return access.Actor{}
}

// day is a day some days from now, in UTC.
func day(n int) heloc.Date { return heloc.DateOf(time.Now().UTC().AddDate(0, 0, n)) }

// cover enters an absence of one user that another one covers, from a day to a day, and returns its id.
func (h *harness) cover(absent, deputy access.Actor, first, last int) string {
	h.t.Helper()
	h.must(h.absences(h.maya).Save(h.t.Context(),
		team.AbsenceRequest{Person: absent.UserID, Deputy: deputy.UserID, FirstDay: day(first), LastDay: day(last)}))
	open, err := h.store.AbsencesOf(h.t.Context(), store.UserScopeOf(absent))
	h.must(err)
	for _, a := range open {
		if a.FirstDay == day(first) {
			return a.ID
		}
	}
	h.t.Fatal("the absence is not stored")
	return ""
}

// sees reports whether a user can open a lead now, and whether each list and search of theirs agrees.
func (h *harness) sees(who access.Actor, app heloc.AppID) bool {
	h.t.Helper()
	now := h.current(who)
	_, err := h.service.For(now).Lead(h.t.Context(), string(app))
	if err != nil && !fault.Is(err, fault.NotFound) {
		h.t.Fatal(err)
	}
	row, readErr := h.store.AnyLead(h.t.Context(), app)
	h.must(readErr)
	has := func(page pipeline.Page) bool {
		for _, r := range page.Rows {
			if r.App == app {
				return true
			}
		}
		return false
	}
	listed := has(h.listPage(now, lead.Query{Originator: row.Originator}, ""))
	found := has(h.listPage(now, lead.Query{}, "Rivera"))
	if listed != (err == nil) || found != (err == nil) {
		h.t.Errorf("%s: the lead opens: %v, the list contains it: %v, the search finds it: %v",
			who.Email, err == nil, listed, found)
	}
	return err == nil
}

func TestAbsence_DeputySeesLeads_OnlyDuringIt(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		g.cover(g.olivia, g.marcus, 1, 3)
		if g.sees(g.marcus, app) {
			t.Error("the deputy sees the lead before the absence")
		}
		time.Sleep(24 * time.Hour)
		if !g.sees(g.marcus, app) {
			t.Error("the deputy does not see the lead during the absence")
		}
		if own := g.listPage(g.current(g.marcus), lead.Query{}, ""); len(own.Rows) != 0 {
			t.Errorf("the deputy's own list has %d leads, want none", len(own.Rows))
		}
		covered := g.listPage(g.current(g.marcus), lead.Query{Originator: heloc.OriginatorID(g.olivia.OriginatorUUID)}, "")
		if len(covered.Rows) != 1 || !covered.Rows[0].AsDeputy || covered.Rows[0].Originator != g.olivia.Name ||
			covered.Moves.Today != 1 {
			t.Errorf("the list of the covered originator: got %d rows, counts %v, want the one lead, marked",
				len(covered.Rows), covered.Counts)
		}
		if !g.sees(g.olivia, app) || !g.sees(g.maya, app) || g.sees(g.piotr, app) {
			t.Error("the cover changes who else sees the lead")
		}
		before := g.service.For(g.current(g.marcus)) // a desk of a request that takes long
		mine, err := before.Lead(t.Context(), string(app))
		g.must(err)
		time.Sleep(72 * time.Hour)
		if g.sees(g.marcus, app) {
			t.Error("the deputy sees the lead after the absence")
		}
		_, err = before.Lead(t.Context(), string(app))
		wantKind(t, err, fault.NotFound)
		wantKind(t, mine.SetAside(t.Context(), true), fault.NotFound)
		_, err = mine.Cancel(t.Context(), mine.NewOperationID(heloc.OpCancel))
		wantKind(t, err, fault.NotFound)
	})
}

func TestAbsence_DeputyActs_OwnerStaysAndAuditSaysForWhom(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		id := g.cover(g.olivia, g.marcus, 0, 1)
		l := g.openLead(g.current(g.marcus), app)
		if !l.AsDeputy() || !l.Can(access.ActOnLead) || l.Can(access.ReassignLead) {
			t.Errorf("as deputy %v, may act %v, may reassign %v; want yes, yes, no",
				l.AsDeputy(), l.Can(access.ActOnLead), l.Can(access.ReassignLead))
		}
		_, err := l.Reassign(t.Context(), reassign.Request{OperationID: l.NewOperationID(heloc.OpReassign),
			Assignee: g.marcus.OriginatorUUID})
		wantKind(t, err, fault.Denied)
		_, err = l.Assignees(t.Context(), "")
		wantKind(t, err, fault.Denied)
		several, err := g.service.For(g.current(g.marcus)).BulkReassignments()
		g.must(err)
		plan, err := several.Plan(t.Context(), reassign.BulkReassignRequest{Apps: []string{string(app)},
			Assignees: []string{g.marcus.OriginatorUUID}})
		g.must(err)
		if len(plan.Leads) != 1 || plan.Leads[0].Problem == "" ||
			plan.Gets(heloc.OriginatorID(g.marcus.OriginatorUUID)) != 0 {
			t.Errorf("a deputy could reassign with others: %+v", plan.Leads)
		}
		op, err := l.Cancel(t.Context(), l.NewOperationID(heloc.OpCancel))
		g.must(err)
		if op.State != lead.OpSucceeded || string(op.Originator) != g.marcus.OriginatorUUID || op.ActorID != g.marcus.UserID {
			t.Errorf("got %s under %s by %s, want a cancellation under the deputy's own originator",
				op.State, op.Originator, op.ActorID)
		}
		row, err := g.store.AnyLead(t.Context(), app)
		g.must(err)
		if string(row.Originator) != g.olivia.OriginatorUUID {
			t.Errorf("the lead is %s's, want its owner's", row.Originator)
		}
		audit, err := g.store.AuditOf(t.Context(), "lead:"+string(app), 20)
		g.must(err)
		for _, e := range audit {
			if covers := strings.Contains(e.Detail,
				"covering-for:"+g.olivia.OriginatorUUID); covers != (e.ActorID == g.marcus.UserID) {
				t.Errorf("audit row %s by %s: got detail %q", e.Action, e.ActorID, e.Detail)
			}
		}
		v, err := g.openLead(g.current(g.olivia), app).Snapshot(t.Context())
		g.must(err)
		covered := 0
		for _, e := range v.Events {
			if e.CoveringFor == g.olivia.Name && e.ActorID == g.marcus.UserID {
				covered++
			} else if e.CoveringFor != "" {
				t.Errorf("event %s by %s: covering for %q", e.Kind, e.ActorID, e.CoveringFor)
			}
		}
		if covered == 0 || v.Absence == nil || !v.Absence.Covered || v.AsDeputy {
			t.Errorf("got %d events of the deputy, absence %v", covered, v.Absence)
		}
		// On return, the owner finds the lead in the list of what was done, until they dismiss it.
		time.Sleep(time.Minute)
		g.must(g.absences(g.current(g.olivia)).End(t.Context(), id))
		if g.sees(g.marcus, app) {
			t.Error("the deputy sees the lead after the absence was ended early")
		}
		list, err := g.service.For(g.current(g.olivia)).ListPage(t.Context(), pipeline.ListRequest{Start: true})
		g.must(err)
		if list.Returned == nil || len(list.Returned.Leads) != 1 || list.Returned.Leads[0].App != app ||
			!list.Returned.Leads[0].Accessible || list.Returned.Leads[0].Count == 0 {
			t.Fatalf("got %+v, want the one lead on which the deputy worked", list.Returned)
		}
		wantKind(t, g.absences(g.current(g.marcus)).MarkSeen(t.Context(), id), fault.NotFound)
		g.must(g.absences(g.current(g.olivia)).MarkSeen(t.Context(), id))
		list, err = g.service.For(g.current(g.olivia)).ListPage(t.Context(), pipeline.ListRequest{Start: true})
		g.must(err)
		if list.Returned != nil {
			t.Error("a dismissed absence is still shown")
		}
		if _, work, err := g.absences(g.current(g.marcus)).Find(t.Context(), id, team.CoverFilter{}); err != nil ||
			len(work.Leads) != 1 || work.Leads[0].Accessible || work.Leads[0].Name.Last != "" {
			t.Errorf("the former deputy: got %+v, %v, want the lead without its name", work, err)
		}
	})
}

func TestAbsence_Isolation(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		grace := g.addOriginator()
		id := g.cover(g.olivia, g.marcus, 0, 5)
		// Cover is not transitive: who covers for the deputy sees the deputy's own leads only.
		g.must(g.absences(g.maya).Save(t.Context(),
			team.AbsenceRequest{Person: g.marcus.UserID, Deputy: grace.UserID, FirstDay: day(0), LastDay: day(5)}))
		if g.sees(grace, app) {
			t.Error("the deputy's deputy sees the lead")
		}
		if !g.sees(g.marcus, app) {
			t.Error("a deputy who is absent loses the access that they were given")
		}
		vouched := g.current(g.marcus)
		vouched.VouchedByCRM = true
		if _, err := g.service.For(vouched).Lead(t.Context(), string(app)); !fault.Is(err, fault.NotFound) {
			t.Errorf("vouched for only by a CRM: got %v, want not found", err)
		}
		if page := g.listPage(vouched, lead.Query{Originator: heloc.OriginatorID(g.olivia.OriginatorUUID)},
			""); len(page.Rows) != 0 {
			t.Errorf("vouched for only by a CRM: got %d rows, want none", len(page.Rows))
		}
		// Another company sees nothing of it, and has no part in it.
		piotr := g.current(g.piotr)
		list, err := g.absences(piotr).List(t.Context())
		g.must(err)
		if len(list.Open)+len(list.Past)+len(list.AsDeputy) != 0 || len(list.People)+len(list.Deputies) != 0 {
			t.Errorf("another company: got %+v", list)
		}
		boss := piotr
		boss.Role, boss.UserID, boss.OriginatorUUID, boss.Email = access.Manager, "boss", "", "boss@lakeside.test"
		g.must(g.store.AddUser(t.Context(), access.User{Actor: boss}, ""))
		a := g.absences(g.current(boss))
		list, err = a.List(t.Context())
		g.must(err)
		if len(list.Open)+len(list.Past) != 0 || len(list.People) != 1 {
			t.Errorf("another company's manager: got %+v", list)
		}
		_, _, err = a.Find(t.Context(), id, team.CoverFilter{})
		wantKind(t, err, fault.NotFound)
		wantKind(t, a.End(t.Context(), id), fault.NotFound)
		wantKind(t, a.Delete(t.Context(), id), fault.NotFound)
		wantKind(t, a.Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: g.piotr.UserID, LastDay: day(1)}), fault.NotFound)
		wantField(t, a.Save(t.Context(), team.AbsenceRequest{Person: g.olivia.UserID, Deputy: g.piotr.UserID,
			FirstDay: day(9), LastDay: day(9)}), "person")
		wantField(t, a.Save(t.Context(), team.AbsenceRequest{Person: g.piotr.UserID, Deputy: g.marcus.UserID,
			FirstDay: day(9), LastDay: day(9)}), "deputy")
		// A colleague does not see an absence in which they have no part.
		own := g.absences(g.current(grace))
		_, _, err = own.Find(t.Context(), id, team.CoverFilter{})
		wantKind(t, err, fault.NotFound)
		wantKind(t, own.End(t.Context(), id), fault.NotFound)
		// The deputy sees it and cannot change it.
		deputy := g.absences(g.current(g.marcus))
		if _, _, err := deputy.Find(t.Context(), id, team.CoverFilter{}); err != nil {
			t.Errorf("the deputy: got %v", err)
		}
		wantKind(t, deputy.Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: g.marcus.UserID, LastDay: day(9)}),
			fault.NotFound)
		for _, who := range []access.Actor{g.ann, g.admin} {
			_, err := g.service.For(who).Absences()
			wantKind(t, err, fault.Denied)
		}
	})
}

func TestAbsence_AccountOrCompanyChanges_CoverEndsAtOnce(t *testing.T) {
	t.Parallel()
	for what, end := range map[string]func(g *harness) error{
		"the deputy's account closes": func(g *harness) error { return g.store.DisableUser(g.t.Context(), g.marcus.UserID) },
		"the owner's account closes":  func(g *harness) error { return g.store.DisableUser(g.t.Context(), g.olivia.UserID) },
		"the deputy moves":            func(g *harness) error { return g.moveToCompany(g.marcus, g.piotr) },
		"the owner moves":             func(g *harness) error { return g.moveToCompany(g.olivia, g.piotr) },
		"the deputy becomes an assistant of no company": func(g *harness) error {
			return g.store.SetUserRole(g.t.Context(), g.marcus.UserID, access.Admin)
		},
	} {
		runInSynctest(t, true, func(t *testing.T, g *harness) {
			app := g.start(g.olivia, "Rivera-Match")
			g.cover(g.olivia, g.marcus, 0, 5)
			stale := g.current(g.marcus)
			if _, err := g.service.For(stale).Lead(t.Context(), string(app)); err != nil {
				t.Fatalf("%s: before: %v", what, err)
			}
			g.must(end(g))
			if now := g.current(g.marcus); now.Covering != "" {
				t.Errorf("%s: the deputy still covers for %q", what, now.Covering)
			}
			if _, err := g.service.For(stale).Lead(t.Context(), string(app)); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: a request that began before: got %v, want not found", what, err)
			}
		})
	}
}

func TestAbsence_Save_RefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		grace := g.addOriginator()
		g.cover(g.olivia, g.marcus, 2, 4)
		a := g.absences(g.maya)
		for what, tt := range map[string]struct {
			req   team.AbsenceRequest
			field string
		}{
			"overlapping": {
				team.AbsenceRequest{Person: g.olivia.UserID, Deputy: grace.UserID, FirstDay: day(4), LastDay: day(6)}, "firstDay",
			},
			"a deputy who is absent": {
				team.AbsenceRequest{Person: grace.UserID, Deputy: g.olivia.UserID, FirstDay: day(1), LastDay: day(2)}, "deputy",
			},
			"their own deputy": {
				team.AbsenceRequest{Person: grace.UserID, Deputy: grace.UserID, FirstDay: day(1), LastDay: day(2)}, "deputy",
			},
			"an assistant as the deputy": {
				team.AbsenceRequest{Person: grace.UserID, Deputy: g.ann.UserID, FirstDay: day(1), LastDay: day(2)}, "deputy",
			},
			"no deputy":     {team.AbsenceRequest{Person: grace.UserID, FirstDay: day(1), LastDay: day(2)}, "deputy"},
			"nobody absent": {team.AbsenceRequest{Deputy: grace.UserID, FirstDay: day(1), LastDay: day(2)}, "person"},
			"a first day that has passed": {
				team.AbsenceRequest{Person: grace.UserID, Deputy: g.marcus.UserID, FirstDay: day(-1), LastDay: day(2)}, "firstDay",
			},
			"no first day": {team.AbsenceRequest{Person: grace.UserID, Deputy: g.marcus.UserID, LastDay: day(2)}, "firstDay"},
			"a last day before the first": {
				team.AbsenceRequest{Person: grace.UserID, Deputy: g.marcus.UserID, FirstDay: day(2), LastDay: day(1)}, "lastDay",
			},
			"too long": {
				team.AbsenceRequest{Person: grace.UserID, Deputy: g.marcus.UserID, FirstDay: day(2), LastDay: day(800)}, "lastDay",
			},
			"too long a note": {team.AbsenceRequest{Person: grace.UserID, Deputy: g.marcus.UserID, FirstDay: day(2),
				LastDay: day(2), Note: strings.Repeat("x", 201)}, "note"},
		} {
			err := a.Save(t.Context(), tt.req)
			if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != tt.field {
				t.Errorf("%s: got %v, want an error at %s", what, err, tt.field)
			}
		}
		// The days next to an absence are free.
		g.must(a.Save(t.Context(), team.AbsenceRequest{Person: g.olivia.UserID, Deputy: grace.UserID, FirstDay: day(5),
			LastDay: day(5)}))
		// An originator enters their own absence, whomever the form names.
		g.must(g.absences(g.current(grace)).Save(t.Context(), team.AbsenceRequest{Person: g.marcus.UserID,
			Deputy: g.marcus.UserID, FirstDay: day(20), LastDay: day(20), Note: "Back on Monday"}))
		list, err := g.absences(g.current(grace)).List(t.Context())
		g.must(err)
		if len(list.Open) != 1 || list.Open[0].UserID != grace.UserID || list.Open[0].Note != "Back on Monday" ||
			!list.Open[0].MayChange || len(list.AsDeputy) != 1 {
			t.Errorf("the originator's own list: got %+v", list)
		}
		if disk := g.diskAndLog(); strings.Contains(disk, "Back on Monday") {
			t.Error("the note is stored in plain text")
		}
	})
}

func TestAbsence_Change_KeepsWhoCoveredWhen(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		grace := g.addOriginator()
		id := g.cover(g.olivia, g.marcus, 0, 5)
		time.Sleep(time.Hour)
		g.must(g.absences(g.maya).Save(t.Context(),
			team.AbsenceRequest{ID: id, Deputy: grace.UserID, FirstDay: day(3), LastDay: day(6)}))
		if g.sees(g.marcus, app) || !g.sees(grace, app) {
			t.Errorf("after another deputy was chosen, the former one sees the lead: %v, the new one: %v",
				g.sees(g.marcus, app), g.sees(grace, app))
		}
		list, err := g.absences(g.maya).List(t.Context())
		g.must(err)
		if len(list.Open) != 1 || list.Open[0].DeputyID != grace.UserID || list.Open[0].FirstDay != day(0) ||
			list.Open[0].LastDay != day(6) || len(list.Past) != 1 || list.Past[0].DeputyID != g.marcus.UserID {
			t.Errorf("got %+v", list)
		}
		// An absence that has begun cannot be deleted, one that has not can.
		wantKind(t, g.absences(g.maya).Delete(t.Context(), list.Open[0].ID), fault.Conflict)
		coming := g.cover(g.olivia, g.marcus, 10, 11)
		wantKind(t, g.absences(g.maya).End(t.Context(), coming), fault.Conflict)
		g.must(g.absences(g.maya).Delete(t.Context(), coming))
		wantKind(t, g.absences(g.maya).Delete(t.Context(), coming), fault.NotFound)
		time.Sleep(8 * 24 * time.Hour)
		wantKind(t, g.absences(g.maya).Save(t.Context(),
			team.AbsenceRequest{ID: list.Open[0].ID, Deputy: grace.UserID, LastDay: day(9)}), fault.Conflict)
	})
}

func TestAbsence_LeadNotifications_GoToDeputyToo(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		g.cover(g.olivia, g.marcus, 0, 1)
		if _, _, err := g.openLead(g.maya, app).Nudge(t.Context()); err != nil {
			t.Fatal(err)
		}
		kinds := func(who access.Actor) map[lead.NoticeKind]int {
			page, err := g.store.Notices(t.Context(), store.UserScopeOf(who), "")
			g.must(err)
			n := map[lead.NoticeKind]int{}
			for _, one := range page.Notices {
				n[one.Kind]++
			}
			return n
		}
		if got := kinds(g.marcus); got[lead.NoticeNudge] != 1 || got[lead.NoticeDeputy] != 1 {
			t.Errorf("the deputy: got %v", got)
		}
		if got := kinds(g.olivia); got[lead.NoticeNudge] != 1 || got[lead.NoticeAbsence] != 1 {
			t.Errorf("the owner: got %v", got)
		}
		topics := strings.Join(g.current(g.marcus).Topics(), " ")
		if !strings.Contains(topics, g.olivia.OriginatorUUID) {
			t.Error("the deputy's open pages are not told of changes")
		}
		other := g.start(g.olivia, "Rivera-Liens")
		time.Sleep(48 * time.Hour)
		if _, _, err := g.openLead(g.maya, other).Nudge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := kinds(g.marcus); got[lead.NoticeNudge] != 1 {
			t.Errorf("the former deputy: got %v, want no second nudge", got)
		}
		if topics := strings.Join(g.current(g.marcus).Topics(), " "); strings.Contains(topics, g.olivia.OriginatorUUID) {
			t.Error("the former deputy's open pages are still told of changes")
		}
	})
}

func TestDaysText(t *testing.T) {
	for _, tt := range []struct {
		first, last heloc.Date
		want        string
	}{
		{"2026-11-22", "2026-11-22", "Nov 22, 2026"}, {"2026-11-22", "2026-11-26", "Nov 22–26, 2026"},
		{"2026-11-28", "2026-12-02", "Nov 28–Dec 2, 2026"}, {"2026-12-30", "2027-01-02", "Dec 30, 2026–Jan 2, 2027"},
		{"", "", ""},
	} {
		if got := lead.DaysText(tt.first, tt.last); got != tt.want {
			t.Errorf("%s to %s: got %q, want %q", tt.first, tt.last, got, tt.want)
		}
	}
}
