package lendersync

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

func TestRefresh_SavesPartsBeforeAnnouncing(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		op := g.start("Rivera-Unit")
		changes, leave := g.hub.Subscribe(pubsub.Originator(g.olivia.OriginatorUUID), pubsub.Company(g.lead(op.App).Company))
		defer leave()
		before := g.lead(op.App).Revision
		g.must(g.service.Refresh(t.Context(), op.App))
		if len(changes) != 1 {
			t.Fatalf("got %d announcements, want 1", len(changes))
		}
		l := g.lead(op.App)
		if e := <-changes; e.App != string(op.App) || e.Revision != l.Revision || e.Revision <= before {
			t.Errorf("got %+v, want revision %d", e, l.Revision)
		}
		if l.Step != heloc.StepSelectProperty || l.StatusKey != heloc.StatusChooseProperty || l.PendingOp != "" ||
			l.ShortID == "" || l.State != "CO" {
			t.Errorf("got %+v", l)
		}
		for _, part := range []lead.Part{lead.PartDetails, lead.PartProperties} {
			if _, ok := g.part(op.App, part); !ok {
				t.Errorf("the %s are missing although the change was announced", part)
			}
		}
		if got := g.eventKinds(op.App); got != "started step" {
			t.Errorf("got events %q", got)
		}
		if stored, err := g.store.Operation(t.Context(), op.ID); err != nil || stored.StepAfter != heloc.StepSelectProperty ||
			stored.StepChangedAt == 0 {
			t.Errorf("the operation: got %+v, %v, want its next step", stored, err)
		}
		// A second reading with nothing new notifies nobody.
		g.must(g.service.Refresh(t.Context(), op.App))
		if len(changes) != 0 || g.lead(op.App).Revision != l.Revision {
			t.Errorf("got %d announcements without a change", len(changes))
		}
	})
}

func TestRefresh_Concurrent_OneCall(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.transport.set(func(*http.Request) error { time.Sleep(time.Second); return nil }, nil)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if err := g.service.Refresh(t.Context(), app); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := g.transport.count("/details/"); n != 1 {
			t.Errorf("got %d details calls, want 1", n)
		}
		g.transport.set(nil, nil)
		for range 10 {
			g.service.RequestRefresh(app, "B1")
			g.service.RequestRefresh(app, "B1", lead.PartDocuments)
		}
		g.drainQueue()
		if n, d := g.transport.count("/details/"), g.transport.count("/list"); n != 1 || d != 1 {
			t.Errorf("ten requests: got %d details and %d documents calls, want one each", n, d)
		}
	})
}

// A caller who needs more parts than the current reading fetches waits for its end and then gets them.
func TestRefresh_MorePartsRequested_ReadsAgain(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.transport.set(func(*http.Request) error { time.Sleep(time.Second); return nil }, nil)
		var all sync.WaitGroup
		all.Go(func() { _ = g.service.Refresh(t.Context(), app) })
		synctest.Wait()
		before, _ := g.part(app, lead.PartDocuments)
		if err := g.service.Refresh(t.Context(), app, lead.PartDocuments); err != nil {
			t.Error(err)
		}
		all.Wait()
		if after, ok := g.part(app, lead.PartDocuments); !ok || after.FetchedAt <= before.FetchedAt {
			t.Errorf("the documents are still those of %d", before.FetchedAt)
		}
	})
}

func TestRefresh_OneCallerCancels_OthersFinish(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.transport.set(func(r *http.Request) error {
			select {
			case <-time.After(time.Second):
				return nil
			case <-r.Context().Done():
				return r.Context().Err()
			}
		}, nil)
		leaving, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if err := g.service.Refresh(leaving, app); !errors.Is(err, context.Canceled) {
				t.Errorf("the canceled caller: got %v, want canceled", err)
			}
		})
		synctest.Wait()
		all.Go(func() {
			if err := g.service.Refresh(t.Context(), app); err != nil {
				t.Errorf("the other caller: got %v", err)
			}
		})
		synctest.Wait()
		leave()
		all.Wait()
		if l := g.lead(app); l.RefreshFailures != 0 {
			t.Errorf("got %d failures, want none", l.RefreshFailures)
		}
	})
}

func TestRefresh_DetailsChange_RaisesRevision(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		before := g.lead(app).Revision
		answer := g.detailsJSON(app)
		g.must(g.service.Refresh(t.Context(), app))
		if got := g.lead(app).Revision; got != before {
			t.Errorf("the same details again: revision %d, want %d", got, before)
		}
		changed := regexp.MustCompile(`"propertyAvmValue":\d+`).ReplaceAllString(answer, `"propertyAvmValue":1`)
		g.transport.set(nil, func(r *http.Request) string {
			if strings.Contains(r.URL.Path, "/details/") {
				return changed
			}
			return ""
		})
		g.must(g.service.Refresh(t.Context(), app))
		if got := g.lead(app).Revision; got != before+1 {
			t.Errorf("a value that has no column: revision %d, want %d", got, before+1)
		}
	})
}

