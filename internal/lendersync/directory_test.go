package lendersync

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// setDirectoryAnswer makes the lender answer every read of the directory with the body for its offset.
func (h *harness) setDirectoryAnswer(body func(offset int) string) {
	h.transport.set(nil, func(r *http.Request) string {
		if !strings.Contains(r.URL.Path, "/loan-originator") {
			return ""
		}
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		return body(offset)
	})
}

// setDirectory makes the lender's directory list these originators.
func (h *harness) setDirectory(all []heloc.Originator) {
	h.setDirectoryAnswer(func(offset int) string { return h.page(all, offset) })
}

func (h *harness) page(all []heloc.Originator, offset int) string {
	rows := all[min(offset, len(all)):min(offset+100, len(all))]
	text, err := json.Marshal(map[string]any{"data": rows, "total": len(all), "count": len(rows)})
	h.must(err)
	return string(text)
}

// without returns the sandbox's originators except the given ones.
func (h *harness) without(gone ...heloc.Originator) []heloc.Originator {
	return slices.DeleteFunc(slices.Clone(h.lender.Originators()), func(o heloc.Originator) bool {
		return slices.ContainsFunc(gone, func(g heloc.Originator) bool { return g.ID == o.ID })
	})
}

// syncAfter reads the directory after some time.
func (h *harness) syncAfter(d time.Duration) {
	h.t.Helper()
	time.Sleep(d)
	h.must(h.service.SyncDirectory(h.t.Context()))
}

func (h *harness) removedCount() (n int) {
	h.t.Helper()
	all, err := h.store.AllOriginators(h.t.Context())
	h.must(err)
	for _, o := range all {
		if o.RemovedAt != 0 {
			n++
		}
	}
	return n
}

func (h *harness) disabled(userID string) bool {
	h.t.Helper()
	user, err := h.store.User(h.t.Context(), userID)
	h.must(err)
	return user.Disabled
}

// TestSyncDirectory_UnusableAnswer_RemovesNobody reads incomplete lists of originators, far enough apart that an
// absence would count.
func TestSyncDirectory_UnusableAnswer_RemovesNobody(t *testing.T) {
	t.Parallel()
	const nulls = `{"data":[{"loanOriginatorId":null,"email":null,"firstName":null,"lastName":null,` +
		`"organization":null}],"total":1,"count":1}`
	row := func(g *harness, change func(row map[string]any)) string {
		raw, err := json.Marshal(g.originators[1])
		g.must(err)
		var one map[string]any
		g.must(json.Unmarshal(raw, &one))
		change(one)
		text, err := json.Marshal(map[string]any{"data": []any{one}, "total": 1, "count": 1})
		g.must(err)
		return string(text)
	}
	second := func(body string) func(g *harness, offset int) string {
		return func(g *harness, offset int) string {
			if offset == 0 {
				return g.page(g.lender.Originators(), 0)
			}
			return body
		}
	}
	for name, body := range map[string]func(g *harness, offset int) string{
		"a row of nulls":          func(*harness, int) string { return nulls },
		"nobody":                  func(*harness, int) string { return `{"data":[],"total":0,"count":0}` },
		"no object":               func(*harness, int) string { return `[]` },
		"no data":                 func(*harness, int) string { return `{"total":0,"count":0}` },
		"data that is not a list": func(*harness, int) string { return `{"data":{},"total":1,"count":1}` },
		"no total": func(g *harness, _ int) string {
			return strings.Replace(g.page(g.originators[1:2], 0), `"total"`, `"all"`, 1)
		},
		"a total that is not a number": func(g *harness, _ int) string {
			return strings.Replace(g.page(g.originators[1:2], 0), `"total":1`, `"total":"one"`, 1)
		},
		"a count of other rows": func(g *harness, _ int) string {
			return strings.Replace(g.page(g.originators[1:2], 0), `"count":1`, `"count":2`, 1)
		},
		"an empty second page":       second(`{}`),
		"an error as a second page":  second(`{"messages":[{"level":"ERROR","message":"try again"}]}`),
		"no rows on the second page": second(`{"data":[],"total":120,"count":0}`),
		"another total on the second page": func(g *harness, offset int) string {
			if offset == 0 {
				return g.page(g.lender.Originators(), 0)
			}
			return g.page(g.without(g.originators[0]), offset)
		},
		"the same page twice": func(g *harness, _ int) string { return g.page(g.lender.Originators(), 0) },
		"an id that is not a UUID": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["loanOriginatorId"] = "<script>alert(1)</script>" })
		},
		"no organization": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { delete(o, "organization") })
		},
		"half a broker company": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["brokerCompany"] = map[string]any{"brokerName": "X"} })
		},
		"a broker company that is a string": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["brokerCompany"] = "Summit" })
		},
		"a broker id that is not a UUID": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["brokerCompany"].(map[string]any)["brokerId"] = "7" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				app := g.startAndRead("Rivera")
				g.setDirectoryAnswer(func(offset int) string { return body(g, offset) })
				for range 3 {
					time.Sleep(11 * time.Minute)
					_ = g.service.SyncDirectory(t.Context()) // it may fail
				}
				if n := g.removedCount(); n != 0 {
					t.Errorf("got %d removed originators, want none", n)
				}
				if l := g.lead(app); l.Originator != g.originators[0].ID {
					t.Errorf("got originator %q of the lead, want %q", l.Originator, g.originators[0].ID)
				}
				if g.disabled("olivia") {
					t.Error("the account is closed")
				}
				o, err := g.store.Originator(t.Context(), g.originators[1].ID)
				g.must(err)
				if o.BrokerID != g.originators[1].Broker.ID {
					t.Errorf("got the company %q, want %q", o.BrokerID, g.originators[1].Broker.ID)
				}
			})
		})
	}
}

