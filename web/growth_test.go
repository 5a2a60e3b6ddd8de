package web_test

import (
	"cmp"
	"os"
	"strconv"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/heloc"
	"hearthline/views/to"
	"hearthline/web/webtest"
)

// BenchmarkGrowth requests the pages of an originator and of a manager in companies of different sizes, and prints
// the fastest request of each, also as a ratio to the smallest company: as it is while nothing changes, and after a
// lead has changed. Where the page of the smallest company is not full, the sizes of both pages differ, and so do the
// times. PORTAL_BENCH_PEOPLE is the number of originators, who have the leads in turns: with 2 the pages of the
// smaller of 100,000 and 1,000,000 leads are full.
func BenchmarkGrowth(b *testing.B) {
	people, err := strconv.Atoi(cmp.Or(os.Getenv("PORTAL_BENCH_PEOPLE"), "25"))
	if err != nil {
		b.Fatal(err)
	}
	var companies []*company
	for _, n := range bench.Sizes(b) {
		companies = append(companies, newCompany(b, n, people))
	}
	page := to.Base("").Lead(string(bench.App(0)))
	for _, who := range []struct {
		name  string
		paths []string
	}{
		{"olivia", []string{
			"/leads", "/leads?view=today", "/leads?view=all", "/leads?view=ended", "/leads?view=all&sort=amount",
			"/leads?view=all&step=expired", "/leads?view=all&step=ssn-needed", "/leads?view=all&state=WA",
			"/leads?view=all&state=HI", "/leads?view=all&step=ssn-needed&state=WA", "/leads?view=all&sort=updated&state=HI",
			"/leads?q=rivera", "/leads?q=elena+rivera", "/leads?q=abbottaaa", "/leads?q=hannah+quill",
			"/leads?q=1-26324-000", "/leads?q=3032000000", "/leads?q=b0@example.com",
			page, page + "/offers", page + "/activity", "/notifications", "/views",
		}},
		{"maya", []string{
			"/leads", "/leads?view=all", "/leads?view=all&originator=" + string(companies[0].people[0]),
			"/leads?view=all&sort=amount&originator=" + string(companies[0].people[0]), "/leads?view=all&step=expired",
			"/leads?view=all&step=expired&originator=" + string(companies[0].people[0]),
			"/leads?view=all&state=HI", "/leads?view=all&sort=newest&state=HI", "/leads?view=all&only=overdue",
			"/leads?q=rivera", "/leads?q=elena+rivera", "/leads?q=hannah+quill", "/leads?q=hannah+riv+5000", page,
			"/team", "/team/stuck", "/team/unassigned", "/team/people", "/team/rules", "/team/absences", "/reports",
			"/reports/funnel", "/reports/funnel?by=originator", "/reports/time-in-step",
			"/reports/time-in-step?period=12-months", "/reports/pull-through", "/reports/fallout", "/originators",
			"/notifications",
		}},
		{"admin", []string{"/admin/users", "/admin/originators", "/admin/audit", "/admin/health"}},
	} {
		for _, path := range who.paths {
			b.Run(who.name+path, func(b *testing.B) {
				for b.Loop() {
					compareCompanies(b, companies, who.name, path)
				}
			})
		}
	}
}

// company is a portal in which one company has all leads.
type company struct {
	*webtest.Harness
	leads  int
	people []heloc.OriginatorID
}

func newCompany(b *testing.B, leads, people int) *company {
	b.Helper()
	h := webtest.New(b, webtest.Options{NoJobs: true, NoSync: true, Large: true})
	maya := h.People["maya"]
	owner := access.Owner{BrokerID: maya.BrokerID, Organization: maya.Organization}
	c := &company{
		Harness: h, leads: leads, people: append([]heloc.OriginatorID{heloc.OriginatorID(h.People["olivia"].OriginatorUUID)},
			bench.AddPeople(b, h.Store, owner, people)...),
	}
	h.AddLeads(bench.Data{Leads: leads, Company: owner, Originators: c.people, Unassigned: true, Now: time.Now()})
	return c
}

// compareCompanies requests a page in each company in turns.
func compareCompanies(b *testing.B, companies []*company, who, path string) {
	b.Helper()
	const rounds = 15
	requests, sizes := make([]func() error, len(companies)), make([]int, len(companies))
	for i, c := range companies {
		browser := c.SignedInBrowser(who)
		requests[i], sizes[i] = browser.Requester(path), len(browser.Get(path).Body)/1000
	}
	fastest := make([]time.Duration, len(companies))
	for range rounds {
		for i := range companies {
			began := time.Now()
			if err := requests[i](); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(began); fastest[i] == 0 || took < fastest[i] {
				fastest[i] = took
			}
		}
	}
	for i, c := range companies[1:] {
		b.Logf("%8d leads  %-72s %9.2f ms, %6.2f times %9.2f ms, %3d and %3d kB",
			c.leads, who+" "+path, float64(fastest[i+1].Microseconds())/1000, float64(fastest[i+1])/float64(fastest[0]),
			float64(fastest[0].Microseconds())/1000, sizes[i+1], sizes[0])
	}
}