// detailsJSON returns the lender's response body.
func (h *harness) detailsJSON(app heloc.AppID) string {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet,
		"http://lender.test/products/heloc/v1/details/"+string(app), nil)
	h.must(err)
	r.Header.Set("apikey", "sandbox-partner-key")
	r.Header.Set("User-Agent", "test")
	resp, err := h.transport.RoundTrip(r)
	h.must(err)
	defer func() { _ = resp.Body.Close() }()
	var b strings.Builder
	buffer := make([]byte, 1<<20)
	for {
		n, err := resp.Body.Read(buffer)
		b.Write(buffer[:n])
		if err != nil {
			return b.String()
		}
	}
}

func TestRefresh_LenderFails_PostponesAndKeepsLead(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		known := g.lead(app)
		part, _ := g.part(app, lead.PartDetails)
		g.must(g.lender.SetFaults(faultsDown()))
		var last time.Duration
		for i := range 4 {
			if err := g.service.Refresh(t.Context(), app); !fault.Is(err, fault.Unavailable) {
				t.Fatalf("got %v, want unavailable", err)
			}
			l := g.lead(app)
			pause := time.Until(store.Instant(l.RefreshAt))
			if l.RefreshFailures != i+1 || pause <= last {
				t.Errorf("failure %d: got %d in a row, next reading in %v after %v, want longer each time",
					i+1, l.RefreshFailures, pause, last)
			}
			last = pause
			if l.Revision != known.Revision || l.StatusKey != known.StatusKey {
				t.Errorf("got revision %d at %s, want it unchanged", l.Revision, l.StatusKey)
			}
		}
		if now, ok := g.part(app, lead.PartDetails); !ok || now.FetchedAt != part.FetchedAt {
			t.Errorf("the details are missing, or have the wrong age")
		}
		if g.lenderHealth.DownSince().IsZero() {
			t.Error("the lender does not count as down")
		}
		g.must(g.lender.SetFaults(noFaults()))
		time.Sleep(15 * time.Second) // the circuit breaker tries again
		g.must(g.service.Refresh(t.Context(), app))
		if l := g.lead(app); l.RefreshFailures != 0 || !g.lenderHealth.DownSince().IsZero() {
			t.Errorf("got %d failures, down since %v, want neither", l.RefreshFailures, g.lenderHealth.DownSince())
		}
	})
}

func TestRefresh_OtherOriginatorSameCompany_Reassigns(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		was := g.lead(app)
		for _, to := range []heloc.Originator{g.originators[1], g.originators[0]} {
			before := g.lead(app)
			old, leaveOld := g.hub.Subscribe(pubsub.Originator(string(before.Originator)))
			fresh, leaveNew := g.hub.Subscribe(pubsub.Originator(string(to.ID)))
			company, leaveCompany := g.hub.Subscribe(pubsub.Company(to.Broker.ID))
			g.setOriginator(app, to.ID)
			g.must(g.service.Refresh(t.Context(), app))
			if l := g.lead(app); l.Originator != before.Originator {
				t.Errorf("one reading moved the lead to %s", l.Originator)
			}
			for len(old)+len(company) > 0 { // the claim is announced, too
				select {
				case <-old:
				case <-company:
				}
			}
			time.Sleep(secondLook)
			g.must(g.service.Refresh(t.Context(), app))
			l := g.lead(app)
			if l.Originator != to.ID || l.Company != was.Company {
				t.Errorf("got %s of %s, want %s of %s", l.Originator, l.Company, to.ID, was.Company)
			}
			if len(old) != 1 || len(fresh) != 1 || len(company) != 1 {
				t.Errorf("got %d events before, %d after, %d in the company, want one each", len(old), len(fresh), len(company))
			}
			if l.Revision <= before.Revision {
				t.Error("the revision was not raised")
			}
			leaveOld()
			leaveNew()
			leaveCompany()
			for _, term := range []string{"rivera", "3035550142", "elena@borrower.test"} {
				if !g.finds(l, term) {
					t.Errorf("%s: a search for %q does not find it", to.Email, term)
				}
			}
		}
		if got := g.eventKinds(app); got != "started step documents moved moved" {
			t.Errorf("got events %q", got)
		}
		for _, e := range g.events(app) {
			if e.Kind == lead.EventReassigned && e.StatusKey != was.StatusKey {
				t.Errorf("got status %q in the updates for a reassigned lead, want %q", e.StatusKey, was.StatusKey)
			}
		}
	})
}

