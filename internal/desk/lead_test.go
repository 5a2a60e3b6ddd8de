package desk_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
)

func TestView_MissingPart_WaitsTwoSeconds(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) { // no refresh in the background
		in := g.intake(g.olivia)
		op, err := in.Start(t.Context(), g.form(in, "Rivera"))
		g.must(err)
		g.transport.setHanging(false)
		began := time.Now()
		view, err := g.openLead(g.olivia, op.App).Snapshot(t.Context())
		if waited := time.Since(began); err != nil || waited != 2*time.Second || !view.DetailsAt.IsZero() {
			t.Errorf("waited %v, %v, details of %v, want two seconds and no details", waited, err, view.DetailsAt)
		}
		leaving, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer leave()
		began = time.Now()
		if _, err := g.openLead(g.olivia, op.App).Snapshot(leaving); time.Since(began) > time.Second {
			t.Errorf("a canceled request waited: %v, %v", time.Since(began), err)
		}
		if n := g.transport.count("/"); n != 0 {
			t.Errorf("got %d requests while a page was rendered, want none", n)
		}
	})
	runInSynctest(t, false, func(t *testing.T, g *harness) { // with refreshes in the background
		in := g.intake(g.olivia)
		op, err := in.Start(t.Context(), g.form(in, "Rivera-Unit"))
		g.must(err)
		view, err := g.openLead(g.olivia, op.App).Snapshot(t.Context())
		if err != nil || view.DetailsAt.IsZero() || view.Row.Step != heloc.StepSelectProperty {
			t.Errorf("got %q of %v, %v, want the state that was read meanwhile", view.Row.Step, view.DetailsAt, err)
		}
		view, err = g.openLead(g.olivia, op.App).Snapshot(t.Context())
		if err != nil || view.Properties == nil || len(view.Properties.Properties) != 3 {
			t.Errorf("got properties %+v, %v, want three", view.Properties, err)
		}
	})
}

func TestView_LenderHangs_AnswersAtOnce(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		time.Sleep(time.Minute) // now the stored parts are old
		g.transport.setHanging(true)
		for range 5 {
			began := time.Now()
			view, err := g.openLead(g.olivia, app).Snapshot(t.Context())
			if err != nil || time.Since(began) > 0 || len(view.Details.App.Underwriting.Offers) == 0 {
				t.Errorf("the view took %v, %v", time.Since(began), err)
			}
			began = time.Now()
			if page := g.listPage(g.olivia, lead.Query{}, "rivera"); time.Since(began) > 0 || len(page.Rows) != 1 {
				t.Errorf("the list took %v and has %d rows", time.Since(began), len(page.Rows))
			}
			time.Sleep(3 * time.Second)
		}
	})
}

func TestView_StalePart_RefreshesInBackground(t *testing.T) {
	t.Parallel()
	runInSynctest(t, false, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		changes, leave := g.service.For(g.olivia).Changes()
		defer leave()
		time.Sleep(time.Second) // the last reading of the start is over
		synctest.Wait()
		g.must(g.lender.Play(app, "expire"))
		time.Sleep(16 * time.Second)
		view, err := g.openLead(g.olivia, app).Snapshot(t.Context())
		if err != nil || view.Row.Step != heloc.StepOffersAvailable {
			t.Errorf("got %q, %v, want the stored state immediately", view.Row.Step, err)
		}
		for range 2 { // the first reading, and ten seconds later the one that confirms it
			select {
			case change := <-changes:
				if change.App != string(app) {
					t.Errorf("got a change of %q", change.App)
				}
			case <-time.After(12 * time.Second):
				t.Fatal("the page got no event")
			}
		}
		if got := g.openLead(g.olivia, app).Row(); got.Step != heloc.StepWithdrawn || got.Lane != heloc.LaneEnded {
			t.Errorf("got %q in %s", got.Step, got.Lane)
		}
	})
}

