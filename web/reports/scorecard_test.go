package reports_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/webtest"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// spaced is the text of an element, with a space between its parts.
func spaced(s *webtest.Selection) string {
	words, _ := s.Html()
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(words, " "))), " ")
}

// scoreRows reads the table by originator of a page, its total as "Total": the cells by row.
func scoreRows(page *webtest.Response) map[string][]string {
	all := map[string][]string{}
	page.Find("#groups tbody tr, #groups tfoot tr").Each(func(_ int, tr *webtest.Selection) {
		var cells []string
		tr.Find("td").Each(func(_ int, td *webtest.Selection) {
			cells = append(cells, spaced(td))
		})
		all[strings.TrimSpace(tr.Find("th").Text())] = cells
	})
	return all
}

// reassign moves leads between the people of their company at random, some of them back, and takes some from everybody.
func (h history) reassign(n int) (moved int) {
	h.T.Helper()
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		for i := range n {
			l, err := tx.AnyLead(h.T.Context(), appOf(i))
			if err != nil {
				return err
			}
			before := l.Originator
			if l.Company == h.People["piotr"].Company() || h.random.IntN(2) == 0 {
				continue
			}
			for _, who := range []string{"olivia", "marcus", "maya"}[:1+h.random.IntN(3)] {
				l.Originator = heloc.OriginatorID(h.People[who].OriginatorUUID)
				if err := tx.SaveLead(h.T.Context(), &l, time.Now(), true); err != nil {
					return err
				}
				if err := tx.AddEvent(h.T.Context(), lead.Event{App: l.App, Originator: l.Originator,
					At: store.Millis(time.Now()), Kind: lead.EventReassigned}); err != nil {
					return err
				}
			}
			if h.random.IntN(4) == 0 { // back
				l.Originator = before
				if err := tx.SaveLead(h.T.Context(), &l, time.Now(), true); err != nil {
					return err
				}
			}
			if before != l.Originator {
				moved++
			}
		}
		return nil
	}))
	return moved
}

// TestScorecard_RandomReassignments_MoveWorkNotCredit reassigns leads at random: what counts for who started them stays
// the same for everybody, what they hold changes, and persons and unknown ones add up to the company.
func TestScorecard_RandomReassignments_MoveWorkNotCredit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		//nolint:gosec // the same leads in every run
		h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(seed, 3))}
		const leads = 150
		h.addLeads(leads)
		maya := h.SignInAs("maya")
		credit := func(credit string) map[string][]string {
			return scoreRows(maya.Get(to.Full.Report("scorecard", to.ReportQuery{Credit: credit, Period: "12-months"})))
		}
		// what follows "holds" is about now
		cut := func(rows map[string][]string) map[string][]string {
			for name := range rows {
				rows[name][0], _, _ = strings.Cut(rows[name][0], " ")
			}
			return rows
		}
		before, heldBefore := cut(credit("")), cut(credit("held"))
		if len(before) < 4 || before["Starter not known"] == nil {
			t.Fatalf("seed %d: got rows %v", seed, before)
		}
		if h.reassign(leads) < 20 {
			t.Fatalf("seed %d: too few leads moved", seed)
		}
		if after := cut(credit("")); !maps.EqualFunc(before, after, slices.Equal) {
			t.Errorf("seed %d: reassignments changed who started leads:\n%v\n%v", seed, before, after)
		}
		held := cut(credit("held"))
		if maps.EqualFunc(held, heldBefore, slices.Equal) {
			t.Errorf("seed %d: reassignments did not change who holds leads", seed)
		}
		if !slices.Equal(held["Total"], before["Total"]) {
			t.Errorf("seed %d: the company has %v by who holds leads, and %v by who started them", seed, held["Total"],
				before["Total"])
		}
		for name, rows := range map[string]map[string][]string{"started": before, "held": held} {
			for column := range 5 { // inquiries and the four amounts
				sum, total := int64(0), amountOf(t, rows["Total"][column])
				for who, cells := range rows {
					if who != "Total" {
						sum += amountOf(t, cells[column])
					}
				}
				if sum != total {
					t.Errorf("seed %d, %s, column %d: persons and unknown add up to %d, the company has %d", seed, name, column, sum,
						total)
				}
			}
		}
		for _, query := range []to.ReportQuery{{Period: "12-months"}, {Credit: "held", Period: "12-months"}} {
			page := maya.Get(to.Full.ReportsWith(query))
			for list, n := range numbers(t, page) {
				if rows := countRows(maya, list); rows != n {
					t.Errorf("seed %d: %d above %d leads of %s", seed, n, rows, list)
				}
			}
			if page.Find(`a[href*="moved=true"]`).Length() != 1 {
				t.Errorf("seed %d: the page does not say how many leads were reassigned", seed)
			}
		}
	}
}