func TestRefresh_OriginatorOfOtherCompany_Unassigns(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		was := g.lead(app)
		g.setOriginator(app, g.originators[2].ID) // of another company
		g.readTwice(app)
		if l := g.lead(app); l.Originator != "" || l.Company != was.Company {
			t.Errorf("got %q of %q, want no originator of %q", l.Originator, l.Company, was.Company)
		}
		g.setOriginator(app, g.originators[0].ID)
		g.readTwice(app)
		if l := g.lead(app); l.Originator != was.Originator {
			t.Fatalf("got %q, want the lead back with %q", l.Originator, was.Originator)
		}

		// The originator moves to another company: the lead stays.
		moved := g.originators[0]
		moved.Broker = g.originators[2].Broker
		g.write(func(tx *store.Tx) error { return tx.SaveOriginator(t.Context(), moved, time.Now()) })
		g.must(g.service.Refresh(t.Context(), app))
		if l := g.lead(app); l.Originator != "" || l.Company != was.Company {
			t.Errorf("after the move: got %q of %q, want no originator of %q", l.Originator, l.Company, was.Company)
		}
	})
}

// setOriginator makes the lender name an originator.
func (h *harness) setOriginator(app heloc.AppID, id heloc.OriginatorID) {
	h.transport.set(nil, nil)
	_, err := h.client.Reassign(h.t.Context(), app, id)
	if err == nil {
		return
	}
	// The lender's own rules do not allow this one: another company.
	answer := h.detailsJSON(app)
	at := strings.Index(answer, `"loanOriginatorUuid":"`)
	if at < 0 {
		h.t.Fatalf("no originator in %s", answer)
	}
	at += len(`"loanOriginatorUuid":"`)
	changed := answer[:at] + string(id) + answer[at+36:]
	h.transport.set(nil, func(*http.Request) string { return changed })
}

func (h *harness) finds(l lead.Row, typed string) bool {
	h.t.Helper()
	found, err := h.store.Candidates(h.t.Context(), scopeOf(l), l.Company,
		h.vault.SearchTokens(l.Company, heloc.QueryTerms(typed)), 9)
	h.must(err)
	return len(found) == 1
}

func TestRefresh_ReadBeforeOperation_KeepsPending(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{processing: 5 * time.Second}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Match-Liens")
		time.Sleep(6 * time.Second)
		g.must(g.service.Refresh(t.Context(), app))
		g.transport.set(func(r *http.Request) error {
			if strings.Contains(r.URL.Path, "/details/") {
				time.Sleep(2 * time.Second) // the response takes a long time
			}
			return nil
		}, nil)
		g.must(g.lender.Play(app, "condition")) // an entry in the history that the portal has not read
		var reading sync.WaitGroup
		reading.Go(func() { _ = g.service.Refresh(t.Context(), app) })
		time.Sleep(time.Second)
		op, err := g.runOperation(app, heloc.OpAddSSN,
			func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.AddSSN(ctx, app, by, pii.Wrap("123-45-6789"))
			})
		g.must(err)
		reading.Wait()
		if l := g.lead(app); l.PendingOp != op.ID || l.Lane != heloc.LaneLender {
			t.Errorf("got pending %q in %s, want the lender's move", l.PendingOp, l.Lane)
		}
		if due := g.lead(app).RefreshAt; due > store.Millis(time.Now().Add(time.Second)) {
			t.Errorf("the lead is due at %d, want within a second", due)
		}
	})
}

func TestRefresh_WebhookDuringRead_ReadsAgain(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.transport.set(func(*http.Request) error { time.Sleep(2 * time.Second); return nil }, nil)
		var reading sync.WaitGroup
		reading.Go(func() { _ = g.service.Refresh(t.Context(), app) })
		time.Sleep(time.Second)
		g.must(g.service.ReceiveWebhook(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		reading.Wait()
		if due := g.lead(app).RefreshAt; due > store.Millis(time.Now()) {
			t.Errorf("the lead is due in %v, want now", time.Until(store.Instant(due)))
		}
	})
}

func TestSuperseded_ClockSetBack_False(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for ahead, want := range map[time.Duration]bool{0: false, time.Second: true, time.Hour: false, -time.Hour: false} {
		if got := superseded(lead.Row{RefreshedAt: store.Millis(now.Add(ahead))},
			store.Instant(store.Millis(now))); got != want {
			t.Errorf("read %v ahead: got %v, want %v", ahead, got, want)
		}
	}
}
