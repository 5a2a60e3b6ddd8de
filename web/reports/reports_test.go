package reports_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/to"
	"hearthline/web/webtest"
)

func appOf(i int) heloc.AppID { return heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)) }

// history is a lead that takes random steps.
type history struct {
	*webtest.Harness
	random *rand.Rand
}

// randomize gives a lead other facts.
func (h history) randomize(l *lead.Row) {
	steps := append(heloc.Steps(), "", "BRAND_NEW")
	people := []string{"olivia", "marcus", "maya", "piotr"}
	owner := h.People[people[h.random.IntN(len(people))]]
	l.Originator, l.Company, l.Organization = heloc.OriginatorID(owner.OriginatorUUID),
		access.CompanyOf(owner.BrokerID, owner.Organization), owner.Organization
	if h.random.IntN(8) == 0 {
		l.Originator, l.FormerOriginator = "", l.Originator
	}
	l.State = []string{"CO", "ID", "AZ", ""}[h.random.IntN(4)]
	l.Step, l.Converted, l.Funded = steps[h.random.IntN(len(steps))], h.random.IntN(3) == 0, h.random.IntN(4) == 0
	l.SelectedAmount, l.SetAsideAt, l.DeclinedDate, l.ExpirationDate, l.FundedDate = 0, 0, "", "", ""
	if l.Funded && h.random.IntN(9) > 0 {
		l.FundedDate = heloc.DateOf(time.Now().AddDate(0, 0, -h.random.IntN(300)))
	}
	l.RequestedAmount = heloc.Dollars(int64(h.random.IntN(3)) * 25_000)
	l.MaxAmount = heloc.Dollars(int64(h.random.IntN(3)) * 45_000)
	if h.random.IntN(9) == 0 {
		l.SelectedAmount = heloc.Dollars(40_000)
	}
	if h.random.IntN(4) == 0 {
		l.SetAsideAt = 1
	}
	switch h.random.IntN(10) {
	case 0:
		l.DeclinedDate = "2026-01-05"
	case 1:
		l.ExpirationDate = "2020-01-05"
	}
	l.StepSince = store.Millis(time.Now())
}

// addLeads adds n leads of two companies that started in the last 14 months, and lets them leave steps.
func (h history) addLeads(n int) {
	h.T.Helper()
	sources := []lead.Source{lead.SourcePortal, lead.SourceCRM, lead.SourceAdopted, ""}
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		for i := range n {
			l := lead.Row{App: appOf(i), Source: sources[h.random.IntN(len(sources))],
				RefreshAt: store.Millis(time.Now().Add(time.Hour))}
			h.randomize(&l)
			at := time.Now().Add(-time.Duration(h.random.IntN(14*30*24)) * time.Hour)
			if h.random.IntN(2) == 0 {
				at = time.Now().Add(-time.Duration(h.random.IntN(40*24)) * time.Hour)
			}
			if err := tx.AddLead(h.T.Context(), &l, at); err != nil {
				return err
			}
			if err := h.addStart(tx, l, at); err != nil {
				return err
			}
			if err := h.leaveSteps(tx, l); err != nil {
				return err
			}
		}
		return nil
	}))
}

// addStart records who started a lead, in the name of anybody of its company: as the journal does for a lead that was
// started here, and as an adoption does; of leads whose source is not recorded, nothing is known.
func (h history) addStart(tx *store.Tx, l lead.Row, at time.Time) error {
	people := []string{"olivia", "marcus", "maya"}
	if l.Company == h.People["piotr"].Company() {
		people = []string{"piotr"}
	}
	starter := heloc.OriginatorID(h.People[people[h.random.IntN(len(people))]].OriginatorUUID)
	switch l.Source {
	case lead.SourcePortal, lead.SourceCRM:
		return tx.AddOperation(h.T.Context(), lead.Operation{ID: "hl-" + string(l.App), Kind: heloc.OpStart, App: l.App,
			ActorID: "u", ActorName: "u", Originator: starter, Company: l.Company, State: lead.OpSucceeded,
			CreatedAt: store.Millis(at)})
	case lead.SourceAdopted:
		return tx.AddEvent(h.T.Context(), lead.Event{App: l.App, Originator: starter, At: store.Millis(at),
			Kind: lead.EventAdopted})
	default:
		return nil
	}
}

