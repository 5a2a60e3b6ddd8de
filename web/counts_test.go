package web_test

import (
	"cmp"
	"fmt"
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
	"hearthline/internal/account"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/webtest"
)

// randomLeads are the leads of two companies, with borrowers whose last name says the company.
type randomLeads struct {
	*webtest.Harness
	random *rand.Rand
	all    []lead.Row
}

// borrowerOf is the last name of the borrowers of a company.
var borrowerOf = map[string]string{"summit": "Quillfeather", "lakeside": "Zanderberg"}

func pick[T any](random *rand.Rand, values ...T) T { return values[random.IntN(len(values))] }

// addLeads adds n leads of random originators of both companies: at any step, some unassigned, ended or funded.
func (r *randomLeads) addLeads(n int) {
	r.T.Helper()
	owners := map[string]string{"olivia": "summit", "marcus": "summit", "maya": "summit", "piotr": "lakeside",
		"lena": "lakeside"}
	steps := append(heloc.Steps(), "", "BRAND_NEW")
	r.Must(r.Store.Write(r.T.Context(), func(tx *store.Tx) error {
		for i := range n {
			first := pick(r.random, "olivia", "marcus", "maya", "piotr", "lena")
			owner, at := r.People[first], time.Now().Add(-time.Duration(r.random.IntN(400*24))*time.Hour)
			l := lead.Row{
				App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), ShortID: fmt.Sprintf("1-26324-%06d", i),
				Originator: heloc.OriginatorID(owner.OriginatorUUID), Company: owner.BrokerID,
				Organization: owner.Organization, State: pick(r.random, "CO", "ID", "AZ", ""),
				Source: pick(r.random, lead.SourcePortal, lead.SourceCRM, lead.SourceAdopted, ""),
				Step:   pick(r.random, steps...), Converted: r.random.IntN(4) == 0, Funded: r.random.IntN(9) == 0,
				StepSince: store.Millis(time.Now().Add(-time.Duration(r.random.IntN(20*24)) * time.Hour)),
				RefreshAt: store.Millis(time.Now().Add(time.Hour)),
			}
			var err error
			if l.Borrower, err = r.DeskDeps.Vault.SealName(l.App,
				heloc.Name{First: "Ann", Last: borrowerOf[owners[first]]}); err != nil {
				return err
			}
			if r.random.IntN(6) == 0 {
				l.Originator, l.FormerOriginator = "", l.Originator
			}
			if r.random.IntN(5) == 0 {
				l.FollowUpAt = store.Millis(time.Now().Add(time.Duration(r.random.IntN(96)-48) * time.Hour))
			}
			if r.random.IntN(6) == 0 {
				l.SetAsideAt = l.StepSince
			}
			if err := tx.AddLead(r.T.Context(), &l, at); err != nil {
				return err
			}
			if err := tx.AddEvent(r.T.Context(), lead.Event{App: l.App, At: store.Millis(time.Now()), Kind: lead.EventStep,
				StepBefore: pick(r.random, steps...), StepAfter: l.Step, Company: l.Company,
				StayedMillis: 1 + r.random.Int64N(900_000_000)}); err != nil {
				return err
			}
			if l, err = tx.AnyLead(r.T.Context(), l.App); err != nil {
				return err
			}
			r.all = append(r.all, l)
		}
		return nil
	}))
}

// visible counts the leads that a user may see with a filter, one by one.
func (r *randomLeads) visible(user access.User, q to.LeadsQuery) (n int) {
	for _, l := range r.all {
		own := user.Role != access.Originator || string(l.Originator) == user.OriginatorUUID
		from := q.Originator == "" || string(l.Originator) == q.Originator ||
			q.Originator == to.NoOriginator && l.Originator == ""
		if l.Company == user.BrokerID && own && from &&
			(q.State == "" || l.State == q.State || q.State == to.NoState && l.State == "") &&
			(q.Only != "open" || l.Lane != heloc.LaneEnded) {
			n++
		}
	}
	return n
}

// listRows are the rows of the lists to which numbers link.
var listRows = map[string]string{"/leads": ".leads [data-row-of]", "/team/unassigned": ".leads tbody tr",
	"/team/stuck": "table.stuck tbody tr"}