func TestSyncDirectory_AbsentInOneRead_StaysUntilASecondTenMinutesLater(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(9 * time.Minute)
		if g.removedCount() != 0 || g.disabled("olivia") || g.lead(app).Originator == "" {
			t.Fatal("an absence of nine minutes counts")
		}
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Second)
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(2 * time.Minute)
		if g.removedCount() != 0 {
			t.Fatal("an absence counts although the originator was listed in between")
		}
		// An incomplete read confirms nothing.
		g.setDirectoryAnswer(func(int) string { return `{"data":[],"total":1,"count":0}` })
		time.Sleep(10 * time.Minute)
		if err := g.service.SyncDirectory(t.Context()); err == nil {
			t.Error("a read of nothing succeeds")
		}
		if g.removedCount() != 0 {
			t.Fatal("an incomplete read confirms an absence")
		}
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Second)
		if g.removedCount() != 1 || !g.disabled("olivia") || g.lead(app).Originator != "" {
			t.Errorf("after two complete reads: %d removed, account closed %v, lead with %q",
				g.removedCount(), g.disabled("olivia"), g.lead(app).Originator)
		}
	})
}

func TestSyncDirectory_ListedAgain_EverythingComesBack(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app, reassigned := g.startAndRead("Rivera"), g.startAndRead("Okafor")
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if !g.disabled("olivia") || g.lead(app).Originator != "" {
			t.Fatal("nothing was closed")
		}
		g.assignLead(reassigned, g.originators[1].ID) // meanwhile a manager has reassigned this one to a colleague
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		if g.disabled("olivia") || g.removedCount() != 0 {
			t.Error("the account stays closed")
		}
		if got := g.lead(app).Originator; got != g.originators[0].ID {
			t.Errorf("got originator %q of the lead, want %q", got, g.originators[0].ID)
		}
		if got := g.lead(reassigned).Originator; got != g.originators[1].ID {
			t.Errorf("the lead of a colleague has the originator %q, want %q", got, g.originators[1].ID)
		}
	})
}

func TestSyncDirectory_ClosedByAnAdministrator_StaysClosedWhenListedAgain(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.must(g.store.DisableUser(t.Context(), "olivia"))
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		if !g.disabled("olivia") {
			t.Error("the account is open again")
		}
	})
}

