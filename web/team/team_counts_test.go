package team_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// addRandomLeads adds n leads of random originators of two companies at random steps, some of them unassigned.
func addRandomLeads(h *webtest.Harness, random *rand.Rand, n int) {
	h.T.Helper()
	steps := append(heloc.Steps(), "", "BRAND_NEW")
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		for i := range n {
			owner := h.People[[]string{"olivia", "marcus", "maya", "piotr"}[random.IntN(4)]]
			ago := time.Duration(random.IntN(20*24*60)) * time.Minute
			l := lead.Row{
				App:        heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)),
				Originator: heloc.OriginatorID(owner.OriginatorUUID), Company: owner.BrokerID, Organization: owner.Organization,
				Step: steps[random.IntN(len(steps))], StepSince: store.Millis(time.Now().Add(-ago)),
				RefreshAt: store.Millis(time.Now().Add(time.Hour)), Converted: random.IntN(5) == 0, Funded: random.IntN(12) == 0,
			}
			if random.IntN(5) == 0 {
				l.Originator, l.FormerOriginator = "", l.Originator
			}
			if random.IntN(4) == 0 {
				l.FollowUpAt = store.Millis(time.Now().Add(time.Duration(random.IntN(96)-48) * time.Hour))
			}
			if random.IntN(6) == 0 {
				l.SetAsideAt = l.StepSince
			}
			if err := tx.AddLead(h.T.Context(), &l, time.Now()); err != nil {
				return err
			}
		}
		return nil
	}))
}

// countRows counts the leads of a list with all of its pages.
func countRows(v *webtest.Browser, path string) (rows int) {
	for path != "" {
		page := v.Get(path)
		if page.Status != http.StatusOK {
			v.H.T.Fatalf("%s: got status %d", path, page.Status)
		}
		rows += page.Find(".leads tbody tr:not(.g)").Length()
		path = page.Find(`a[rel="next"]`).AttrOr("href", "")
	}
	return rows
}

// TestTeam_RandomLeads_CountsEqualLists compares every number on the page with the list behind its link, as each
// manager, and also after leads were reassigned, ended and deleted.
func TestTeam_RandomLeads_CountsEqualLists(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5)) //nolint:gosec // the same leads in every run
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	addRandomLeads(h, random, 260)
	piotr := h.People["piotr"]
	managers := map[string]*webtest.Browser{"maya": h.SignInAs("maya"), "piotr": h.SignInAs("piotr")}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["admin"].Actor, piotr.UserID, access.Manager)
	}))
	managers["piotr"] = h.SignInAs("piotr")
	open := map[string]int{}
	check := func(when string) {
		for who, v := range managers {
			page := v.Get("/team")
			numbers := 0
			page.Find("#team table a[aria-label], #team .meta a").Each(func(_ int, a *webtest.Selection) {
				text, _, _ := strings.Cut(strings.TrimSpace(a.Text()), " ")
				n, err := strconv.Atoi(text)
				if err != nil || n == 0 {
					t.Errorf("%s, %s: the number is %q", when, who, a.Text())
				}
				numbers++
				if rows := countRows(v, a.AttrOr("href", "")); rows != n {
					t.Errorf("%s, %s: %s says %d above %d leads", when, who, a.AttrOr("aria-label", a.Text()), n, rows)
				}
			})
			if numbers < 10 {
				t.Errorf("%s, %s: only %d numbers", when, who, numbers)
			}
			nav := strings.Join(strings.Fields(page.Find("#count-unassigned").Text()), " ")
			if want := strconv.Itoa(countRows(v, "/team/unassigned")) + " unassigned"; nav != want {
				t.Errorf("%s, %s: the navigation says %q, want %q", when, who, nav, want)
			}
			open[who], _ = strconv.Atoi(strings.TrimSpace(page.Find("#total .c-open").Text()))
			if rows := countRows(v, "/leads?view=all&only=open"); rows != open[who] {
				t.Errorf("%s, %s: the total is %d of %d open leads", when, who, open[who], rows)
			}
		}
	}
	check("at first")
	if sum := open["maya"] + open["piotr"]; sum < 100 || open["piotr"] < 20 {
		t.Fatalf("got %v open leads, want many", open)
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i := 0; i < 260; i += 3 {
			l, err := tx.AnyLead(t.Context(), heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)))
			if err != nil {
				return err
			}
			switch random.IntN(3) {
			case 0:
				l.Step, l.StepSince = heloc.StepClosed, store.Millis(time.Now())
			case 1:
				l.Originator, l.FormerOriginator = "", l.Originator
			default:
				to := h.People[[]string{"olivia", "marcus"}[random.IntN(2)]]
				l.Originator, l.Company = heloc.OriginatorID(to.OriginatorUUID), to.BrokerID
			}
			if err := tx.SaveLead(t.Context(), &l, time.Now(), true); err != nil {
				return err
			}
		}
		_, err := tx.DropLeads(t.Context(), time.Now().Add(time.Hour), 20)
		return err
	}))
	check("after changes")
}