func TestSelectOffer_FromDetailsAndQuotes_Accepted(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app, foreign := g.start(g.olivia, "Rivera"), g.start(g.olivia, "Okafor")
		l := g.openLead(g.olivia, app)
		view, err := l.Snapshot(t.Context())
		g.must(err)
		offer := view.Details.App.Underwriting.Offers[0]
		other, err := g.openLead(g.olivia, foreign).Snapshot(t.Context())
		g.must(err)
		quoted := func(app heloc.AppID, amount int64) heloc.Offer {
			t.Helper()
			q, err := g.openLead(g.olivia, app).Offers().
				Quote(t.Context(), heloc.QuoteRequest{Amount: new(heloc.Dollars(amount))})
			g.must(err)
			if len(q.Offers) == 0 {
				t.Fatal("got no quotes")
			}
			return q.Offers[0]
		}
		theirs := quoted(foreign, 40_000)
		g.transport.setHanging(false)
		pick := func(id string, amount heloc.Money, discounts ...string) error {
			t.Helper()
			_, err := l.Offers().SelectOffer(t.Context(), l.NewOperationID(heloc.OpSelectOffer), heloc.OfferSelection{
				OfferUUID: id, Amount: amount, Discounts: append([]string{}, discounts...), AccountsToPayoff: []string{},
			})
			return err
		}
		for name, id := range map[string]string{
			"none": "", "made up": "12345678-1234-4234-8234-123456789012",
			"of another lead": other.Details.App.Underwriting.Offers[0].UUID, "of another lead's quote": theirs.UUID,
		} {
			if id == offer.UUID {
				t.Fatalf("%s: want a sandbox that gives the two leads different offers", name)
			}
			err := pick(id, *offer.MinAmount)
			if wantField(t, err, "offer.offerUuid"); err == nil {
				t.Errorf("%s was sent", name)
			}
		}
		for _, amount := range []heloc.Money{0, -1, *offer.MinAmount - 1, *offer.MaxAmount + 1} {
			wantField(t, pick(offer.UUID, amount), "offer.selectedOfferAmount")
		}
		wantField(t, pick(offer.UUID, *offer.MinAmount, "MADE_UP"), "offer.selectedDiscounts")
		if n := g.transport.count("select-offer"); n != 0 {
			t.Fatalf("got %d invalid selections sent, want none", n)
		}
		mine := quoted(app, 40_000)
		quotes, err := l.Offers().Quotes(t.Context())
		g.must(err)
		if len(quotes) != 1 || *quotes[0].Request.Amount != heloc.Dollars(40_000) || quotes[0].Offers == 0 {
			t.Fatalf("got quotes %+v, want the requested one", quotes)
		}
		if whole, err := l.Offers().SavedQuote(t.Context(), quotes[0].ID); err != nil ||
			whole.Answer.Offers[0].UUID != mine.UUID || whole.Offers != len(whole.Answer.Offers) {
			t.Errorf("the decrypted quote is %+v, %v", whole, err)
		}
		g.must(pick(mine.UUID, heloc.Dollars(40_000)))
		g.must(g.sync.Refresh(t.Context(), app))
		if got := g.openLead(g.olivia, app).Row(); got.Step != heloc.StepBorrowerAuth ||
			got.SelectedAmount != heloc.Dollars(40_000) {
			t.Errorf("got %s with %v selected", got.Step, got.SelectedAmount)
		}
	})
}

func TestSetAside_AndBack_TogglesLane(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		for _, tt := range []struct {
			aside bool
			lane  heloc.Lane
			lines int
		}{{true, heloc.LaneEnded, 1}, {true, heloc.LaneEnded, 1}, {false, heloc.LaneBlocked, 2},
			{false, heloc.LaneBlocked, 2}} {
			g.must(g.openLead(g.olivia, app).SetAside(t.Context(), tt.aside))
			view, err := g.openLead(g.olivia, app).Snapshot(t.Context())
			g.must(err)
			lines := 0
			for _, e := range view.Events {
				if e.Kind == lead.EventSetAside {
					lines++
				}
			}
			if view.Row.Lane != tt.lane || lines != tt.lines {
				t.Errorf("set aside %v: got lane %s with %d events, want %s with %d",
					tt.aside, view.Row.Lane, lines, tt.lane, tt.lines)
			}
		}
		offers := g.start(g.olivia, "Okafor")
		wantKind(t, g.openLead(g.olivia, offers).SetAside(t.Context(), true), fault.Conflict)
		// The lender's next request undoes it.
		g.must(g.openLead(g.olivia, app).SetAside(t.Context(), true))
		l := g.openLead(g.olivia, app)
		_, err := l.AddSSN(t.Context(), l.NewOperationID(heloc.OpAddSSN), pii.Wrap("123-45-6789"))
		g.must(err)
		if row := g.openLead(g.olivia, app).Row(); row.SetAsideAt != 0 || row.Lane != heloc.LaneLender {
			t.Errorf("after an answer: set aside at %d in %s", row.SetAsideAt, row.Lane)
		}
	})
}

