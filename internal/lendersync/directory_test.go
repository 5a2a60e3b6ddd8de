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
	"hearthline/internal/store"
)

// answersDirectory answers every read of the directory with what body returns for its offset.
func (g *harness) answersDirectory(body func(offset int) string) {
	g.transport.set(nil, func(r *http.Request) string {
		if !strings.Contains(r.URL.Path, "/loan-originator") {
			return ""
		}
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		return body(offset)
	})
}

// lists makes the lender's directory list these originators.
func (g *harness) lists(all []heloc.Originator) {
	g.answersDirectory(func(offset int) string { return g.page(all, offset) })
}

func (g *harness) page(all []heloc.Originator, offset int) string {
	rows := all[min(offset, len(all)):min(offset+100, len(all))]
	text, err := json.Marshal(map[string]any{"data": rows, "total": len(all), "count": len(rows)})
	g.must(err)
	return string(text)
}

// without are all originators of the sandbox but some.
func (g *harness) without(gone ...heloc.Originator) []heloc.Originator {
	return slices.DeleteFunc(slices.Clone(g.lender.Originators()), func(o heloc.Originator) bool {
		return slices.ContainsFunc(gone, func(g heloc.Originator) bool { return g.ID == o.ID })
	})
}

// later reads the directory after some time.
func (g *harness) later(d time.Duration) {
	g.t.Helper()
	time.Sleep(d)
	g.must(g.service.SyncDirectory(g.t.Context()))
}

func (g *harness) goneCount() (n int) {
	g.t.Helper()
	all, err := g.store.AllOriginators(g.t.Context())
	g.must(err)
	for _, o := range all {
		if o.RemovedAt != 0 {
			n++
		}
	}
	return n
}

func (g *harness) disabled(userID string) bool {
	g.t.Helper()
	user, err := g.store.User(g.t.Context(), userID)
	g.must(err)
	return user.Disabled
}

// TestSyncDirectory_UnusableAnswer_RemovesNobody reads answers that are no complete list of
// originators, each long enough apart that an absence would count.
func TestSyncDirectory_UnusableAnswer_RemovesNobody(t *testing.T) {
	const nulls = `{"data":[{"loanOriginatorId":null,"email":null,"firstName":null,"lastName":null,"organization":null}],"total":1,"count":1}`
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
		"a row of nulls":       func(*harness, int) string { return nulls },
		"nobody":               func(*harness, int) string { return `{"data":[],"total":0,"count":0}` },
		"no object":            func(*harness, int) string { return `[]` },
		"no data":              func(*harness, int) string { return `{"total":0,"count":0}` },
		"data that is no list": func(*harness, int) string { return `{"data":{},"total":1,"count":1}` },
		"no total": func(g *harness, _ int) string {
			return strings.Replace(g.page(g.originators[1:2], 0), `"total"`, `"all"`, 1)
		},
		"a total that is no number": func(g *harness, _ int) string {
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
		"an id that is no UUID": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["loanOriginatorId"] = "<script>alert(1)</script>" })
		},
		"no organization": func(g *harness, _ int) string { return row(g, func(o map[string]any) { delete(o, "organization") }) },
		"half a broker company": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["brokerCompany"] = map[string]any{"brokerName": "X"} })
		},
		"a broker company in a word": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["brokerCompany"] = "Summit" })
		},
		"a broker id that is no UUID": func(g *harness, _ int) string {
			return row(g, func(o map[string]any) { o["brokerCompany"].(map[string]any)["brokerId"] = "7" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				app := g.startAndRead("Rivera")
				g.answersDirectory(func(offset int) string { return body(g, offset) })
				for range 3 {
					time.Sleep(11 * time.Minute)
					_ = g.service.SyncDirectory(t.Context()) // whether it fails or not
				}
				if n := g.goneCount(); n != 0 {
					t.Errorf("%d originators are gone, want nobody", n)
				}
				if l := g.lead(app); l.Originator != g.originators[0].ID {
					t.Errorf("the lead has the originator %q, want %q", l.Originator, g.originators[0].ID)
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
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.lists(g.without(g.originators[0]))
		g.later(time.Hour)
		g.later(9 * time.Minute)
		if g.goneCount() != 0 || g.disabled("olivia") || g.lead(app).Originator == "" {
			t.Fatal("an absence of nine minutes counts")
		}
		g.lists(g.lender.Originators())
		g.later(time.Second)
		g.lists(g.without(g.originators[0]))
		g.later(2 * time.Minute)
		if g.goneCount() != 0 {
			t.Fatal("an absence counts although the originator was listed in between")
		}
		// A read that is not complete confirms nothing.
		g.answersDirectory(func(int) string { return `{"data":[],"total":1,"count":0}` })
		time.Sleep(10 * time.Minute)
		if err := g.service.SyncDirectory(t.Context()); err == nil {
			t.Error("a read of nothing succeeds")
		}
		if g.goneCount() != 0 {
			t.Fatal("an incomplete read confirms an absence")
		}
		g.lists(g.without(g.originators[0]))
		g.later(time.Second)
		if g.goneCount() != 1 || !g.disabled("olivia") || g.lead(app).Originator != "" {
			t.Errorf("after two complete reads: %d gone, account closed %v, lead with %q", g.goneCount(), g.disabled("olivia"), g.lead(app).Originator)
		}
	})
}

func TestSyncDirectory_ListedAgain_EverythingComesBack(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app, handed := g.startAndRead("Rivera"), g.startAndRead("Okafor")
		g.lists(g.without(g.originators[0]))
		g.later(time.Hour)
		g.later(time.Hour)
		if !g.disabled("olivia") || g.lead(app).Originator != "" {
			t.Fatal("nothing was closed")
		}
		g.edit(handed, g.originators[1].ID) // a manager has given this one to a colleague meanwhile
		g.lists(g.lender.Originators())
		g.later(time.Hour)
		if g.disabled("olivia") || g.goneCount() != 0 {
			t.Error("the account stays closed")
		}
		if got := g.lead(app).Originator; got != g.originators[0].ID {
			t.Errorf("the lead has the originator %q, want %q", got, g.originators[0].ID)
		}
		if got := g.lead(handed).Originator; got != g.originators[1].ID {
			t.Errorf("the lead of a colleague has the originator %q, want %q", got, g.originators[1].ID)
		}
	})
}