// leaveSteps adds random events of a lead.
func (h history) leaveSteps(tx *store.Tx, l lead.Row) error {
	steps := append(heloc.Steps()[:6], "", heloc.StepPayoff, "BRAND_NEW")
	for range h.random.IntN(4) {
		from := steps[h.random.IntN(len(steps))]
		if err := tx.AddEvent(h.T.Context(), lead.Event{
			App: l.App, At: store.Millis(time.Now()), Kind: lead.EventStep, StepBefore: from, StepAfter: heloc.StepClosed,
			Company: l.Company, StayedMillis: 1 + h.random.Int64N(9*24*3600*1000),
		}); err != nil {
			return err
		}
	}
	return nil
}

// change gives a third of the leads other facts, deletes some, and lets others leave steps.
func (h history) change(n int) {
	h.T.Helper()
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		for i := 0; i < n; i += 3 {
			l, err := tx.AnyLead(h.T.Context(), appOf(i))
			if err != nil {
				return err
			}
			h.randomize(&l)
			if h.random.IntN(3) == 0 {
				l.StartedOn = heloc.DateOf(time.Now().AddDate(0, -h.random.IntN(5), 0))
			}
			if err := tx.SaveLead(h.T.Context(), &l, time.Now(), true); err != nil {
				return err
			}
			if err := h.leaveSteps(tx, l); err != nil {
				return err
			}
		}
		dropped, err := tx.DropLeads(h.T.Context(), time.Now().Add(time.Hour), 12)
		if err == nil && len(dropped) != 12 {
			h.T.Errorf("got %d deleted leads, want 12", len(dropped))
		}
		return err
	}))
}

// countRows counts the leads of a list with all of its pages.
func countRows(v *webtest.Browser, path string) (rows int) {
	v.H.T.Helper()
	for path != "" {
		page := v.Get(path)
		if page.Status != http.StatusOK {
			v.H.T.Fatalf("%s: got status %d", path, page.Status)
		}
		rows += page.Find(".leads tbody tr").Length()
		path = page.Find(`a[rel="next"]`).AttrOr("href", "")
	}
	return rows
}

// numbers reads every number of a page that links to a list, by its list.
func numbers(t *testing.T, page *webtest.Response) map[string]int {
	t.Helper()
	all := map[string]int{}
	page.Find(`main a[href^="/leads?"]`).Each(func(_ int, a *webtest.Selection) {
		n, err := strconv.Atoi(strings.TrimSpace(a.Text()))
		if err != nil || n == 0 {
			t.Errorf("%s: the number is %q", a.AttrOr("aria-label", ""), a.Text())
		}
		list := a.AttrOr("href", "")
		if before, known := all[list]; known && before != n {
			t.Errorf("%s says %d and %d", list, before, n)
		}
		all[list] = n
	})
	return all
}

