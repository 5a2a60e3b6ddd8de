package desk_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/admin"
	"hearthline/internal/desk/team"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// setDirectory makes the lender's directory list these originators.
func (h *harness) setDirectory(all []heloc.Originator) {
	h.transport.handler = listing(h.lender.Handler(), all)
}

// listing answers requests for originators with these, and everything else like the sandbox.
func listing(sandbox http.Handler, all []heloc.Originator) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "/loan-originator") {
			sandbox.ServeHTTP(w, r)
			return
		}
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		rows := all[min(offset, len(all)):min(offset+100, len(all))]
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"data": rows, "total": len(all), "count": len(rows)})
	})
}

// removeFromDirectory removes an originator from the lender's directory, until two reads have noticed.
func (h *harness) removeFromDirectory(who access.Actor) {
	h.t.Helper()
	h.setDirectory(slices.DeleteFunc(slices.Clone(h.lender.Originators()), func(o heloc.Originator) bool {
		return string(o.ID) == who.OriginatorUUID
	}))
	for range 2 {
		time.Sleep(11 * time.Minute)
		h.must(h.sync.SyncDirectory(h.t.Context()))
	}
}

// closings are the ways in which Olivia's account can close; the first manager does not act.
func closings(second access.Actor) map[string]func(g *harness) error {
	return map[string]func(g *harness) error{
		"administrator": func(g *harness) error {
			return g.people(g.admin).Close(g.t.Context(), g.olivia.UserID, admin.CloseOptions{})
		},
		"manager": func(g *harness) error {
			return g.team(second).Offboard(g.t.Context(), g.olivia.UserID, team.OffboardOptions{LeaveUnassigned: true})
		},
		"directory": func(g *harness) error { g.removeFromDirectory(g.olivia); return nil },
		"command line": func(g *harness) error {
			return g.deskDeps.Accounts.Disable(g.t.Context(), g.olivia.Email)
		},
	}
}

// closedState describes everything that the closing of Olivia's account changes for others.
func (h *harness) closedState(app heloc.AppID) string {
	h.t.Helper()
	user, err := h.store.User(h.t.Context(), h.olivia.UserID)
	h.must(err)
	row, err := h.store.AnyLead(h.t.Context(), app)
	h.must(err)
	queue, err := h.team(h.maya).Unassigned(h.t.Context(), "")
	h.must(err)
	state := []string{
		"disabled:" + strconv.FormatBool(user.Disabled),
		"originator:" + string(row.Originator), "former:" + string(row.FormerOriginator),
	}
	for _, l := range queue.Leads {
		state = append(state, "queue:"+strconv.FormatBool(l.App == app))
	}
	departures, err := h.service.For(h.maya).Departures()
	h.must(err)
	departed, _, err := departures.List(h.t.Context())
	h.must(err)
	for _, d := range departed {
		state = append(state, "departed:"+d.Name+" "+strconv.Itoa(d.Leads)+" leads")
	}
	page, err := h.store.Notices(h.t.Context(), store.UserScopeOf(h.maya), "")
	h.must(err)
	for _, n := range page.Notices {
		if n.Kind == lead.NoticeDeparted {
			state = append(state, "manager:"+n.ByName+" "+strconv.Itoa(n.N))
		}
	}
	running, err := h.store.OpenAbsences(h.t.Context(), store.UserScopeOf(h.maya).Company)
	h.must(err)
	covering := string(h.current(h.marcus).Covering)
	state = append(state, "running absences:"+strconv.Itoa(len(running)), "deputy:"+h.absenceNotices(h.marcus))
	state = append(state, "covers:"+covering)
	mails, err := h.deskDeps.Accounts.Outbox(h.t.Context())
	h.must(err)
	for _, m := range mails {
		if strings.Contains(m.Subject, "no longer cover") {
			state = append(state, "mail:"+m.To)
		}
	}
	return strings.Join(state, "\n")
}

