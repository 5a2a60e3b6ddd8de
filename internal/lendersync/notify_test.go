package lendersync

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

func TestNewlyOpenConditions(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	appraisal := heloc.Condition{Name: "Appraisal", Created: "2026-11-02", Active: &yes}
	cleared := appraisal
	cleared.Active = &no
	unsaid := heloc.Condition{Name: "Hazard insurance"}
	for name, tt := range map[string]struct {
		before, now []heloc.Condition
		want        int
	}{
		"the first one":   {nil, []heloc.Condition{appraisal}, 1},
		"the same again":  {[]heloc.Condition{appraisal}, []heloc.Condition{appraisal}, 0},
		"another":         {[]heloc.Condition{appraisal}, []heloc.Condition{appraisal, unsaid}, 1},
		"cleared":         {[]heloc.Condition{appraisal}, []heloc.Condition{cleared}, 0},
		"opened again":    {[]heloc.Condition{cleared}, []heloc.Condition{appraisal}, 1},
		"already cleared": {nil, []heloc.Condition{cleared}, 0},
		"removed":         {[]heloc.Condition{appraisal}, nil, 0},
	} {
		if got := newlyOpenConditions(tt.before, tt.now); len(got) != tt.want {
			t.Errorf("%s: got %d, want %d", name, len(got), tt.want)
		}
	}
}

func TestNewlyStoppedTransfers(t *testing.T) {
	t.Parallel()
	report := func(all ...heloc.Transaction) *heloc.FundingReport { return &heloc.FundingReport{Transactions: all} }
	wire := func(id string, s heloc.FundingStatus) heloc.Transaction { return heloc.Transaction{ID: id, Status: s} }
	for name, tt := range map[string]struct {
		before, now *heloc.FundingReport
		want        int
	}{
		"no report":                {nil, nil, 0},
		"sent":                     {nil, report(wire("a", "SENT")), 0},
		"returned at first":        {nil, report(wire("a", "RETURNED")), 1},
		"sent, then returned":      {report(wire("a", "SENT")), report(wire("a", "RETURNED")), 1},
		"returned as before":       {report(wire("a", "RETURNED")), report(wire("a", "RETURNED")), 0},
		"exception, then rejected": {report(wire("a", "EXCEPTION")), report(wire("a", "REJECTED")), 1},
		"another one":              {report(wire("a", "RETURNED")), report(wire("a", "RETURNED"), wire("b", "EXCEPTION")), 1},
		"without an id":            {report(wire("", "PENDING")), report(wire("", "REJECTED")), 1},
		"approval required":        {report(wire("a", "PENDING")), report(wire("a", "REQUIRES_APPROVAL")), 0},
	} {
		if got := newlyStoppedTransfers(tt.before, tt.now); len(got) != tt.want {
			t.Errorf("%s: got %d, want %d", name, len(got), tt.want)
		}
	}
}

// noticesOf lists a user's notifications, newest first.
func (h *harness) noticesOf(user, company string) []string {
	h.t.Helper()
	page, err := h.store.Notices(h.t.Context(), store.UserScope{UserID: user, Company: company}, "")
	h.must(err)
	var all []string
	for _, n := range page.Notices {
		all = append(all, strings.TrimSpace(fmt.Sprint(n.Kind, " ", n.About)))
	}
	return all
}

// TestNotify_SameFacts_Once reads the same facts repeatedly, including some that disappear and come back.
func TestNotify_SameFacts_Once(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.must(g.lender.Play(app, "convert"))
		g.must(g.service.Refresh(t.Context(), app))
		events, leave := g.hub.Subscribe(pubsub.Person(g.olivia.UserID))
		defer leave()
		company := g.lead(app).Company
		setClosing := func(conditions, transfers string) {
			t.Helper()
			g.transport.set(nil, func(r *http.Request) string {
				if !strings.Contains(r.URL.Path, "/details/") {
					return ""
				}
				return `{"data":{"appUuid":"` + string(app) +
					`","appData":{"isInquiry":false,"nextInquiryStep":"INQUIRY_COMPLETE","conditions":[` + conditions +
					`],"fundingTransactionReport":{"transactions":[` + transfers + `]}}}}`
			})
			time.Sleep(time.Minute)
			g.readTwice(app)
			g.must(g.service.Refresh(t.Context(), app))
		}
		const appraisal = `{"active":true,"name":"APPRAISAL","createdDate":"2026-11-02"}`
		const sent, returned = `{"id":"w1","status":"SENT","paymentRail":"WIRE"}`,
			`{"id":"w1","status":"RETURNED","paymentRail":"WIRE"}`
		setClosing(appraisal, "")
		if got := g.noticesOf(g.olivia.UserID, company); len(got) != 2 || got[0] != "condition" || len(events) != 1 {
			t.Fatalf("a condition: got %q and %d events, want one more notification", got, len(events))
		}
		if l := g.lead(app); l.ConditionAt == 0 || l.WireAt != 0 {
			t.Errorf("the row: got %d, %d", l.ConditionAt, l.WireAt)
		}
		setClosing("", "")
		setClosing(appraisal, sent)
		setClosing(appraisal, returned)
		setClosing(appraisal, sent)
		setClosing(appraisal, returned)
		want := []string{"wire RETURNED", "funded", "condition", "offers"}
		if got := g.noticesOf(g.olivia.UserID, company); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if l := g.lead(app); l.WireAt == 0 || l.WireStatus != "RETURNED" || l.Funded {
			t.Errorf("the row: got %+v", l)
		}
		if got := g.noticesOf(g.olivia.UserID, "another company"); len(got) != 0 {
			t.Errorf("in another company: got %q", got)
		}
		page, err := g.store.Notices(t.Context(), store.UserScope{UserID: g.olivia.UserID, Company: company}, "")
		g.must(err)
		if strings.Contains(fmt.Sprint(page.Notices), "APPRAISAL") {
			t.Error("a notification contains the lender's text")
		}
	})
}

