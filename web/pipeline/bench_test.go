package pipeline_test

import (
	"context"
	"io"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/pipeline"
	"hearthline/web/webtest"
)

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// addLeads adds n leads of a user's.
func addLeads(b *testing.B, h *webtest.Harness, first string, n int) {
	b.Helper()
	who := h.People[first]
	owner := access.Owner{BrokerID: who.BrokerID, Organization: who.Organization}
	h.AddLeads(bench.Data{Leads: n, Company: owner,
		Originators: []heloc.OriginatorID{heloc.OriginatorID(who.OriginatorUUID)}, Now: time.Now()})
}

// contender is one of the things that are compared.
type contender struct {
	name string
	run  func() error
}

// compare runs the contenders in turns for a slice of time each, with eight requests at once, and returns the rates per
// second of each in every round. They are compared in turns, because the load of a machine changes within seconds.
func compare(b *testing.B, all []contender) (rates [][]float64) {
	b.Helper()
	const slice, rounds, workers = 130 * time.Millisecond, 15, 8
	rates = make([][]float64, len(all))
	for round := range rounds + 1 {
		for i, c := range all {
			runtime.GC()
			var done atomic.Int64
			var failed atomic.Pointer[error]
			began := time.Now()
			var wait sync.WaitGroup
			for range workers {
				wait.Go(func() {
					for time.Since(began) < slice {
						if err := c.run(); err != nil {
							failed.Store(&err)
							return
						}
						done.Add(1)
					}
				})
			}
			wait.Wait()
			if err := failed.Load(); err != nil {
				b.Fatalf("%s: %v", c.name, *err)
			}
			if round > 0 { // the first round warms up
				rates[i] = append(rates[i], float64(done.Load())/time.Since(began).Seconds())
			}
		}
	}
	return rates
}

// ratio is the median of the ratios of two contenders within each round.
func ratio(rates, reference []float64) float64 {
	var all []float64
	for round, r := range rates {
		all = append(all, r/reference[round])
	}
	return median(all)
}

func median(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)/2] }

// BenchmarkLeadsPage compares the pages of an originator with the query and the component of their list alone, with a
// lean query and a table, and with the list: every rate is also printed as a ratio to the three. With GOGC=200 it
// collects garbage as a portal does.
func BenchmarkLeadsPage(b *testing.B) {
	for _, n := range bench.Sizes(b) {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			h := webtest.New(b, webtest.Options{NoJobs: true, Large: true})
			v := h.SignInAs("olivia")
			lead, _ := v.StartLeadAt("Rivera", heloc.StepOffersAvailable) // with its offers, which the added leads lack
			addLeads(b, h, "olivia", n)
			all := []contender{{"query and component", queryAndComponent(b, h)},
				{"lean query and table", leanQueryAndTable(b, h)}}
			for _, path := range []string{"/leads?view=today", "/leads?view=all", "/leads?view=all&step=expired",
				"/leads?view=all&step=ssn-needed", "/leads?view=all&state=WA", "/leads?view=all&state=HI", "/leads?q=riveraaaa",
				lead, lead + "/offers", "/notifications"} {
				all = append(all, contender{"GET " + path, v.Requester(path)})
			}
			for b.Loop() {
				rates := compare(b, all)
				for i, c := range all {
					b.Logf("%7d leads  %-56s %7.0f/s  %.2f  %.2f  %.2f",
						n, c.name, median(rates[i]), ratio(rates[i], rates[0]), ratio(rates[i], rates[1]), ratio(rates[i], rates[2]))
				}
			}
		})
	}
}

// BenchmarkDatabases compares the pages of an originator and of a manager on SQLite with the same on PostgreSQL, and
// prints the rates of both and their ratio.
func BenchmarkDatabases(b *testing.B) {
	for _, n := range bench.Sizes(b) {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var all []contender
			var portals [2]*webtest.Harness
			for i := range portals {
				portals[i] = webtest.New(b, webtest.Options{NoJobs: true, NoSync: true, Large: true, Postgres: i == 1})
				addLeads(b, portals[i], "olivia", n)
			}
			page := to.Base("").Lead(string(bench.App(0)))
			for _, who := range []string{"olivia", "maya"} {
				for _, path := range []string{"/leads", "/leads?view=all&step=ssn-needed", "/leads?q=rivera", page} {
					for _, h := range portals {
						all = append(all, contender{who + " " + path, h.SignedInBrowser(who).Requester(path)})
					}
				}
			}
			for b.Loop() {
				rates := compare(b, all)
				for i := 0; i < len(all); i += 2 {
					b.Logf("%7d leads  %-48s SQLite %7.0f/s  PostgreSQL %7.0f/s  %.2f",
						n, all[i].name, median(rates[i]), median(rates[i+1]), ratio(rates[i+1], rates[i]))
				}
			}
		})
	}
}

// queryAndComponent reads a page of leads and renders the list, without a server, a session or a permission.
func queryAndComponent(b *testing.B, h *webtest.Harness) func() error {
	b.Helper()
	who := h.People["olivia"]
	query := lead.Query{Lane: heloc.LaneBlocked}
	page, err := h.DeskService.For(who.Actor).ListPage(b.Context(),
		deskpipeline.ListRequest{Query: query, Start: true, Reassignments: true, Views: true})
	check(b, err)
	model := pipeline.PresentPipeline(text.Viewer{Now: time.Now(), Zone: time.UTC}, to.LeadsQuery{}, page)
	return func() error {
		if _, err := h.Store.Leads(context.Background(), who.Scope(), query); err != nil {
			return err
		}
		return view.PipelinePart(model).Render(context.Background(), io.Discard)
	}
}
