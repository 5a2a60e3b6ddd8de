package desk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/team"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// absenceNotices lists a user's notifications about absences, newest first, as "kind: about".
func (h *harness) absenceNotices(who access.Actor) string {
	h.t.Helper()
	page, err := h.store.Notices(h.t.Context(), store.UserScopeOf(who), "")
	h.must(err)
	var all []string
	for _, n := range page.Notices {
		if n.App == "" {
			all = append(all, string(n.Kind)+": "+n.About)
		}
	}
	return strings.Join(all, "; ")
}

func (h *harness) wantAbsenceNotices(when string, who access.Actor, want string) {
	h.t.Helper()
	if got := h.absenceNotices(who); got != want {
		h.t.Errorf("%s, %s has the notifications %q, want %q", when, who.Name, got, want)
	}
}

func TestAbsence_CoverEndsOrChanges_WhoeverCoveredIsTold(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		a := g.absences(g.maya)
		coming := lead.DaysText(day(3), day(5))
		id := g.cover(g.olivia, g.marcus, 3, 5)
		g.wantAbsenceNotices("entered", g.marcus, "deputy: Olivia Bennett, "+coming)
		g.wantAbsenceNotices("entered", g.olivia, "absence: Marcus Reyes, "+coming)

		time.Sleep(time.Minute)
		g.must(a.Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: g.marcus.UserID, FirstDay: day(3), LastDay: day(5),
			Note: "Only a note"}))
		g.wantAbsenceNotices("only the note changed", g.marcus, "deputy: Olivia Bennett, "+coming)

		g.must(a.Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: g.marcus.UserID, FirstDay: day(3), LastDay: day(6)}))
		longer := lead.DaysText(day(3), day(6))
		g.wantAbsenceNotices("longer", g.marcus, "deputy: Olivia Bennett, "+longer)
		g.wantAbsenceNotices("longer", g.olivia, "absence-changed: Marcus Reyes, "+longer)

		time.Sleep(time.Minute)
		g.must(a.Delete(t.Context(), id))
		g.wantAbsenceNotices("deleted", g.marcus, "cover-ended: Olivia Bennett, "+longer)
		g.wantAbsenceNotices("deleted", g.olivia, "absence-deleted: "+longer)
	})
}

func TestAbsence_RunningCoverEnds_FormerDeputysLeadNotificationsAreRead(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		grace := g.addOriginator()
		id := g.cover(g.olivia, g.marcus, 0, 3)
		days := lead.DaysText(day(0), day(3))
		_, _, err := g.openLead(g.maya, app).Nudge(t.Context())
		g.must(err)
		unread := func(who access.Actor) bool {
			has, err := g.store.HasUnread(t.Context(), store.UserScopeOf(who), store.NoticeSelection{App: app})
			g.must(err)
			return has
		}
		if !unread(g.marcus) || !unread(g.olivia) {
			t.Fatal("the follow-up request is not unread")
		}
		time.Sleep(time.Hour)
		g.must(g.absences(g.maya).Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: grace.UserID, LastDay: day(3)}))
		g.wantAbsenceNotices("another deputy", g.marcus, "cover-ended: Olivia Bennett, "+days)
		g.wantAbsenceNotices("another deputy", grace, "deputy: Olivia Bennett, "+days)
		g.wantAbsenceNotices("another deputy", g.olivia, "absence-changed: "+grace.Name+", "+days)
		if unread(g.marcus) || !unread(g.olivia) {
			t.Error("the former deputy's notification about the lead is unread, or the originator's is not")
		}
		list, err := g.absences(g.maya).List(t.Context())
		g.must(err)
		if len(list.Open) != 1 || list.Open[0].Continued || len(list.Past) != 1 || !list.Past[0].Continued {
			t.Errorf("got %+v, want the past one continued by the other", list)
		}
		time.Sleep(time.Hour)
		g.must(g.absences(g.maya).End(t.Context(), list.Open[0].ID))
		g.wantAbsenceNotices("ended", grace, "cover-ended: Olivia Bennett, "+days)
		g.wantAbsenceNotices("ended", g.olivia, "absence-ended: "+days)
	})
}