// amountOf is the first number of a cell, such as "$1,200 3 leads"; a dash is 0.
func amountOf(t *testing.T, cell string) int64 {
	t.Helper()
	first, _, _ := strings.Cut(cell, " ")
	first = strings.NewReplacer("$", "", ",", "", "—", "0", "%", "").Replace(first)
	n, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		t.Errorf("the cell %q has no number", cell)
	}
	return n
}

// addScored adds leads of Marcus, given to Olivia, with events at whole hours after their start.
func addScored(h *webtest.Harness, at time.Time, rows ...scored) {
	h.T.Helper()
	marcus, olivia := h.People["marcus"], heloc.OriginatorID(h.People["olivia"].OriginatorUUID)
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		for i, r := range rows {
			l := lead.Row{App: heloc.AppID(fmt.Sprintf("%08d-0000-4000-8000-%012d", at.YearDay(), i)), Originator: olivia,
				Company: marcus.Company(), Organization: marcus.Organization, StepSince: store.Millis(at),
				RefreshAt: store.Millis(time.Now().Add(time.Hour)), Source: lead.SourcePortal,
				RequestedAmount: heloc.Dollars(r.requested), MaxAmount: heloc.Dollars(r.offered),
				SelectedAmount: heloc.Dollars(r.selected), Step: heloc.StepPayoff}
			if r.offered > 0 {
				l.Step = heloc.StepOffersAvailable
			}
			if r.funded > 0 {
				l.Step, l.Converted, l.Funded = heloc.StepComplete, true, true
				l.FundedDate = heloc.DateOf(at.Add(time.Duration(r.funded) * time.Hour))
			}
			if err := tx.AddLead(h.T.Context(), &l, at); err != nil {
				return err
			}
			if err := tx.AddOperation(h.T.Context(), lead.Operation{ID: "hl-" + string(l.App), Kind: heloc.OpStart, App: l.App,
				ActorID: "u", ActorName: "u", Originator: heloc.OriginatorID(marcus.OriginatorUUID), Company: l.Company,
				State: lead.OpSucceeded, CreatedAt: store.Millis(at)}); err != nil {
				return err
			}
			for _, e := range []struct {
				hours int
				kind  lead.EventKind
				step  heloc.Step
			}{{r.offersAfter, lead.EventStep, heloc.StepOffersAvailable}, {r.selectedAfter, lead.EventStep,
				heloc.StepBorrowerAuth}, {r.selectedAfter, lead.EventStep, heloc.StepComplete}, {r.funded, lead.EventFunded, ""}} {
				if e.hours == 0 {
					continue
				}
				if err := tx.AddEvent(h.T.Context(), lead.Event{App: l.App, Kind: e.kind, StepAfter: e.step,
					At: store.Millis(at.Add(time.Duration(e.hours) * time.Hour))}); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// scored is the amounts of a lead, in dollars, and when it reached the stages, in hours after its start.
type scored struct {
	requested, offered, selected       int64
	offersAfter, selectedAfter, funded int
}

// TestScorecard_OneOriginator_AmountsMediansAndPrevious reads the scorecard of an originator whose leads somebody else
// holds now, with custom dates, and its file.
func TestScorecard_OneOriginator_AmountsMediansAndPrevious(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	zone, err := time.LoadLocation("America/New_York")
	h.Must(err)
	now := time.Now().In(zone)
	noon := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, zone)
	first, before := noon.AddDate(0, 0, -20), noon.AddDate(0, 0, -27)
	addScored(h, first, scored{requested: 100_000, offered: 120_000, selected: 80_000, offersAfter: 12, selectedAfter: 48,
		funded: 240}, scored{requested: 50_000, offered: 60_000, offersAfter: 36}, scored{})
	addScored(h, before, scored{requested: 120_000, offered: 90_000, offersAfter: 72})
	maya := h.SignInAs("maya")
	const us = "01/02/2006"
	q := to.ReportQuery{From: first.AddDate(0, 0, -2).Format(us), To: first.AddDate(0, 0, 4).Format(us),
		Originator: h.People["marcus"].OriginatorUUID}
	page := maya.Get(to.Full.Report("scorecard", q))
	page.WantText("Scorecard: Marcus Reyes", "Counted by who started the inquiry", "3 of these were reassigned since")
	var facts []string
	page.Find(".report-facts > div").Each(func(_ int, s *webtest.Selection) {
		facts = append(facts, spaced(s))
	})
	wanted := []string{"Requested $150,000 3 inquiries, 2 with an amount +25% from $120,000 1 started",
		"Offered $180,000 2 with offers +100% from $90,000", "Selected $80,000 1 selected Previously —",
		"Funded $80,000 1 funded Previously —"}
	if len(facts) != len(wanted) {
		t.Fatalf("got %q", facts)
	}
	for i, want := range wanted {
		if !strings.HasPrefix(facts[i], want) {
			t.Errorf("got %q, want %q", facts[i], want)
		}
	}
	var days []string
	page.Find("#days tbody tr").Each(func(_ int, s *webtest.Selection) {
		days = append(days, spaced(s))
	})
	if want := []string{"To offers 1 day 2 leads 3 days 1 lead 1 day 2 leads",
		"To selection 2 days 1 lead — 2 days 1 lead",
		"To funding 10 days 1 lead — 10 days 1 lead"}; !slices.Equal(days, want) {
		t.Errorf("got days %q, want %q", days, want)
	}
	rows := scoreRows(page)
	if got := rows["Marcus Reyes"]; len(got) != 9 || got[0] != "3 holds 0 now" ||
		got[5] != "100% 1 of 1" || page.Find("#groups tr.current th").Text() != "Marcus Reyes" {
		t.Errorf("got the row %q", got)
	}
	for list, n := range numbers(t, page) {
		if got := countRows(maya, list); got != n {
			t.Errorf("%d above %d leads of %s", n, got, list)
		}
	}
	file := maya.Get(page.Find(`a[href*=".csv"]`).AttrOr("href", ""))
	got, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Body, text.ByteOrderMark))).ReadAll()
	h.Must(err)
	if want := []string{"Marcus Reyes", "3", "$150,000", "2", "$180,000", "2", "$80,000", "1", "$80,000", "1", "100%", "1",
		"1 day", "2", "2 days", "1", "10 days", "1"}; !slices.Equal(got[1][5:], want) ||
		got[1][0] != q.From || got[1][1] != q.To {
		t.Errorf("got the file\n%q, want\n%q", got, want)
	}
}