// TestTeam_OtherRoles_Forbidden: the page is for managers, and another company's manager sees nobody of this one.
func TestTeam_OtherRoles_Forbidden(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	addRandomLeads(h, rand.New(rand.NewPCG(3, 5)), 40) //nolint:gosec // the same leads in every run
	for _, who := range []string{"olivia", "marcus", "ada", "admin", "piotr"} {
		v := h.SignInAs(who)
		if got := v.Get("/team"); got.Status != http.StatusForbidden {
			t.Errorf("%s: got status %d, want 403", who, got.Status)
		}
		if home := v.Get("/account"); home.Find(`nav a[href="/team"], #count-unassigned`).Length() > 0 {
			t.Errorf("%s has a link to the team", who)
		}
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["admin"].Actor, h.People["piotr"].UserID, access.Manager)
	}))
	page := h.SignInAs("piotr").Get("/team")
	if page.Status != http.StatusOK || page.Find("#originator-"+h.People["piotr"].OriginatorUUID).Length() != 1 {
		t.Fatalf("the other company's manager got status %d", page.Status)
	}
	for _, name := range []string{"Olivia", "Marcus", "Maya", h.People["olivia"].OriginatorUUID} {
		if strings.Contains(page.Body, name) {
			t.Errorf("the other company's manager reads %q", name)
		}
	}
}

// TestTeam_Rows_SayWhatIsKnown reads the rows of an originator who has never signed in, of one without leads, and of a
// company without leads.
func TestTeam_Rows_SayWhatIsKnown(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.SignInAs("maya")
	page := maya.Get("/team")
	row := func(who string) string {
		return strings.Join(strings.Fields(page.Find("#originator-"+h.People[who].OriginatorUUID).Text()), " ")
	}
	if got := row("olivia"); !strings.Contains(got, "Never signed in") || !strings.Contains(got, "NMLS") {
		t.Errorf("got %q, want an account that was never used", got)
	}
	if got := row("maya"); !strings.Contains(got, "Today") {
		t.Errorf("got %q, want when she was last seen", got)
	}
	if page.Find("#team table a[aria-label]").Length() > 0 || page.Find("#count-unassigned[hidden]").Length() != 1 {
		t.Error("a number links to an empty list")
	}
	page.WantText("0 open", "0 overdue", "0 unassigned")
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		owner := h.People["olivia"]
		for i, state := range []string{"CO", "ID", "AZ", "NV", "UT"} {
			if err := tx.SaveLenderLicenses(t.Context(), lead.License{Holder: owner.OriginatorUUID, State: state,
				Party: lead.PartyOriginator, Number: strconv.Itoa(i)}); err != nil {
				return err
			}
		}
		l := lead.Row{
			App: "00000000-0000-4000-8000-000000000001", Originator: heloc.OriginatorID(owner.OriginatorUUID),
			Company: owner.BrokerID, Organization: owner.Organization, Step: heloc.StepLienMatching,
			StepSince: store.Millis(time.Now().Add(-48 * time.Hour)), RefreshAt: store.Millis(time.Now().Add(time.Hour)),
		}
		return tx.AddLead(t.Context(), &l, time.Now())
	}))
	page = maya.Get("/team")
	if got := row("olivia"); !strings.Contains(got, "Verify liens, due") ||
		!strings.Contains(got, "AZ CO +3 AZ, CO, ID, NV, UT") {
		t.Errorf("got %q, want the lead that is due and the licensed states", got)
	}
}
