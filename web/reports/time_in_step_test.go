package reports_test

import (
	"encoding/csv"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/to"
	"hearthline/web/format"
	"hearthline/web/webtest"
)

// TestTimeInStep_EachStep_SameFiguresAsFile follows the link of each step to its table by originator. Together they have
// the rows of the file.
func TestTimeInStep_EachStep_SameFiguresAsFile(t *testing.T) {
	t.Parallel()
	h := history{webtest.New(t, webtest.Options{NoJobs: true, NoSync: true}), rand.New(rand.NewPCG(9, 7))} //nolint:gosec // the same leads in every run
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
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Body, format.ByteOrderMark))).ReadAll()
	h.Must(err)
	var exported []string
	for _, row := range rows[1:] {
		exported = append(exported, strings.Join(row[5:], "|"))
	}
	slices.Sort(shown)
	slices.Sort(exported)
	if len(shown) < 12 || !slices.Equal(shown, exported) {
		t.Errorf("got %d rows on the pages\n%s\nwant those of the file\n%s", len(shown), strings.Join(shown, "\n"), strings.Join(exported, "\n"))
	}
}

// TestTimeInStep_NoStepChosen_LongestCompared: without a choice, and with a step that no lead has left, the table compares
// the step at which leads spent the most time together. One lead was longer at another step.
func TestTimeInStep_NoStepChosen_LongestCompared(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia, now := h.People["olivia"], time.Now()
	stays := map[heloc.Step]time.Duration{heloc.StepPayoff: 70 * time.Hour, heloc.StepLienMatching: 50 * time.Hour, heloc.StepCreditMatch: time.Minute, heloc.StepWithdrawn: 900 * time.Hour}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range 3 {
			l := lead.Row{
				App: appOf(i), Originator: heloc.OriginatorID(olivia.OriginatorUUID), BrokerID: olivia.BrokerID, Organization: olivia.Organization,
				Step: heloc.StepComplete, StepSince: store.Millis(now), RefreshAt: store.Millis(now.Add(time.Hour)), Source: lead.SourcePortal,
			}
			if err := tx.AddLead(t.Context(), &l, now); err != nil {
				return err
			}
			for step, stayed := range stays {
				if step == heloc.StepPayoff && i > 0 {
					continue
				}
				if err := tx.AddEvent(t.Context(), lead.Event{App: l.App, At: store.Millis(now), Kind: lead.EventStep, From: step, To: heloc.StepComplete, Company: l.Company, StayedMillis: stayed.Milliseconds()}); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	maya := h.SignInAs("maya")
	for query, want := range map[string]heloc.Step{
		"": heloc.StepLienMatching, "?step=" + string(heloc.StepPayoff): heloc.StepPayoff, "?step=" + string(heloc.StepSelectProperty): heloc.StepLienMatching,
		"?step=" + string(heloc.StepWithdrawn): heloc.StepLienMatching, "?step=x": heloc.StepLienMatching,
	} {
		page := maya.Get("/reports/time-in-step" + query)
		if got := page.Find(`select[name="step"] option[selected]`).AttrOr("value", ""); got != string(want) {
			t.Errorf("%q: the filter says %q, want %q", query, got, want)
		}
		if got, want := strings.TrimSpace(page.Find("#groups header .dim").Text()), format.StepName(want); got != want {
			t.Errorf("%q: the table is about %q, want %q", query, got, want)
		}
	}
	if page := maya.Get("/reports/funnel?step=PAYOFF_REQUIRED"); page.Find(`select[name="step"]`).Length() != 0 {
		t.Error("the funnel can be filtered by a step")
	}
}