// TestCloseAccount_EveryWay_SameState closes the account of an originator who is absent, covered, and has an open lead.
func TestCloseAccount_EveryWay_SameState(t *testing.T) {
	t.Parallel()
	for name := range closings(access.Actor{}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, true, func(t *testing.T, g *harness) {
				g.addAdmin("other") // with the services of accounts
				g.sync.CoverMail = g.deskDeps.Accounts
				second := g.maya
				second.UserID, second.Email, second.OriginatorUUID = "second", "second@summit.test", ""
				g.must(g.store.AddUser(t.Context(), access.User{Actor: second}, ""))
				app := g.start(g.olivia, "Rivera-Match")
				g.cover(g.olivia, g.marcus, 0, 5)
				days := lead.DaysText(day(0), day(5))
				g.must(closings(second)[name](g))
				want := strings.Join([]string{
					"disabled:true", "originator:", "former:" + g.olivia.OriginatorUUID, "queue:true",
					"departed:Olivia Bennett 1 leads", "manager:Olivia Bennett 1", "running absences:0",
					"deputy:cover-ended: Olivia Bennett, " + days, "covers:", "mail:" + g.marcus.Email,
				}, "\n")
				if got := g.closedState(app); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				time.Sleep(time.Minute)
				g.must(g.sync.Refresh(t.Context(), app)) // the lender still names the former originator
				if row, err := g.store.AnyLead(t.Context(), app); err != nil || row.Originator != "" {
					t.Errorf("after the next reading, the lead is %q's, %v", row.Originator, err)
				}
				g.setDirectory(g.lender.Originators())
				g.must(g.people(g.admin).Reopen(t.Context(), g.olivia.UserID, ""))
				if row, err := g.store.AnyLead(t.Context(), app); err != nil || string(row.Originator) != g.olivia.OriginatorUUID {
					t.Errorf("after the account was reopened, the lead is %q's, %v, want Olivia's", row.Originator, err)
				}
			})
		})
	}
}

// TestLead_OfClosedAccount_GoesToTheQueue: a lead that is new or open again after its originator's account closed does
// not stay with them, and neither does one that the lender gives them.
func TestLead_OfClosedAccount_GoesToTheQueue(t *testing.T) {
	t.Parallel()
	disable := func(g *harness) { g.must(g.deskDeps.Accounts.Disable(g.t.Context(), g.olivia.Email)) }
	for name, make := range map[string]func(g *harness) heloc.AppID{
		"reopened": func(g *harness) heloc.AppID {
			app := g.start(g.olivia, "Rivera-None")
			g.must(g.openLead(g.olivia, app).SetAside(g.t.Context(), true))
			disable(g)
			g.must(g.openLead(g.maya, app).SetAside(g.t.Context(), false))
			return app
		},
		"adopted": func(g *harness) heloc.AppID {
			inquiry := g.form(g.intake(g.olivia), "Rivera-Match").Inquiry
			start := partner.Start{Originator: heloc.OriginatorID(g.olivia.OriginatorUUID), Inquiry: inquiry}
			started, err := g.deskDeps.Lender.Start(g.t.Context(), start)
			g.must(err)
			disable(g)
			_, err = g.pipeline(g.maya).Adopt(g.t.Context(), string(started.AppUUID))
			g.must(err)
			return started.AppUUID
		},
		"started, with a lost response": func(g *harness) heloc.AppID {
			in := g.intake(g.olivia)
			_, err := in.Start(g.t.Context(), g.form(in, "Rivera-Lost"))
			g.must(err)
			disable(g)
			app := g.lender.Inquiries()[0].AppUUID
			_, err = g.pipeline(g.maya).Adopt(g.t.Context(), string(app))
			g.must(err)
			return app
		},
		"the lender gives it": func(g *harness) heloc.AppID {
			app := g.start(g.marcus, "Rivera-Match")
			disable(g)
			g.must(g.reassignAtLender(app, g.olivia))
			time.Sleep(time.Minute)
			g.readTwice(app)
			return app
		},
		"another role": func(g *harness) heloc.AppID {
			app := g.start(g.olivia, "Rivera-Match")
			g.must(g.setRole(g.olivia.UserID, access.Admin))
			return app
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, true, func(t *testing.T, g *harness) {
				g.addAdmin("other")
				app := make(g)
				queue, err := g.team(g.maya).Unassigned(t.Context(), "")
				g.must(err)
				if len(queue.Leads) != 1 || queue.Leads[0].App != app {
					row, _ := g.store.AnyLead(t.Context(), app)
					t.Errorf("got %d leads in the queue, want this one; it is %q's", len(queue.Leads), row.Originator)
				}
			})
		})
	}
}

// reassignAtLender moves a lead at the lender, without the portal.
func (h *harness) reassignAtLender(app heloc.AppID, to access.Actor) error {
	_, err := h.deskDeps.Lender.Reassign(h.t.Context(), app, heloc.OriginatorID(to.OriginatorUUID))
	return err
}