func TestRejection_LenderMessages_Shown(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		l := g.openLead(g.olivia, app)
		g.must(g.lender.Play(app, "expire")) // without the portal
		_, err := l.AddSSN(t.Context(), l.NewOperationID(heloc.OpAddSSN), pii.Wrap("123-45-6789"))
		wantKind(t, err, fault.Upstream)
		view, err := g.openLead(g.maya, app).Snapshot(t.Context())
		g.must(err)
		op := view.Operations[0]
		if op.State != lead.OpRejected || op.Messages == "" {
			t.Fatalf("got %s, %q", op.State, op.Messages)
		}
		if e := view.Events[0]; e.Kind != lead.EventRejected || e.Detail != op.Messages {
			t.Errorf("got message %q on the event, want %q", e.Detail, op.Messages)
		}
		r, err := g.service.For(g.maya).Receipt(t.Context(), op.ID)
		if err != nil || r.Op.Messages != op.Messages {
			t.Errorf("the receipt: got %v", err)
		}
	})
}

// A view need not be recorded again until something happens, even something that does not change the lead.
func TestSnapshot_Seen_UntilSomethingHappens(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		seen := func(documents bool) bool {
			t.Helper()
			time.Sleep(time.Minute)
			view, err := g.openLead(g.olivia, app).Snapshot(t.Context())
			g.must(err)
			return view.Seen(documents)
		}
		for _, tt := range []struct {
			name   string
			happen func()
		}{
			{"never viewed", func() {}},
			{"expired", func() {
				g.must(g.lender.Play(app, "expire"))
				g.readTwice(app)
			}},
			{"revealed by a colleague", func() {
				_, err := g.openLead(g.maya, app).Reveal(t.Context(), desklead.RevealReason{Preset: "identity"})
				g.must(err)
			}},
		} {
			tt.happen()
			if seen(false) || seen(true) {
				t.Errorf("%s: counts as seen", tt.name)
			}
			g.must(g.openLead(g.olivia, app).SaveLastView(t.Context(), false))
			if !seen(false) || seen(true) {
				t.Errorf("%s, viewed: got %v, and the documents %v", tt.name, seen(false), seen(true))
			}
			g.must(g.openLead(g.olivia, app).SaveLastView(t.Context(), true))
			if !seen(true) {
				t.Errorf("%s: the view of the documents was not recorded", tt.name)
			}
		}
	})
}

// A page is recorded as viewed after it was sent. What happened to the lead in between was not on it, also if the
// reading that brings it had begun before the page was opened.
func TestSaveLastView_ChangedMeanwhile_NotSeen(t *testing.T) {
	t.Parallel()
	for _, underWay := range []bool{false, true} {
		t.Run(fmt.Sprint("reading under way: ", underWay), func(t *testing.T) {
			runInSynctest(t, true, func(t *testing.T, g *harness) { checkSeen(t, g, underWay) })
		})
	}
}

func checkSeen(t *testing.T, g *harness, underWay bool) {
	t.Helper()
	app := g.start(g.olivia, "Rivera")
	var displayed *desk.Lead
	open := func() {
		displayed = g.openLead(g.olivia, app)
		time.Sleep(time.Minute)
	}
	if !underWay {
		open()
	}
	g.must(g.lender.Play(app, "convert"))
	g.must(g.lender.Play(app, "condition"))
	g.must(g.lender.SetFaults(sandbox.Faults{LatencyMs: 10_000}))
	read := make(chan error)
	go func() { read <- g.sync.Refresh(t.Context(), app) }()
	if underWay {
		time.Sleep(time.Second)
		open()
	}
	g.must(<-read)
	time.Sleep(time.Minute)
	row := func() lead.PipelineRow { return g.listPage(g.olivia, lead.Query{}, "").Rows[0] }
	unread := func() int {
		i, err := g.service.For(g.olivia).Inbox()
		g.must(err)
		counts, err := i.HeaderCounts(t.Context())
		g.must(err)
		return counts.Unread
	}
	g.must(displayed.SaveLastView(t.Context(), false))
	if !row().Unseen.Condition || unread() != 1 {
		t.Errorf("a condition that the page did not display counts as seen: %+v, %d unread", row().Unseen, unread())
	}
	g.must(g.openLead(g.olivia, app).SaveLastView(t.Context(), false))
	if row().Unseen.Condition || unread() != 0 {
		t.Errorf("a condition that the page displayed counts as unseen: %+v, %d unread", row().Unseen, unread())
	}
}