func TestAbsence_AccountCloses_OtherSideIsToldAndComingAbsenceStaysUncovered(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.addAdmin("other")
		grace := g.addOriginator()
		g.cover(g.olivia, g.marcus, 3, 5)
		time.Sleep(time.Minute)
		g.cover(grace, g.olivia, 8, 9)
		days, other := lead.DaysText(day(3), day(5)), lead.DaysText(day(8), day(9))
		time.Sleep(time.Minute)
		g.must(g.team(g.maya).Offboard(t.Context(), g.marcus.UserID, team.OffboardOptions{}))
		list, err := g.absences(g.maya).List(t.Context())
		g.must(err)
		if len(list.Open) != 2 || list.Open[0].UserID != g.olivia.UserID || !list.Open[0].Uncovered(list.Now) ||
			list.Open[1].Uncovered(list.Now) {
			t.Fatalf("got %+v, want Olivia's absence without cover", list.Open)
		}
		g.wantAbsenceNotices("the deputy's account closed", g.olivia,
			"uncovered: Marcus Reyes, "+days+"; deputy: "+grace.Name+", "+other)
		g.wantAbsenceNotices("the deputy's account closed", g.marcus, "")
		time.Sleep(time.Minute)
		g.must(g.absences(g.maya).Save(t.Context(),
			team.AbsenceRequest{ID: list.Open[0].ID, Deputy: grace.UserID, FirstDay: day(3), LastDay: day(5)}))
		g.wantAbsenceNotices("another deputy", g.olivia,
			"absence-changed: "+grace.Name+", "+days+"; deputy: "+grace.Name+", "+other)

		g.must(g.team(g.maya).Offboard(t.Context(), g.olivia.UserID, team.OffboardOptions{}))
		if got := g.absenceNotices(grace); !strings.Contains(got, "cover-ended: Olivia Bennett, "+days) ||
			strings.Contains(got, "deputy: Olivia") || !strings.Contains(got, "uncovered: Olivia Bennett, "+other) {
			t.Errorf("after the absent user's account closed: got %q", got)
		}
	})
}

// wantMails checks the emails in the outbox as "email: subject", in any order.
func (h *harness) wantMails(when string, want ...string) {
	h.t.Helper()
	all, err := h.deskDeps.Accounts.Outbox(h.t.Context())
	h.must(err)
	var got []string
	for _, m := range all {
		got = append(got, m.To+": "+m.Subject)
		if strings.Contains(m.Text, "Rivera") {
			h.t.Errorf("%s, the email names a borrower: %s", when, m.Text)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		h.t.Errorf("%s: got the emails %q, want %q", when, got, want)
	}
}

func TestAbsence_CoverAskedChangedAndEnded_DeputyIsEmailed(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.start(g.olivia, "Rivera")
		grace := g.addOriginator()
		a := g.absences(g.maya)
		asked, changed, ended := ": You were asked to cover for Olivia Bennett",
			": The days you cover for Olivia Bennett were changed", ": You no longer cover for Olivia Bennett"
		id := g.cover(g.olivia, g.marcus, 3, 5)
		want := []string{g.marcus.Email + asked}
		g.wantMails("entered", want...)
		time.Sleep(time.Minute)
		g.must(a.Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: g.marcus.UserID, FirstDay: day(3), LastDay: day(5),
			Note: "Only a note"}))
		g.wantMails("only the note changed", want...)
		g.must(a.Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: g.marcus.UserID, FirstDay: day(3), LastDay: day(6)}))
		want = append([]string{g.marcus.Email + changed}, want...)
		g.wantMails("longer", want...)
		time.Sleep(time.Minute)
		g.must(a.Save(t.Context(), team.AbsenceRequest{ID: id, Deputy: grace.UserID, FirstDay: day(3), LastDay: day(6)}))
		want = append([]string{grace.Email + asked, g.marcus.Email + ended}, want...)
		g.wantMails("another deputy", want...)
		time.Sleep(time.Minute)
		g.must(g.team(g.maya).Offboard(t.Context(), g.olivia.UserID, team.OffboardOptions{LeaveUnassigned: true}))
		want = append([]string{grace.Email + ended}, want...)
		g.wantMails("the absent user's account closed", want...)

		time.Sleep(time.Minute)
		id = g.cover(grace, g.maya, 3, 5)
		g.wantMails("a deputy who entered it", want...)
		g.must(a.Delete(t.Context(), id))
		g.wantMails("a deputy who deleted it", want...)
	})
}