// changes lists the originators with a directory change in a state.
func (h *harness) changes(state lead.ChangeState) (ids []heloc.OriginatorID) {
	h.t.Helper()
	all, err := h.store.DirectoryChanges(h.t.Context())
	h.must(err)
	for _, c := range all {
		if c.State == state {
			ids = append(ids, c.Originator)
		}
	}
	return ids
}

// directoryNotices counts a user's notifications of one kind, or of all kinds.
func (h *harness) directoryNotices(userID string, kind lead.NoticeKind) (n int) {
	h.t.Helper()
	user, err := h.store.User(h.t.Context(), userID)
	h.must(err)
	page, err := h.store.Notices(h.t.Context(), store.UserScopeOf(user.Actor), "")
	h.must(err)
	for _, one := range page.Notices {
		if kind == "" || one.Kind == kind {
			n++
		}
	}
	return n
}

func TestSyncDirectory_ManyAbsent_NothingHappensUntilAnAdministratorDecides(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		before := g.directoryNotices("olivia", "")
		seven := g.lender.Originators()[:7]
		if !slices.ContainsFunc(seven, func(o heloc.Originator) bool { return o.ID == g.originators[0].ID }) {
			seven[0] = g.originators[0]
		}
		g.setDirectory(g.without(seven...))
		for range 4 {
			g.syncAfter(time.Hour)
		}
		if n := g.removedCount(); n != 0 || g.disabled("olivia") || g.lead(app).Originator != g.originators[0].ID ||
			g.directoryNotices("olivia", "") != before {
			t.Errorf("got %d removed and the lead with %q, want no change", n, g.lead(app).Originator)
		}
		if got := len(g.changes(lead.ChangeWaiting)); got != 7 {
			t.Errorf("got %d waiting changes, want seven", got)
		}
		if n := g.directoryNotices("admin", lead.NoticeDirectory); n != 1 {
			t.Errorf("got %d notifications of the administrator, want one", n)
		}
		// One of them is back. Six of 120 are not too many, but they wait on: that fewer are missing does
		// not mean that the directory is right about the others.
		g.setDirectory(g.without(slices.DeleteFunc(slices.Clone(seven),
			func(o heloc.Originator) bool { return o.ID == g.originators[0].ID })...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if n := len(g.changes(lead.ChangeWaiting)); n != 6 || g.removedCount() != 0 || g.disabled("olivia") ||
			g.directoryNotices("admin", lead.NoticeDirectory) != 1 {
			t.Errorf("%d wait and %d are gone, want six and none", n, g.removedCount())
		}
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		if n := len(g.changes(lead.ChangeWaiting)); n != 0 || g.removedCount() != 0 {
			t.Errorf("all are listed: %d wait and %d are gone", n, g.removedCount())
		}
		if n := g.directoryNotices("admin", lead.NoticeDirectory); n != 0 {
			t.Errorf("the administrator still has %d notifications", n)
		}
	})
}

func TestSyncDirectory_ManyInAnotherCompany_WaitAndClearThemselves(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		bare := slices.Clone(g.lender.Originators())
		for i := range bare {
			bare[i].Broker = nil
		}
		g.setDirectory(bare)
		g.syncAfter(time.Hour)
		if l := g.lead(app); l.Originator != g.originators[0].ID || len(g.changes(lead.ChangeWaiting)) < 100 ||
			g.directoryNotices("admin", lead.NoticeDirectory) != 1 {
			t.Errorf("the lead has %q, and %d changes are waiting", l.Originator, len(g.changes(lead.ChangeWaiting)))
		}
		o, err := g.store.Originator(t.Context(), g.originators[0].ID)
		g.must(err)
		if o.BrokerID != g.originators[0].Broker.ID {
			t.Errorf("got the company %q, want the former one", o.BrokerID)
		}
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		if n := len(g.changes(lead.ChangeWaiting)); n != 0 || g.directoryNotices("admin", lead.NoticeDirectory) != 0 {
			t.Errorf("got %d waiting changes, want none", n)
		}
	})
}