// TestScorecard_NoKnownAmount_NoChange: amounts that are not known have not fallen by 100%.
func TestScorecard_NoKnownAmount_NoChange(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	zone, err := time.LoadLocation("America/New_York")
	h.Must(err)
	now := time.Now().In(zone)
	first := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, zone).AddDate(0, 0, -20)
	addScored(h, first, scored{})
	addScored(h, first.AddDate(0, 0, -7), scored{requested: 120_000, offered: 90_000, offersAfter: 72})
	const us = "01/02/2006"
	page := h.SignInAs("maya").Get(to.Full.Report("scorecard", to.ReportQuery{From: first.AddDate(0, 0, -2).Format(us),
		To: first.AddDate(0, 0, 4).Format(us), Originator: h.People["marcus"].OriginatorUUID}))
	var facts []string
	page.Find(".report-facts > div").Each(func(_ int, s *webtest.Selection) {
		facts = append(facts, spaced(s))
	})
	wanted := []string{"Requested — 1 inquiry, 0 with an amount Previously $120,000",
		"Offered — 0 with offers −100% from $90,000"} // that there are none is known
	if len(facts) < len(wanted) {
		t.Fatalf("got %q", facts)
	}
	for i, want := range wanted {
		if !strings.HasPrefix(facts[i], want) {
			t.Errorf("got %q, want %q", facts[i], want)
		}
	}
}