func TestSyncDirectory_ClosedByAnAdministrator_StaysClosedWhenListedAgain(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.must(g.store.DisableUser(t.Context(), "olivia"))
		g.lists(g.without(g.originators[0]))
		g.later(time.Hour)
		g.later(time.Hour)
		g.lists(g.lender.Originators())
		g.later(time.Hour)
		if !g.disabled("olivia") {
			t.Error("the account is open again")
		}
	})
}

// changes lists who is held back from a change of the directory, in some state.
func (g *harness) changes(state store.ChangeState) (ids []heloc.OriginatorID) {
	g.t.Helper()
	all, err := g.store.DirectoryChanges(g.t.Context())
	g.must(err)
	for _, c := range all {
		if c.State == state {
			ids = append(ids, c.Originator)
		}
	}
	return ids
}

// directoryNotices counts what a person was told, of one kind or of any.
func (g *harness) directoryNotices(userID string, kind store.NoticeKind) (n int) {
	g.t.Helper()
	user, err := g.store.User(g.t.Context(), userID)
	g.must(err)
	page, err := g.store.Notices(g.t.Context(), store.UserScopeOf(user.Actor), "")
	g.must(err)
	for _, one := range page.Notices {
		if kind == "" || one.Kind == kind {
			n++
		}
	}
	return n
}

func TestSyncDirectory_ManyAbsent_NothingHappensUntilAnAdministratorDecides(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		told := g.directoryNotices("olivia", "")
		seven := g.lender.Originators()[:7]
		if !slices.ContainsFunc(seven, func(o heloc.Originator) bool { return o.ID == g.originators[0].ID }) {
			seven[0] = g.originators[0]
		}
		g.lists(g.without(seven...))
		for range 4 {
			g.later(time.Hour)
		}
		if n := g.goneCount(); n != 0 || g.disabled("olivia") || g.lead(app).Originator != g.originators[0].ID || g.directoryNotices("olivia", "") != told {
			t.Errorf("something happened: %d are gone, the lead has %q", n, g.lead(app).Originator)
		}
		if got := len(g.changes(store.ChangeWaiting)); got != 7 {
			t.Errorf("%d changes wait, want seven", got)
		}
		if n := g.directoryNotices("admin", store.NoticeDirectory); n != 1 {
			t.Errorf("the administrator was told %d times, want once", n)
		}
		// One of them is back. Six of 120 are not too many, but they wait on: that fewer are missing does
		// not mean that the directory is right about the others.
		g.lists(g.without(slices.DeleteFunc(slices.Clone(seven), func(o heloc.Originator) bool { return o.ID == g.originators[0].ID })...))
		g.later(time.Hour)
		g.later(time.Hour)
		if n := len(g.changes(store.ChangeWaiting)); n != 6 || g.goneCount() != 0 || g.disabled("olivia") || g.directoryNotices("admin", store.NoticeDirectory) != 1 {
			t.Errorf("%d wait and %d are gone, want six and none", n, g.goneCount())
		}
		g.lists(g.lender.Originators())
		g.later(time.Hour)
		if n := len(g.changes(store.ChangeWaiting)); n != 0 || g.goneCount() != 0 {
			t.Errorf("all are listed: %d wait and %d are gone", n, g.goneCount())
		}
		if n := g.directoryNotices("admin", store.NoticeDirectory); n != 0 {
			t.Errorf("the administrator still reads %d notices", n)
		}
	})
}