// TestSyncDirectory_Approved_AppliesToWhoWasShownAndIsStillAbsent approves ten removals. One originator is back, and
// another one, who was not shown, is also absent.
func TestSyncDirectory_Approved_AppliesToWhoWasShownAndIsStillAbsent(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		all := g.lender.Originators()
		g.setDirectory(g.without(all[20:30]...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.decide(lead.ChangeApproved)
		g.setDirectory(g.without(all[21:31]...))
		g.syncAfter(time.Hour)
		if n := g.removedCount(); n != 9 {
			t.Errorf("got %d removed, want the nine who are still absent", n)
		}
		if back, err := g.store.Originator(t.Context(), all[20].ID); err != nil || back.RemovedAt != 0 ||
			len(g.changes(lead.ChangeApproved)) != 0 {
			t.Errorf("the relisted originator is removed at %d, and %d approvals remain",
				back.RemovedAt, len(g.changes(lead.ChangeApproved)))
		}
	})
}

func TestSyncDirectory_Disregarded_NobodyIsRemovedUntilSeenAgain(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		all := g.lender.Originators()
		g.setDirectory(g.without(all[20:30]...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.decide(lead.ChangeDisregarded)
		g.setDirectory(g.without(append([]heloc.Originator{g.originators[0]}, all[20:30]...)...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if n := g.removedCount(); n != 1 || !g.disabled("olivia") || len(g.changes(lead.ChangeDisregarded)) != 10 {
			t.Errorf("got %d removed, want only the later one", n)
		}
		if n := g.directoryNotices("admin", lead.NoticeDirectory); n != 1 {
			t.Errorf("got %d notifications of the administrator, want one", n)
		}
		g.setDirectory(all)
		g.syncAfter(time.Hour)
		if n := len(g.changes(lead.ChangeDisregarded)); n != 0 || g.removedCount() != 0 {
			t.Errorf("%d are still disregarded, and %d removed", n, g.removedCount())
		}
	})
}

// TestReturnOriginator_StillNotListed_StaysReturned undoes the closure of an originator that the directory does not
// list, as an administrator does.
func TestReturnOriginator_StillNotListed_StaysReturned(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.write(func(tx *store.Tx) error {
			if err := tx.ReturnOriginator(t.Context(), "admin", g.originators[0].ID, time.Now()); err != nil {
				return err
			}
			return tx.SaveDirectoryChange(t.Context(),
				lead.DirectoryChange{Originator: g.originators[0].ID, State: lead.ChangeDisregarded})
		})
		for range 4 {
			g.syncAfter(time.Hour)
		}
		if g.disabled("olivia") || g.lead(app).Originator != g.originators[0].ID || g.removedCount() != 0 {
			t.Error("the account was closed again")
		}
	})
}

// decide decides all waiting changes.
func (h *harness) decide(to lead.ChangeState) {
	h.t.Helper()
	h.write(func(tx *store.Tx) error {
		all, err := tx.DirectoryChanges(h.t.Context())
		for _, c := range all {
			if c.State = to; err == nil {
				err = tx.SaveDirectoryChange(h.t.Context(), c)
			}
		}
		return err
	})
}

func (h *harness) addAdmin() {
	h.t.Helper()
	h.must(h.store.AddUser(h.t.Context(),
		access.User{Actor: access.Actor{UserID: "admin", Email: "admin@test", Name: "Ad Min", Role: access.Admin}}, ""))
}

// assignLead assigns a lead to an originator, as a reassignment does.
func (h *harness) assignLead(app heloc.AppID, to heloc.OriginatorID) {
	h.t.Helper()
	h.write(func(tx *store.Tx) error {
		l, err := tx.AnyLead(h.t.Context(), app)
		if err != nil {
			return err
		}
		l.Originator = to
		return tx.SaveLead(h.t.Context(), &l, time.Now(), true)
	})
}