// TestNotifyEnded_OwnCancellation_NotReported: a lost cancellation of ours may be what canceled the lead, but no other
// end is ours.
func TestNotifyEnded_OwnCancellation_NotReported(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		row := g.lead(g.start("Rivera").App)
		for _, tt := range []struct {
			kind   heloc.Operation
			state  lead.OpState
			status heloc.StatusKey
			want   bool
		}{
			{heloc.OpCancel, lead.OpSent, heloc.StatusCanceled, false},
			{heloc.OpCancel, lead.OpConfirmed, heloc.StatusCanceled, false},
			{heloc.OpCancel, lead.OpUnknown, heloc.StatusCanceled, false},
			{heloc.OpCancel, lead.OpSucceeded, heloc.StatusCanceled, false},
			{heloc.OpCancel, lead.OpSucceeded, heloc.StatusDeclined, true},
			{heloc.OpCancel, lead.OpUnknown, heloc.StatusDeclined, true},
			{heloc.OpCancel, lead.OpConfirmed, heloc.StatusWithdrawn, true},
			{heloc.OpCancel, lead.OpRejected, heloc.StatusCanceled, true},
			{heloc.OpVerifyLiens, lead.OpUnknown, heloc.StatusCanceled, true},
		} {
			name := fmt.Sprintf("%s %s, then %s", tt.kind, tt.state, tt.status)
			after := row
			after.App = heloc.AppID(uuid.NewString())
			g.write(func(tx *store.Tx) error {
				if err := tx.AddLead(t.Context(), &after, g.now()); err != nil {
					return err
				}
				if err := tx.AddOperation(t.Context(), lead.Operation{ID: "hl-" + string(after.App), Kind: tt.kind,
					App: after.App, ActorID: "u", ActorName: "u", Originator: after.Originator, Company: after.Company,
					State: tt.state, CreatedAt: after.CreatedAt}); err != nil {
					return err
				}
				after.StatusKey, after.Lane = tt.status, heloc.LaneEnded
				n := &notifier{w: g.service, tx: tx, savedChange: savedChange{before: row, after: after, at: at(0)}}
				n.notifyEnded(t.Context(), []string{g.olivia.UserID})
				return n.err
			})
			page, err := g.store.Notices(t.Context(), store.UserScopeOf(g.olivia), "")
			g.must(err)
			if got := slices.ContainsFunc(page.Notices, func(n lead.Notice) bool {
				return n.App == after.App && n.Kind == lead.NoticeEnded && n.About == string(tt.status)
			}); got != tt.want {
				t.Errorf("%s: got notified %v, want %v", name, got, tt.want)
			}
		}
	})
}

// TestClean_EndedLeads_Deleted checks that the retention starts at the end of a lead, that open leads stay, and that
// nothing is deleted for a day after the clock jumps.
func TestClean_EndedLeads_Deleted(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		ended, open := g.startAndRead("Rivera"), g.startAndRead("Rivera-Match")
		g.must(g.lender.Play(ended, "expire"))
		g.readTwice(ended)
		if l := g.lead(ended); l.Lane != heloc.LaneEnded {
			t.Fatalf("got lane %s", l.Lane)
		}
		g.must(g.service.clean(t.Context()))
		g.lead(ended)
		time.Sleep(minRetention + time.Hour)
		g.must(g.service.clean(t.Context()))
		g.lead(ended) // the clock, which has jumped, may be wrong
		time.Sleep(clockDoubt)
		g.must(g.service.clean(t.Context()))
		if _, err := g.store.AnyLead(t.Context(), ended); !fault.Is(err, fault.NotFound) {
			t.Errorf("the ended lead: got %v, want it deleted", err)
		}
		g.lead(open)
		if got := g.noticesOf(g.olivia.UserID, g.lead(open).Company); len(got) != 0 {
			t.Errorf("got notifications of it: %q", got)
		}
	})
}
