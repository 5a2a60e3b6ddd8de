package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// The heading counts the overdue leads of all lanes: an overdue offer is one of them.
func TestLeads_HeadingCounts_OverdueOfAllLanes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia := h.SignInAs("olivia")
	owner := h.People["olivia"]
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i, c := range []struct {
			step heloc.Step
			ago  time.Duration
		}{{heloc.StepCreditMatch, 48 * time.Hour}, {heloc.StepLienMatching, 0}, {heloc.StepOffersAvailable, 72 * time.Hour},
			{heloc.StepClosed, 0}} {
			l := lead.Row{
				App:        heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)),
				Originator: heloc.OriginatorID(owner.OriginatorUUID), Company: owner.BrokerID, Organization: owner.Organization,
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
	rows, late := today.Find(".leads [data-row-of]").Length(), today.Find(".leads .late").Length()
	if rows != 3 || late != 2 {
		t.Fatalf("got %d rows, %d of them late, want 3 and 2", rows, late)
	}
	if want := "3 open 3 to do today · 2 overdue"; !strings.HasPrefix(heading, want) {
		t.Errorf("got the heading %q, want %q", heading, want)
	}
	if got := olivia.Get("/leads?view=offers").Find(".leads .late").Length(); got != 1 {
		t.Errorf("got %d late offers, want 1", got)
	}
}

// TestLeads_RandomLeads_CountsEqualLists adds random leads of several originators, and compares every count with the
// list under it, for a user who sees one originator's leads and one who sees all of them.
func TestLeads_RandomLeads_CountsEqualLists(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	addRandomLeads(t, h)
	for _, who := range []string{"olivia", "marcus", "maya", "ada"} {
		user, open := h.SignInAs(who), 0
		tabEqualsRows := func(list string) (rows int) {
			page := user.Get("/leads?view=" + list)
			rows = page.Find(".leads tbody tr").Length()
			tab := strings.Join(strings.Fields(page.Find(`.lanes [aria-current]`).Text()), " ")
			if count := tab[strings.LastIndexByte(tab, ' ')+1:]; count != strconv.Itoa(rows) &&
				(rows != 0 || strings.ContainsAny(tab, "123456789")) {
				t.Errorf("%s, %s: the tab says %q above %d rows", who, list, tab, rows)
			}
			return rows
		}
		for _, lane := range heloc.Lanes() {
			rows := tabEqualsRows(string(lane))
			if who == "maya" || who == "ada" { // they see leads of several originators
				tabEqualsRows(string(lane) + "&originator=" + h.People["olivia"].OriginatorUUID)
			}
			if lane != heloc.LaneEnded {
				open += rows
			}
		}
		if who == "maya" || who == "ada" {
			todo := user.Get("/leads?view=today&originator=" + h.People["olivia"].OriginatorUUID).
				Find("[data-row-of]").Length()
			list := "/leads?view=all&originator=" + h.People["olivia"].OriginatorUUID
			open, late := user.Get(list+"&only=open").Find(".leads tbody tr").Length(),
				user.Get(list+"&only=overdue").Find(".leads tbody tr").Length()
			want := fmt.Sprintf("%d open %d to do today · %d overdue", open, todo, late)
			if heading := strings.Join(strings.Fields(user.Get(list).Find(".head .meta").Text()),
				" "); !strings.HasPrefix(heading, want) {
				t.Errorf("%s, one originator: the heading says %q, want %q", who, heading, want)
			}
		}
		narrowed := user.Get("/leads?view=all&only=overdue")
		count := strings.Join(strings.Fields(narrowed.Find(".head .meta .late").Text()), " ")
		if rows := narrowed.Find(".leads tbody tr").Length(); rows > 0 && count != strconv.Itoa(rows)+" overdue" ||
			rows == 0 && count != "" {
			t.Errorf("%s: the heading says %q above %d overdue leads", who, count, rows)
		}
		if heading := user.Get("/leads?view=all").Find(".head .meta").
			Text(); !strings.Contains(heading, strconv.Itoa(open)+" open") {
			t.Errorf("%s: the heading says %q above %d open leads", who, strings.Join(strings.Fields(heading), " "), open)
		}
	}
}

// addRandomLeads adds leads of two originators at every step, some with a reminder, some closed without offers.
func addRandomLeads(t *testing.T, h *webtest.Harness) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 11)) //nolint:gosec // the same leads in every run
	steps := append(heloc.Steps(), "", "BRAND_NEW")
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range 45 { // fewer than a page, so that a list is complete
			owner := h.People[[]string{"olivia", "marcus"}[random.IntN(2)]]
			ago := time.Duration(random.IntN(20*24)) * time.Hour
			if random.IntN(3) == 0 {
				ago = time.Minute
			}
			l := lead.Row{
				App:        heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)),
				Originator: heloc.OriginatorID(owner.OriginatorUUID), Company: owner.BrokerID, Organization: owner.Organization,
				Step: steps[random.IntN(len(steps))], StepSince: store.Millis(time.Now().Add(-ago)),
				RefreshAt: store.Millis(time.Now().Add(time.Hour)), Converted: random.IntN(5) == 0, Funded: random.IntN(12) == 0,
			}
			if random.IntN(4) == 0 {
				l.FollowUpAt = store.Millis(time.Now().Add(time.Duration(random.IntN(96)-48) * time.Hour))
			}
			if random.IntN(3) == 0 {
				l.LastContactAt, l.LastContact = store.Millis(time.Now().Add(-ago/2)), "phone"
			}
			if l.Step == heloc.StepUnfreezeCredit && random.IntN(2) == 0 {
				l.RepullAt = store.Millis(time.Now().Add(time.Duration(random.IntN(48)-24) * time.Hour))
			}
			if random.IntN(6) == 0 {
				l.SetAsideAt = l.StepSince
			}
			if err := tx.AddLead(t.Context(), &l, time.Now().Add(-ago)); err != nil {
				return err
			}
		}
		return nil
	}))
}