// TestHeaderCounts_UnassignedLeads_OnlyForManagers counts what waits for a company's manager for nobody else.
func TestHeaderCounts_UnassignedLeads_OnlyForManagers(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
			l, err := tx.AnyLead(t.Context(), app)
			if err != nil {
				return err
			}
			l.Originator = ""
			return tx.SaveLead(t.Context(), &l, time.Now(), true)
		}))
		for _, tt := range []struct {
			who  access.Actor
			want int
		}{{g.maya, 1}, {g.olivia, 0}, {g.ann, 0}} {
			i, err := g.service.For(tt.who).Inbox()
			g.must(err)
			counts, err := i.HeaderCounts(t.Context())
			g.must(err)
			if counts.Unassigned != tt.want {
				t.Errorf("%s: got %d unassigned leads, want %d", tt.who.Role, counts.Unassigned, tt.want)
			}
		}
	})
}

func TestUpdates_SinceLastSeen(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		time.Sleep(time.Minute)
		g.start(g.olivia, "Rivera")
		p := g.pipeline(g.olivia)
		list := func(p *pipeline.Pipeline) (pipeline.Updates, error) {
			page, err := p.ListPage(t.Context(), pipeline.ListRequest{})
			return page.Updates, err
		}
		updates, err := list(p)
		if err != nil || len(updates.Counts) != 1 || updates.Counts[0].StatusKey != heloc.StatusOffers ||
			updates.Since.IsZero() {
			t.Errorf("got %+v, %v, want one lead with offers since the account was created", updates, err)
		}
		time.Sleep(time.Minute)
		g.must(p.MarkUpdatesSeen(t.Context()))
		if updates, err := list(p); err != nil || len(updates.Counts) != 0 {
			t.Errorf("all seen: got %+v, %v", updates, err)
		}
		if updates, err := list(g.pipeline(g.ann)); err != nil || len(updates.Counts) != 0 {
			t.Errorf("without an originator: got %+v, %v", updates, err)
		}
	})
}

func TestAdopt_LostStart_Settled(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		in := g.intake(g.olivia)
		op, err := in.Start(t.Context(), g.form(in, "Rivera-Lost"))
		g.must(err)
		app := g.lender.Inquiries()[0].AppUUID
		_, err = g.pipeline(g.marcus).Adopt(t.Context(), string(app))
		wantField(t, err, "appUuid")
		_, err = g.pipeline(g.piotr).Adopt(t.Context(), string(app))
		wantField(t, err, "appUuid")
		_, err = g.pipeline(g.olivia).Adopt(t.Context(), "not an id")
		wantField(t, err, "appUuid")
		got, err := g.pipeline(g.olivia).Adopt(t.Context(), " "+string(app)+" ")
		if err != nil || got != app {
			t.Fatalf("got %q, %v", got, err)
		}
		r, err := g.service.For(g.olivia).Receipt(t.Context(), op.ID)
		if err != nil || r.Op.State != lead.OpConfirmed || r.Op.App != app {
			t.Errorf("got lost start %s, %v, want it settled by the id", r.Op.State, err)
		}
		if g.openLead(g.olivia, app).Name.Last != "Rivera-Lost" {
			t.Error("the lead has no name")
		}
	})
}

func TestReopen_LeadChanged_AsItIsNow(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera")
		opened := g.openLead(g.olivia, app)
		g.must(g.lender.Play(app, "expire"))
		g.readTwice(app)
		again, err := opened.Reopen(t.Context())
		g.must(err)
		if opened.Row().StatusKey != heloc.StatusOffers || again.Row().StatusKey != heloc.StatusExpired {
			t.Errorf("got %s before and %s after it expired", opened.Row().StatusKey, again.Row().StatusKey)
		}
	})
}