// TestReports_RandomLeads_NumbersEqualLists compares every number with the list behind its link: for random companies,
// histories, filters and groups, as each manager, at first and after leads have changed, moved and been deleted.
func TestReports_RandomLeads_NumbersEqualLists(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(11, 7))}
	const leads = 240
	h.addLeads(leads)
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["admin"].Actor, h.People["piotr"].UserID, access.Manager)
	}))
	managers := map[string]*webtest.Browser{"maya": h.SignInAs("maya"), "piotr": h.SignInAs("piotr")}
	lists := map[string]int{} // of a manager: what was counted before
	check := func(who, path string) (seen int) {
		t.Helper()
		page := managers[who].Get(path)
		if page.Status != http.StatusOK {
			t.Fatalf("%s, %s: got status %d", who, path, page.Status)
		}
		for list, n := range numbers(t, page) {
			rows, counted := lists[who+list]
			if !counted {
				rows = countRows(managers[who], list)
				lists[who+list] = rows
			}
			if rows != n {
				t.Errorf("%s, %s: %d above %d leads of %s", who, path, n, rows, list)
			}
			seen++
		}
		return seen
	}
	pick := func(values ...string) string { return values[h.random.IntN(len(values))] }
	for round, when := range []string{"at first", "after changes", "in another time zone"} {
		clear(lists)
		for who := range managers {
			if n := check(who, to.Full.ReportsWith(to.ReportQuery{Period: "12-months"})); n < 30 {
				t.Errorf("%s, %s: only %d numbers", when, who, n)
			}
			total, _ := strconv.Atoi(strings.TrimSpace(
				managers[who].Get("/reports?period=12-months").Find(".report-facts .hero").First().Text()))
			if total < 40 {
				t.Errorf("%s, %s: got %d inquiries, want many", when, who, total)
			}
			if n := check(who, to.Full.ReportsWith(to.ReportQuery{Dates: "funded", Period: "12-months"})); n < 5 {
				t.Errorf("%s, %s, funded: only %d numbers", when, who, n)
			}
			for _, name := range to.ReportNames() {
				q := to.ReportQuery{Dates: pick("", "funded"), By: pick("originator", "month", "state", "source"),
					Period: pick("", "this-month", "last-month", "last-quarter", "6-months", "this-year")}
				check(who, to.Full.Report(name, q))
				if name == "time-in-step" {
					q.Step = pick("UNKNOWN", string(heloc.Steps()[1]), string(heloc.StepPayoff))
				}
				q.Dates, q.Credit = pick("", "funded"), pick("", "held")
				q.Source, q.State = pick("", "crm", "unknown"), pick("", "CO", to.NoState)
				q.Originator = pick("", to.NoOriginator, h.People["olivia"].OriginatorUUID)
				check(who, to.Full.Report(name, q))
			}
		}
		switch round {
		case 0:
			h.change(leads)
		case 1:
			got := managers["maya"].Send(managers["maya"].Get("/reports").Form("#zone-form").With("zone", "Pacific/Honolulu"))
			got.WantText("Hawaii")
			managers["maya"].Get("/reports").WantText("in Hawaii Time")
			managers["piotr"].Get("/reports").WantText("in Eastern Time")
		}
	}
}

// TestReports_OtherRolesAndCompanies_SeeNothing: reports are for managers, and each sees the own company only.
func TestReports_OtherRolesAndCompanies_SeeNothing(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(2, 7))}
	h.addLeads(60)
	for _, who := range []string{"olivia", "ada", "admin", "piotr"} {
		v := h.SignInAs(who)
		for _, path := range []string{"/reports", "/reports/funnel", "/reports/funnel.csv", "/reports/figures",
			"/reports/figures.csv"} {
			if got := v.Get(path); got.Status != http.StatusForbidden {
				t.Errorf("%s, %s: got status %d, want 403", who, path, got.Status)
			}
		}
		if got := v.Post("/reports/zone", url.Values{"zone": {"UTC"}}); got.Status != http.StatusForbidden {
			t.Errorf("%s: setting the zone: got status %d, want 403", who, got.Status)
		}
		if v.Get("/account").Find(`nav a[href="/reports"]`).Length() > 0 {
			t.Errorf("%s has a link to the reports", who)
		}
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["admin"].Actor, h.People["piotr"].UserID, access.Manager)
	}))
	piotr := h.SignInAs("piotr")
	for _, path := range []string{"/reports?period=12-months", "/reports/funnel.csv?period=12-months",
		"/reports/time-in-step?period=12-months", "/reports?period=12-months&dates=funded",
		"/reports/scorecard?period=12-months&dates=funded",
		"/reports?period=12-months&originator=" + h.People["olivia"].OriginatorUUID} {
		page := piotr.Get(path)
		for _, name := range []string{"Olivia", "Marcus", "Maya"} {
			if page.Status != http.StatusOK || strings.Contains(page.Body, name) {
				t.Errorf("%s: status %d, and the other company's manager reads %q", path, page.Status, name)
			}
		}
	}
	if got := piotr.Get("/reports/figure"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown report: got status %d, want 404", got.Status)
	}
}

