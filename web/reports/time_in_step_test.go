package reports_test

import (
	"encoding/csv"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/webtest"
)

// TestTimeInStep_EachStep_SameFiguresAsFile follows the link of each step to its table by originator. Together they
// have the rows of the file.
func TestTimeInStep_EachStep_SameFiguresAsFile(t *testing.T) {
	t.Parallel()
	//nolint:gosec // the same leads in every run
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(9, 7))}
	h.addLeads(120)
	maya := h.SignInAs("maya")
	page := maya.Get(to.Full.Report("time-in-step", to.ReportQuery{Period: "12-months"}))
	var shown []string
	page.Find("#time-in-step-table tbody th a").Each(func(_ int, a *webtest.Selection) {
		address, fragment, _ := strings.Cut(a.AttrOr("href", ""), "#")
		step := maya.Get(address)
		if fragment != "groups" || step.Status != http.StatusOK || step.Find("#groups header").Text() == "" {
			t.Fatalf("%s: got status %d without a table at #%s", address, step.Status, fragment)
		}
		if got := strings.TrimSpace(step.Find("#groups header .dim").Text()); got != a.Text() {
			t.Errorf("the link of %s leads to %s", a.Text(), got)
		}
		step.Find("#groups tbody tr").Each(func(_ int, tr *webtest.Selection) {
			row := []string{strings.TrimSpace(tr.Find("th").Text()), a.Text()}
			tr.Find("td").Each(func(_ int, td *webtest.Selection) { row = append(row, strings.TrimSpace(td.Text())) })
			shown = append(shown, strings.Join(row, "|"))
		})
	})
	file := maya.Get(page.Find(`a[href*=".csv"]`).AttrOr("href", ""))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Body, text.ByteOrderMark))).ReadAll()
	h.Must(err)
	var exported []string
	for _, row := range rows[1:] {
		exported = append(exported, strings.Join(row[5:], "|"))
	}
	slices.Sort(shown)
	slices.Sort(exported)
	if len(shown) < 12 || !slices.Equal(shown, exported) {
		t.Errorf("got %d rows on the pages\n%s\nwant those of the file\n%s",
			len(shown), strings.Join(shown, "\n"), strings.Join(exported, "\n"))
	}
}

// TestTimeInStep_NoStepChosen_LongestCompared: without a choice, and with a step that no lead has left, the table
// compares the step at which leads spent the most time together. One lead was longer at another step.
func TestTimeInStep_NoStepChosen_LongestCompared(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	addStays(h, map[heloc.Step][]time.Duration{
		heloc.StepPayoff: {70 * time.Hour}, heloc.StepLienMatching: {50 * time.Hour, 50 * time.Hour, 50 * time.Hour},
		heloc.StepCreditMatch: {time.Minute, time.Minute, time.Minute},
		heloc.StepWithdrawn:   {900 * time.Hour, 900 * time.Hour, 900 * time.Hour},
	})
	maya := h.SignInAs("maya")
	for query, want := range map[string]heloc.Step{
		"": heloc.StepLienMatching, "?step=" + string(heloc.StepPayoff): heloc.StepPayoff,
		"?step=" + string(heloc.StepSelectProperty): heloc.StepLienMatching,
		"?step=" + string(heloc.StepWithdrawn):      heloc.StepLienMatching, "?step=x": heloc.StepLienMatching,
	} {
		page := maya.Get("/reports/time-in-step" + query)
		if got := page.Find(`select[name="step"] option[selected]`).AttrOr("value", ""); got != string(want) {
			t.Errorf("%q: the filter says %q, want %q", query, got, want)
		}
		if got, want := strings.TrimSpace(page.Find("#groups header .dim").Text()), text.StepName(want); got != want {
			t.Errorf("%q: the table is about %q, want %q", query, got, want)
		}
	}
	if page := maya.Get("/reports/funnel?step=PAYOFF_REQUIRED"); page.Find(`select[name="step"]`).Length() != 0 {
		t.Error("the funnel can be filtered by a step")
	}
}

// addStays adds Olivia's leads that started today, and lets the first of them leave each step after the first time, the
// second after the second, and so on.
func addStays(h *webtest.Harness, stays map[heloc.Step][]time.Duration) {
	h.T.Helper()
	olivia, now, n := h.People["olivia"], time.Now(), 0
	for _, times := range stays {
		n = max(n, len(times))
	}
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		for i := range n {
			l := lead.Row{
				App: appOf(i), Originator: heloc.OriginatorID(olivia.OriginatorUUID), Company: olivia.BrokerID,
				Organization: olivia.Organization, Step: heloc.StepComplete, StepSince: store.Millis(now),
				RefreshAt: store.Millis(now.Add(time.Hour)), Source: lead.SourcePortal,
			}
			if err := tx.AddLead(h.T.Context(), &l, now); err != nil {
				return err
			}
			for step, times := range stays {
				if i >= len(times) {
					continue
				}
				if err := tx.AddEvent(h.T.Context(), lead.Event{
					App: l.App, At: store.Millis(now), Kind: lead.EventStep, StepBefore: step, StepAfter: heloc.StepComplete,
					Company: l.Company, StayedMillis: times[i].Milliseconds(),
				}); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// TestTimeInStep_PageAndFile_ExactTimes: the times are those of the leads, not of a range that they are in, however
// long.
func TestTimeInStep_PageAndFile_ExactTimes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	hour := func(n float64) time.Duration { return time.Duration(n * float64(time.Hour)) }
	addStays(h, map[heloc.Step][]time.Duration{
		heloc.StepPayoff:         {hour(72.9)},
		heloc.StepLienMatching:   {hour(24 * 6), hour(24 * 6), hour(24 * 6)},
		heloc.StepCreditMatch:    {hour(1), hour(2), hour(3), hour(4), hour(5), hour(6), hour(7), hour(8), hour(9), hour(10)},
		heloc.StepUnfreezeCredit: {100 * time.Second, 200 * time.Second},
		heloc.StepNoOffers:       {hour(24 * 100)},
	})
	want := map[string][]string{
		"Payoff": {"1", "3 days 1 hr", "3 days 1 hr"}, "Verify liens": {"3", "6 days", "6 days"},
		"SSN needed": {"10", "5 hr 30 min", "9 hr 6 min"}, "Credit frozen": {"2", "2 min 30 sec", "3 min 10 sec"},
		"No offers": {"1", "100 days", "100 days"},
	}
	maya := h.SignInAs("maya")
	page := maya.Get(to.Full.Report("time-in-step", to.ReportQuery{}))
	got := map[string][]string{}
	page.Find("#time-in-step-table tbody tr").Each(func(_ int, tr *webtest.Selection) {
		var cells []string
		tr.Find("td").Each(func(_ int, td *webtest.Selection) { cells = append(cells, strings.TrimSpace(td.Text())) })
		got[strings.TrimSpace(tr.Find("th").Text())] = cells
	})
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the page: got %v, want %v", got, want)
	}
	drawn := strings.Join(strings.Fields(page.Find("#time-in-step svg").Text()), " ")
	for _, words := range []string{"3 days 1 hr, 3 days 1 hr", "100 days, 100 days", "120 days"} {
		if !strings.Contains(drawn, words) {
			t.Errorf("the chart lacks %q: %s", words, drawn)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(
		strings.TrimPrefix(maya.Get(to.Full.ReportCSV("time-in-step", to.ReportQuery{})).Body, text.ByteOrderMark))).ReadAll()
	h.Must(err)
	clear(got)
	for _, row := range rows[1:] {
		got[row[6]] = row[7:]
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the file: got %v, want %v", got, want)
	}
}
