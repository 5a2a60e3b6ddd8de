package pipeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// The heading counts the leads of the lane for today: as many are to do as the lane lists, and as many are overdue
// as the lane marks late. Overdue offers are in another lane.
func TestLeads_HeadingCounts_EqualTodaysList(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia := h.SignInAs("olivia")
	owner := h.People["olivia"]
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i, c := range []struct {
			step heloc.Step
			ago  time.Duration
		}{{heloc.StepCreditMatch, 48 * time.Hour}, {heloc.StepLienMatching, 0}, {heloc.StepOffersAvailable, 72 * time.Hour}, {heloc.StepClosed, 0}} {
			l := lead.Row{
				App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), Originator: heloc.OriginatorID(owner.OriginatorUUID), BrokerID: owner.BrokerID, Organization: owner.Organization,
				Step: c.step, StepSince: store.Millis(time.Now().Add(-c.ago)), RefreshAt: store.Millis(time.Now().Add(time.Hour)),
			}
			if err := tx.AddLead(t.Context(), &l, time.Now().Add(-c.ago)); err != nil {
				return err
			}
		}
		return nil
	}))
	today := olivia.Get("/leads?view=today")
	heading := strings.Join(strings.Fields(today.Find(".head .meta").Text()), " ")
	if rows, late := today.Find(".leads tbody tr").Length(), today.Find(".leads .late").Length(); rows != 2 || late != 1 {
		t.Fatalf("got %d rows, %d of them late, want 2 and 1", rows, late)
	}
	if want := "3 open 2 to do today · 1 overdue"; !strings.HasPrefix(heading, want) {
		t.Errorf("got the heading %q, want %q", heading, want)
	}
	if got := olivia.Get("/leads?view=offers").Find(".leads .late").Length(); got != 1 {
		t.Errorf("got %d late offers, want 1", got)
	}
}