// TestReports_CustomDates_KeptUntilValid: what was typed stays beside its message, and the form's own dates do not hide
// the period that a user chooses.
func TestReports_CustomDates_KeptUntilValid(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(5, 7))}
	h.addLeads(40)
	maya := h.SignInAs("maya")
	for _, tt := range []struct{ from, to, want string }{
		{"09/31/2026", "11/20/2026", "September"}, {"", "11/20/2026", "Enter a From date"},
		{"<b>", "x", "Check the dates."}, {"11/20/2026", "09/01/2026", "on or after the From date"},
		{"01/01/1999", "11/20/2026", "within 10 years"}, {"09/01/2026", "09/01/2999", "future"},
	} {
		page := maya.Get("/reports?" + url.Values{"from": {tt.from}, "to": {tt.to}}.Encode())
		if page.Status != http.StatusUnprocessableEntity || page.Find(`input[name="from"]`).AttrOr("value", "") != tt.from ||
			page.Find(`input[name="to"]`).AttrOr("value", "") != tt.to || page.Find(".report-facts").Length() > 0 {
			t.Errorf("%v: got status %d", tt, page.Status)
		}
		page.WantText(tt.want)
		if got := maya.Get("/reports/funnel.csv?" + url.Values{"from": {tt.from}, "to": {tt.to}}.Encode()); got.Status !=
			http.StatusUnprocessableEntity {
			t.Errorf("%v: the file: got status %d", tt, got.Status)
		}
	}
	form := maya.Get("/reports").Form("form.filters")
	period := func(f webtest.Form) string {
		page := maya.Get("/reports?" + f.Values.Encode())
		return page.Find(`select[name="period"] option[selected]`).AttrOr("value", "")
	}
	if got := period(form.With("period", "last-month")); got != "last-month" {
		t.Errorf("another period: got %q", got)
	}
	custom := maya.Get("/reports?" + form.With("from", "09/15/2026", "to", "11/02/2026").Values.Encode())
	custom.WantText("Inquiries started Sep 15 to Nov 2, 2026")
	ahead := maya.Get("/reports?" + url.Values{"from": {"09/15/2026"},
		"to": {time.Now().AddDate(0, 2, 0).Format("01/02/2006")}}.Encode())
	denver, err := time.LoadLocation("America/Denver")
	h.Must(err)
	ahead.WantText("Inquiries started " + text.PeriodText("2026-09-15", string(heloc.DateOf(time.Now().In(denver)))))
	if got := period(custom.Form("form.filters").With("state", "CO")); got != "custom" {
		t.Errorf("another state: got %q, want the custom dates", got)
	}
	if got := period(custom.Form("form.filters").With("period", "this-year")); got != "this-year" {
		t.Errorf("a period instead of dates: got %q", got)
	}
}