// TestReports_NothingStarted_SayWhen reads the reports of a company without leads, and of filters without leads.
func TestReports_NothingStarted_SayWhen(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(2, 7))}
	maya := h.SignInAs("maya")
	zone, err := time.LoadLocation("America/New_York")
	h.Must(err)
	last := time.Now().In(zone)
	last = time.Date(last.Year(), last.Month(), 1, 12, 0, 0, 0, zone).AddDate(0, -1, 0)
	for _, path := range []string{"/reports", "/reports/funnel", "/reports/pull-through", "/reports/fallout",
		"/reports/time-in-step"} {
		maya.Get(path+"?period=last-month").WantText("No inquiry started in "+last.Format("January 2006")+".",
			"Choose another period.")
	}
	h.addLeads(40)
	maya.Get("/reports?period=12-months&state=WY").WantText("No inquiries match these filters.", "Wyoming")
	for _, path := range []string{"/reports", "/reports/funnel", "/reports/pull-through", "/reports/fallout",
		"/reports/time-in-step"} {
		page := maya.Get(path + "?period=12-months")
		page.WantText("As of", "How these figures are counted")
		if page.Find("main table caption").Length() != page.Find("main table").Length() {
			t.Errorf("%s: a table has no caption", path)
		}
		if drawings, tables := page.Find("svg.chart").Length(),
			page.Find("details.twin table").Length(); drawings == 0 || drawings != tables {
			t.Errorf("%s: got %d drawings and %d tables for them", path, drawings, tables)
		}
	}
}

// TestReports_LeadStages_CountedAsDefined compares the funnel, pull-through and fallout with leads that were made for
// each definition.
func TestReports_LeadStages_CountedAsDefined(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia := h.People["olivia"]
	now := time.Now()
	rows := []lead.Row{
		{Step: heloc.StepPayoff},                                                 // open, no offers
		{Step: heloc.StepOffersAvailable},                                        // open, offers
		{Step: heloc.StepClosed, SelectedAmount: heloc.Dollars(50_000)},          // canceled after a selection
		{Step: heloc.StepComplete},                                               // selected, complete
		{Step: heloc.StepComplete, Converted: true},                              // an open application
		{Step: heloc.StepComplete, Converted: true, Funded: true},                // funded
		{Step: heloc.StepWithdrawn, Converted: true, DeclinedDate: "2026-11-02"}, // fallout: declined
		{Step: heloc.StepWithdrawn, Converted: true},                             // fallout: withdrawn
		{Step: heloc.StepWithdrawn, ExpirationDate: "2020-01-01"},                // expired before an application
		{Step: heloc.StepNoOffers, SetAsideAt: 1},                                // closed here
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i, l := range rows {
			l.App, l.Originator, l.Company, l.Organization = appOf(i), heloc.OriginatorID(olivia.OriginatorUUID),
				olivia.Company(), olivia.Organization
			l.StepSince, l.RefreshAt, l.Source = store.Millis(now), store.Millis(now.Add(time.Hour)), lead.SourcePortal
			if err := tx.AddLead(t.Context(), &l, now); err != nil {
				return err
			}
		}
		// The third lead had reached its offers before it was closed; the last one, too.
		l, err := tx.AnyLead(t.Context(), appOf(9))
		if err != nil {
			return err
		}
		l.Step, l.SetAsideAt = heloc.StepOffersAvailable, 0
		if err := tx.SaveLead(t.Context(), &l, now, true); err != nil {
			return err
		}
		l.Step, l.SetAsideAt = heloc.StepNoOffers, 1
		return tx.SaveLead(t.Context(), &l, now, true)
	}))
	maya := h.SignInAs("maya")
	cells := func(path, selector string) string {
		var all []string
		maya.Get(path).Find(selector).First().Find("td").
			Each(func(_ int, s *webtest.Selection) { all = append(all, strings.TrimSpace(s.Text())) })
		return strings.Join(all, " ")
	}
	for _, tt := range []struct{ path, selector, want string }{
		{"/reports", "#groups tfoot tr", "10 8 6 4 1 4 25%"},
		{"/reports/funnel", "#groups tfoot tr", "10 8 80% 6 75% 4 67% 1 25%"},
		{"/reports/pull-through", "#groups tfoot tr", "4 1 1 2 25%"},
		{"/reports/fallout", "#groups tfoot tr", "4 1 1 0 0 2 50%"},
		{"/reports/fallout", "#early tfoot tr", "6 3 0 0 1 1 1"},
		{"/reports/fallout", "#fallout-table tbody tr:last-child", "0 1 1"},
		{"/reports/fallout", "#fallout-table tfoot tr", "2 3 5"},
	} {
		if got := cells(tt.path, tt.selector); got != tt.want {
			t.Errorf("%s %s: got %q, want %q", tt.path, tt.selector, got, tt.want)
		}
	}
	fallout := maya.Get("/reports/fallout")
	if got := barValues(fallout); got != "1 1 1 1 1" {
		t.Errorf("got the bars %q, want those without applications too", got)
	}
	fallout.Find("#fallout-table tfoot a").Each(func(i int, a *webtest.Selection) {
		if got := maya.Get(a.AttrOr("href", "")).Find(".leads tbody tr").
			Length(); strconv.Itoa(got) != strings.TrimSpace(a.Text()) {
			t.Errorf("total %d: its list has %d leads, want %s", i, got, a.Text())
		}
	})
	list := maya.Get(maya.Get("/reports/fallout").Find(`#early a[href*="outcome=expired"]`).First().AttrOr("href", ""))
	list.WantText("Inquiries started", "No application", "Expired", "Remove")
	if got := maya.Get(list.Find(".cohort a").AttrOr("href", "")).Find(".leads tbody tr").Length(); got != len(rows) {
		t.Errorf("without the filters of the report: got %d leads, want %d", got, len(rows))
	}
	if form := list.Form("form.filters"); form.Values.Get("outcome") != "expired" || form.Values.Get("started") == "" {
		t.Errorf("the filters of the list lose those of the report: %v", form.Values)
	}
}