var linkedNumber = regexp.MustCompile(`^(\d+)( |$)|(?:^| )(\d+)$`)

// linkedCounts are the numbers of a page that link to a list, by list.
func linkedCounts(t *testing.T, page *webtest.Response) map[string]int {
	t.Helper()
	all := map[string]int{}
	page.Find("a[href]").Each(func(_ int, a *webtest.Selection) {
		list := a.AttrOr("href", "")
		path, _, _ := strings.Cut(list, "?")
		found := linkedNumber.FindStringSubmatch(strings.Join(strings.Fields(a.Text()), " "))
		if listRows[path] == "" || found == nil || a.AttrOr("rel", "") != "" || a.Closest(".note").Length() > 0 {
			return // what has changed since the last visit is counted by change, and its list is of all leads
		}
		n, err := strconv.Atoi(found[1] + found[3])
		if before, known := all[list]; err != nil || known && before != n {
			t.Errorf("%s says %d and %q", list, before, a.Text())
		}
		all[list] = n
	})
	return all
}

// pages are the pages with counts that a user may see, with random filters.
func (r *randomLeads) pages(user access.User) []string {
	lists := []to.LeadsQuery{{View: "all"}, {View: "all", Only: "open"}}
	for range 3 {
		q := to.LeadsQuery{View: pick(r.random, text.Lanes()...).Key, State: pick(r.random, "", "CO", to.NoState),
			Only: pick(r.random, "", "open", "overdue"), Sort: pick(r.random, "", "oldest", "newest")}
		if user.Role != access.Originator {
			q.Originator = pick(r.random, "", r.People["olivia"].OriginatorUUID, r.People["piotr"].OriginatorUUID,
				to.NoOriginator)
		}
		lists = append(lists, q)
	}
	if user.Role != access.Originator {
		lists = append(lists, to.LeadsQuery{View: "today", Originator: r.People["olivia"].OriginatorUUID})
	}
	var all []string
	for _, q := range lists {
		all = append(all, to.Full.Leads(q))
	}
	if user.Role != access.Manager {
		return all
	}
	all = append(all, "/team", "/team/people", "/team/stuck", "/team/unassigned", "/team/rules", "/team/absences",
		"/reports?period=12-months")
	for _, name := range to.ReportNames() {
		q := to.ReportQuery{By: pick(r.random, "originator", "month", "state", "source"),
			Period: pick(r.random, "", "this-month", "6-months", "12-months"), Source: pick(r.random, "", "", "crm"),
			State: pick(r.random, "", "", "CO")}
		all = append(all, to.Full.Report(name, q), to.Full.ReportCSV(name, q))
	}
	return append(all, "/leads.csv?view=all", "/leads.csv?view=all&originator="+r.People["olivia"].OriginatorUUID)
}

// TestCounts_RandomCompaniesRolesAndFilters_EqualLists reads, as every role of two companies, the pages, files and
// emails with counts. Every number that links to a list equals the rows of the list, lists have the leads that a user
// may see and no others, and nothing is of the other company.
func TestCounts_RandomCompaniesRolesAndFilters_EqualLists(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
			addLakesideUsers(h)
			r := &randomLeads{Harness: h, random: rand.New(rand.NewPCG(seed, 23))} //nolint:gosec // the same leads in every run
			r.addLeads(110 + r.random.IntN(80))
			numbers, exported := 0, 0
			for company, c := range map[string]companyUsers{"summit": summitUsers(), "lakeside": lakesideUsers()} {
				foreign := r.foreign(company)
				for _, first := range []string{c.originator, c.colleague, c.manager, c.assistant} {
					v, user := h.SignInAs(first), h.People[first]
					known := map[string]int{}
					for _, path := range r.pages(user) {
						page := v.Get(path)
						if page.Status != http.StatusOK {
							t.Fatalf("%s, %s: got status %d", first, path, page.Status)
						}
						wantNoSecrets(h, first, probe{path: path}, page, foreign)
						if strings.Contains(path, ".csv") {
							exported++
							continue
						}
						for list, n := range linkedCounts(t, page) {
							if _, counted := known[list]; !counted {
								known[list] = countListRows(h, v, first, list, foreign)
							}
							if known[list] != n {
								t.Errorf("%s, %s: %d above %d leads of %s", first, path, n, known[list], list)
							}
							numbers++
						}
					}
					for _, q := range []to.LeadsQuery{{View: "all"}, {View: "all", Only: "open"}, {View: "all", State: "CO"},
						{View: "all", State: to.NoState, Only: "open"}, {View: "all", Originator: user.OriginatorUUID}} {
						if rows, want := countListRows(h, v, first, to.Full.Leads(q), foreign), r.visible(user, q); rows != want {
							t.Errorf("%s, %s: got %d leads, want %d", first, to.Full.Leads(q), rows, want)
						}
					}
				}
			}
			r.checkEmails()
			if numbers < 150 || exported != 2*(2+len(to.ReportNames())) {
				t.Errorf("got %d numbers and %d files, want many and those of both managers", numbers, exported)
			}
		})
	}
}