// TestReports_OtherCompany_StartersUnseen: a manager of another company cannot list leads by who started them.
func TestReports_OtherCompany_StartersUnseen(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(2, 7))}
	h.addLeads(60)
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.ChangeRole(t.Context(), h.People["admin"].Actor, h.People["piotr"].UserID, access.Manager)
	}))
	piotr := h.SignInAs("piotr")
	olivia := h.People["olivia"].OriginatorUUID
	if n := countRows(piotr, to.Full.Leads(to.LeadsQuery{View: "all", StartedBy: olivia})); n != 0 {
		t.Errorf("the other company's manager lists %d leads that Olivia started", n)
	}
	page := piotr.Get(to.Full.Report("scorecard", to.ReportQuery{Period: "12-months", Originator: olivia}))
	if page.Status != http.StatusOK || strings.Contains(page.Body, "Olivia") {
		t.Errorf("got status %d, or Olivia's name", page.Status)
	}
	if h.SignInAs("olivia").Get(to.Full.Report("scorecard", to.ReportQuery{})).Status != http.StatusForbidden {
		t.Error("an originator reads the scorecard")
	}
}

// TestReports_FundedDates_CountLeadsByFundingDay: a lead that started before the period and was funded in it counts
// with its dollars, one that only started in it does not, and nothing claims a pull-through of funded leads.
func TestReports_FundedDates_CountLeadsByFundingDay(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	zone, err := time.LoadLocation("America/Denver")
	h.Must(err)
	now := time.Now().In(zone).Truncate(time.Hour)
	addScored(h, now.AddDate(0, 0, -40), scored{requested: 100_000, offered: 120_000, selected: 80_000, offersAfter: 12,
		funded: 30 * 24}, scored{requested: 100_000, offered: 90_000, selected: 60_000, funded: 20 * 24})
	addScored(h, now.AddDate(0, 0, -9), scored{requested: 50_000, offered: 60_000})
	maya := h.SignInAs("maya")
	const us = "01/02/2006"
	q := to.ReportQuery{Dates: "funded", From: now.AddDate(0, 0, -12).Format(us), To: now.AddDate(0, 1, 0).Format(us)}
	through := text.PeriodText(string(heloc.DateOf(now.AddDate(0, 0, -12))), string(heloc.DateOf(now)))
	page := maya.Get(to.Full.Report("scorecard", q))
	page.WantText("Funded "+through, "the lender reports as funded, by the lender’s date")
	if got := scoreRows(page)["Marcus Reyes"]; len(got) != 8 || got[0] != "1 holds 0 now" ||
		got[4] != "$80,000 1 lead" || got[7] != "30 days 1 lead" {
		t.Errorf("got the row %q", got)
	}
	list := maya.Get(page.Find(`#groups a[href*="dates=funded"]`).First().AttrOr("href", ""))
	list.WantText("Funded " + through)
	if form := list.Form("form.filters"); form.Values.Get("dates") != "funded" {
		t.Errorf("the filters of the list lose what its days mean: %v", form.Values)
	}
	if got := spaced(maya.Get(to.Full.ReportsWith(q)).Find(".report-facts").First()); !strings.HasPrefix(got,
		"Funded $80,000 1 funded +33% from $60,000 1 funded ") {
		t.Errorf("got the fact %q", got)
	}
	for _, name := range to.ReportNames() {
		page := maya.Get(to.Full.Report(name, q))
		table := page.Find("main table").Text()
		if page.Status != http.StatusOK || strings.Contains(table, "%") || strings.Contains(table, "Pull-through") {
			t.Errorf("%s: got status %d and the tables %q", name, page.Status, table)
		}
		for list, n := range numbers(t, page) {
			if got := countRows(maya, list); got != n {
				t.Errorf("%s: %d above %d leads of %s", name, n, got, list)
			}
		}
		file := strings.TrimPrefix(maya.Get(to.Full.ReportCSV(name, q)).Body, text.ByteOrderMark)
		if !strings.HasPrefix(file, "Funded from,Funded through,") || strings.Contains(file, "%") {
			t.Errorf("%s: got the file %q", name, file)
		}
	}
}