// barValues are the numbers beside the bars of a page.
func barValues(page *webtest.Response) string {
	var values []string
	page.Find("svg.chart .value").Each(func(_ int, s *webtest.Selection) { values = append(values, s.Text()) })
	return strings.Join(values, " ")
}

// TestFallout_OnlyClosedHere_NotCalledNone: a lead that was closed without offers has ended without funding.
func TestFallout_OnlyClosedHere_NotCalledNone(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia, now := h.People["olivia"], time.Now()
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddLead(t.Context(), &lead.Row{
			App: appOf(0), Originator: heloc.OriginatorID(olivia.OriginatorUUID), Company: olivia.BrokerID,
			Organization: olivia.Organization, Step: heloc.StepNoOffers, SetAsideAt: 1, StepSince: store.Millis(now),
			RefreshAt: store.Millis(now.Add(time.Hour)), Source: lead.SourcePortal,
		}, now)
	}))
	page := h.SignInAs("maya").Get("/reports/fallout")
	page.WantText("Inquiries without an application", "Closed without offers")
	if got := strings.TrimSpace(page.Find("#fallout-h").Text()); got != "Ended without funding" {
		t.Errorf("the drawing is called %q, and it has more than the fallout", got)
	}
	if got := barValues(page); got != "0 0 0 0 1" || page.Find("svg.chart rect").Length() != 1 {
		t.Errorf("got the values %q and %d bars, want one bar for the 1", got, page.Find("svg.chart rect").Length())
	}
	if strings.Contains(page.Text(), "No lead has ended") || page.Find("svg.chart").Length() != 1 {
		t.Errorf("got %q, want the closed lead", page.MainText())
	}
}

// TestReportCaptions_EachReport_GroupNamedOnce: the caption of a table is read out.
func TestReportCaptions_EachReport_GroupNamedOnce(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(6, 7))}
	h.addLeads(20)
	maya := h.SignInAs("maya")
	for _, name := range to.ReportNames() {
		maya.Get(to.Full.Report(name, to.ReportQuery{Period: "12-months"})).
			Find("main caption").Each(func(_ int, s *webtest.Selection) {
			if strings.Count(strings.ToLower(s.Text()), "by originator") > 1 {
				t.Errorf("%s: a table is called %q", name, s.Text())
			}
		})
	}
}