// foreign is what nobody of a company may read: ids and borrowers of the other company, and the names of its users.
func (r *randomLeads) foreign(company string) []string {
	other := companyFixture{users: lakesideUsers(), browser: &webtest.Browser{H: r.Harness}}
	name := "lakeside"
	if company == "lakeside" {
		other.users, name = summitUsers(), "summit"
	}
	secrets := append(other.userTexts(), borrowerOf[name])
	for _, l := range r.all {
		if l.Company == r.People[other.users.originator].BrokerID {
			secrets = append(secrets, string(l.App), l.ShortID)
		}
	}
	return secrets
}

// countListRows counts the rows of a list with all of its pages.
func countListRows(h *webtest.Harness, v *webtest.Browser, who, list string, foreign []string) (rows int) {
	h.T.Helper()
	path, _, _ := strings.Cut(list, "?")
	for list != "" {
		page := v.Get(list)
		if page.Status != http.StatusOK {
			h.T.Fatalf("%s, %s: got status %d", who, list, page.Status)
		}
		wantNoSecrets(h, who, probe{path: list}, page, foreign)
		rows += page.Find(listRows[path]).Length()
		list = page.Find(`a[rel="next"]`).AttrOr("href", "")
	}
	return rows
}

// checkEmails sends both managers the summary of the last month. It has the figures of their report, and nothing of the
// other company.
func (r *randomLeads) checkEmails() {
	t := r.T
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	r.Must(err)
	for _, first := range []string{"maya", "lars"} {
		r.SignedInBrowser(first).Post("/account/monthly-report", url.Values{"monthlyReport": {"true"}})
	}
	deps := r.DeskDeps
	today := time.Now().In(zone)
	r.DeskDeps.Now = func() time.Time { return time.Date(today.Year(), today.Month()+1, 8, 12, 0, 0, 0, zone) }
	r.RebuildDesks()
	r.Must(r.DeskService.SendMonthlyReports(t.Context()))
	r.DeskDeps = deps
	r.RebuildDesks()
	for company, first := range map[string]string{"summit": "maya", "lakeside": "lars"} {
		mails := r.Mails(r.People[first].Email)
		at := slices.IndexFunc(mails, func(m account.PendingMail) bool {
			return strings.HasPrefix(m.Subject, "Hearthline summary for ")
		})
		if at < 0 {
			t.Fatalf("%s got no summary", first)
		}
		words := mails[at].Subject + "\n" + mails[at].Text
		started := strings.TrimSpace(r.SignedInBrowser(first).Get("/reports?period=" + today.Format("2006-01")).
			Find(".report-facts .hero").First().Text())
		if want := "Inquiries started: " + cmp.Or(started, "0") + "\n"; !strings.Contains(words, want) {
			t.Errorf("the summary of %s lacks %q:\n%s", first, want, words)
		}
		for _, secret := range r.foreign(company) {
			if strings.Contains(words, secret) {
				t.Errorf("the summary of %s has %q", first, secret)
			}
		}
	}
}