func TestSyncDirectory_ManyInAnotherCompany_WaitAndClearThemselves(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		bare := slices.Clone(g.lender.Originators())
		for i := range bare {
			bare[i].Broker = nil
		}
		g.lists(bare)
		g.later(time.Hour)
		if l := g.lead(app); l.Originator != g.originators[0].ID || len(g.changes(store.ChangeWaiting)) < 100 || g.directoryNotices("admin", store.NoticeDirectory) != 1 {
			t.Errorf("the lead has %q, and %d changes wait", l.Originator, len(g.changes(store.ChangeWaiting)))
		}
		o, err := g.store.Originator(t.Context(), g.originators[0].ID)
		g.must(err)
		if o.BrokerID != g.originators[0].Broker.ID {
			t.Errorf("got the company %q, want the former one", o.BrokerID)
		}
		g.lists(g.lender.Originators())
		g.later(time.Hour)
		if n := len(g.changes(store.ChangeWaiting)); n != 0 || g.directoryNotices("admin", store.NoticeDirectory) != 0 {
			t.Errorf("%d changes still wait", n)
		}
	})
}

// TestSyncDirectory_Approved_AppliesToWhoWasShownAndIsStillAbsent approves ten, of whom one is
// back, while another who was not shown is absent too.
func TestSyncDirectory_Approved_AppliesToWhoWasShownAndIsStillAbsent(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		all := g.lender.Originators()
		g.lists(g.without(all[20:30]...))
		g.later(time.Hour)
		g.later(time.Hour)
		g.decide(store.ChangeApproved)
		g.lists(g.without(all[21:31]...))
		g.later(time.Hour)
		if n := g.goneCount(); n != 9 {
			t.Errorf("%d are gone, want the nine who are still absent", n)
		}
		if back, err := g.store.Originator(t.Context(), all[20].ID); err != nil || back.RemovedAt != 0 || len(g.changes(store.ChangeApproved)) != 0 {
			t.Errorf("who is back is gone at %d, and %d approvals remain", back.RemovedAt, len(g.changes(store.ChangeApproved)))
		}
	})
}

func TestSyncDirectory_Disregarded_NobodyIsRemovedUntilSeenAgain(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		all := g.lender.Originators()
		g.lists(g.without(all[20:30]...))
		g.later(time.Hour)
		g.later(time.Hour)
		g.decide(store.ChangeDisregarded)
		g.lists(g.without(append([]heloc.Originator{g.originators[0]}, all[20:30]...)...))
		g.later(time.Hour)
		g.later(time.Hour)
		if n := g.goneCount(); n != 1 || !g.disabled("olivia") || len(g.changes(store.ChangeDisregarded)) != 10 {
			t.Errorf("%d are gone, want only the one who came after", n)
		}
		if n := g.directoryNotices("admin", store.NoticeDirectory); n != 1 {
			t.Errorf("the administrator was told %d times, want once", n)
		}
		g.lists(all)
		g.later(time.Hour)
		if n := len(g.changes(store.ChangeDisregarded)); n != 0 || g.goneCount() != 0 {
			t.Errorf("%d are still disregarded, and %d gone", n, g.goneCount())
		}
	})
}

// TestReturnOriginator_StillNotListed_StaysReturned undoes a closure of somebody whom the
// directory does not list, as an administrator does.
func TestReturnOriginator_StillNotListed_StaysReturned(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.lists(g.without(g.originators[0]))
		g.later(time.Hour)
		g.later(time.Hour)
		g.write(func(tx *store.Tx) error {
			if err := tx.ReturnOriginator(t.Context(), "admin", g.originators[0].ID, time.Now()); err != nil {
				return err
			}
			return tx.SaveDirectoryChange(t.Context(), store.DirectoryChange{Originator: g.originators[0].ID, State: store.ChangeDisregarded})
		})
		for range 4 {
			g.later(time.Hour)
		}
		if g.disabled("olivia") || g.lead(app).Originator != g.originators[0].ID || g.goneCount() != 0 {
			t.Error("the closure came back")
		}
	})
}

// decide decides every change that waits.
func (g *harness) decide(to store.ChangeState) {
	g.t.Helper()
	g.write(func(tx *store.Tx) error {
		all, err := tx.DirectoryChanges(g.t.Context())
		for _, c := range all {
			if c.State = to; err == nil {
				err = tx.SaveDirectoryChange(g.t.Context(), c)
			}
		}
		return err
	})
}

func (g *harness) addAdmin() {
	g.t.Helper()
	g.must(g.store.AddUser(g.t.Context(), access.User{Actor: access.Actor{UserID: "admin", Email: "admin@test", Name: "Ad Min", Role: access.Admin}}, ""))
}

// edit gives a lead to an originator, as a reassignment does.
func (g *harness) edit(app heloc.AppID, to heloc.OriginatorID) {
	g.t.Helper()
	g.write(func(tx *store.Tx) error {
		l, err := tx.AnyLead(g.t.Context(), app)
		if err != nil {
			return err
		}
		l.Originator = to
		return tx.SaveLead(g.t.Context(), &l, time.Now(), true)
	})
}
