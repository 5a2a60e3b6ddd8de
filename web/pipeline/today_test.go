package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// leadsOf lists the leads in some rows of a page of leads, in alphabetical order.
func leadsOf(rows *goquery.Selection) []string {
	var all []string
	rows.Find("a[href*='/leads/']").Each(func(_ int, a *goquery.Selection) {
		if href, _, _ := strings.Cut(a.AttrOr("href", ""), "#"); strings.Count(href, "/") == 2 {
			all = append(all, href)
		}
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// TestToday_RandomLeads_HasEveryLeadWithAnAmberLabel compares Today with the amber rows of all leads, the overdue
// leads with the tinted ones, and the tabs with each other: every lead is in exactly one lane.
func TestToday_RandomLeads_HasEveryLeadWithAnAmberLabel(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	addRandomLeads(t, h)
	for _, who := range []string{"olivia", "marcus", "maya"} {
		user := h.SignInAs(who)
		all := user.Get("/leads?view=all")
		yours, late := leadsOf(all.Find(".leads tbody tr.mine")), leadsOf(all.Find(".leads tbody tr.overdue"))
		if len(yours) == 0 || len(late) == 0 || len(late) == len(yours) {
			t.Fatalf("%s: got %d amber leads, %d of them overdue, want some of each", who, len(yours), len(late))
		}
		today := user.Get("/leads?view=today")
		if got := leadsOf(today.Find(".leads tbody tr")); !slices.Equal(got, yours) {
			t.Errorf("%s: Today has\n%v\nwant the amber leads\n%v", who, got, yours)
		}
		for _, list := range []string{"all", "today"} {
			if got := leadsOf(user.Get("/leads?view=" + list + "&only=overdue").Find(".leads tbody tr")); !slices.Equal(got,
				late) {
				t.Errorf("%s: the overdue leads of %q are\n%v\nwant the tinted ones\n%v", who, list, got, late)
			}
		}
		var inLanes []string
		today.Find(".lanes a").Each(func(_ int, tab *goquery.Selection) {
			href := tab.AttrOr("href", "")
			if strings.Contains(href, "view=all") || tab.AttrOr("aria-current", "") != "" {
				return
			}
			inLanes = append(inLanes, leadsOf(user.Get(href).Find(".leads tbody tr"))...)
		})
		slices.Sort(inLanes)
		if want := leadsOf(all.Find(".leads tbody tr")); !slices.Equal(inLanes, want) {
			t.Errorf("%s: the lanes have %d leads, want each of the %d once", who, len(inLanes), len(want))
		}
	}
}

// TestToday_Counts_AgreeInHeadingTabAndSections: an inquiry that expires and a lead whose write is not confirmed are in
// their originator's Today, and nobody else's, although it is nobody's move.
func TestToday_Counts_AgreeInHeadingTabAndSections(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	owner, now := h.People["olivia"], time.Now()
	leads := []lead.Row{{Step: heloc.StepBorrowerAuth, ExpirationDate: heloc.DateOf(now.Add(24 * time.Hour))},
		{Step: heloc.StepBorrowerAuth}, {Step: heloc.StepCreditMatch}, {Step: heloc.StepNoOffers},
		{Step: heloc.StepBorrowerAuth}}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range leads {
			l := &leads[i]
			l.App, l.ShortID = heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), fmt.Sprintf("1-26334-%03d", i)
			l.Originator, l.Company = heloc.OriginatorID(owner.OriginatorUUID), owner.BrokerID
			l.Organization = owner.Organization
			l.StepSince, l.RefreshAt = store.Millis(now), store.Millis(now.Add(time.Hour))
			if err := tx.AddLead(t.Context(), l, now); err != nil {
				return err
			}
		}
		return tx.AddOperation(t.Context(), lead.Operation{ID: "op", Kind: heloc.OpSelectOffer, App: leads[1].App,
			ActorID: owner.UserID, ActorName: owner.Name, Company: owner.BrokerID, State: lead.OpUnknown,
			SentAt: store.Millis(now)})
	}))
	olivia := h.SignInAs("olivia")
	page := olivia.Get("/leads")
	words := func(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }
	var sections []string
	page.Find(".today tbody").Each(func(_ int, s *goquery.Selection) {
		sections = append(sections, fmt.Sprint(words(s.Find(".g b")), " ", words(s.Find(".g .n")), "=",
			s.Find("[data-row-of]").Length()))
	})
	if want := []string{"Lost if it waits 1=1", "Waiting for you 2=2", "Follow up 1=1"}; !slices.Equal(sections, want) {
		t.Errorf("got the sections %q, want %q", sections, want)
	}
	if tab := words(page.Find(".lanes [aria-current]")); tab != "Today 4" {
		t.Errorf("got the tab %q, want Today 4", tab)
	}
	if heading := words(page.Find(".head .meta")); !strings.Contains(heading, "5 open 4 to do today") {
		t.Errorf("got the heading %q, want 4 to do today", heading)
	}
	var actions []string
	page.Find(".today [data-do]").Each(func(_ int, a *goquery.Selection) {
		kind := "other"
		if a.HasClass("pri") {
			kind = "primary"
		}
		actions = append(actions, words(a)+" "+kind)
	})
	if want := []string{"Open lead primary", "Check status other", "Enter SSN other", "See options other"}; !slices.Equal(
		actions, want) {
		t.Errorf("got the buttons %q, want %q", actions, want)
	}
	if got := h.SignInAs("marcus").Get("/leads").Find(".today, .clear").AttrOr("class", ""); got != "clear" {
		t.Errorf("Marcus gets %q, want his empty Today", got)
	}
	maya := h.SignInAs("maya").Get("/leads")
	if got := leadsOf(maya.Find(".today")); len(got) != 2 { // what else there is to know is hers
		t.Errorf("their manager gets %v, want the moves", got)
	}
}

// TestNextToday_SkipsWhatWasOpened: the next lead is the first one that the user has not opened; the list opens when
// there is none.
func TestNextToday_SkipsWhatWasOpened(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	first, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	if got := olivia.Get("/leads/next?after=" + strings.TrimPrefix(first, "/leads/")).Path; got != "/leads" {
		t.Errorf("after the only lead: got %s, want the list", got)
	}
	second, _ := olivia.StartLeadAt("Baker", heloc.StepOffersAvailable)
	if got := olivia.Get("/leads/next?after=" + strings.TrimPrefix(first, "/leads/")).Path; got != second+"/offers" {
		t.Errorf("got %s, want the offers of the other lead", got)
	}
	if got := olivia.Get("/leads/next").Path; got != first {
		t.Errorf("after all were opened: got %s, want the first one", got)
	}
	if next := olivia.Get(first).Find(".lead-id [data-do]").AttrOr("href", ""); next != "/leads/next?after="+
		strings.TrimPrefix(first, "/leads/") {
		t.Errorf("the lead's page links to %q", next)
	}
	third, _ := olivia.StartLeadAt("Stone-Liens", heloc.StepLienMatching)
	visited, at := map[string]bool{}, first
	for range 3 { // all were opened, and each comes in its turn
		at = strings.TrimSuffix(olivia.Get("/leads/next?after="+strings.TrimPrefix(at, "/leads/")).Path, "/offers")
		visited[at] = true
	}
	if !visited[first] || !visited[second] || !visited[third] {
		t.Errorf("got %v, want each of the three leads once", visited)
	}
	for _, who := range []string{"marcus", "piotr"} {
		if got := h.SignInAs(who).Get("/leads/next?after=" + strings.TrimPrefix(first, "/leads/")).Path; got != "/leads" {
			t.Errorf("%s gets %s, want their empty list", who, got)
		}
	}
}

// TestToday_Empty_DatesOfOwnLeads: an empty Today lists the dates of the user's own leads. The list of one originator,
// as their manager filters it, has none, because the dates would be those of the company.
func TestToday_Empty_DatesOfOwnLeads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	now := time.Now()
	apps := map[string]string{}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i, who := range []string{"olivia", "marcus"} {
			owner := h.People[who]
			l := lead.Row{App: heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)),
				ShortID: fmt.Sprintf("1-26334-%03d", i), Step: heloc.StepBorrowerAuth, StepSince: store.Millis(now),
				Originator: heloc.OriginatorID(owner.OriginatorUUID), Company: owner.BrokerID, Organization: owner.Organization,
				ExpirationDate: heloc.DateOf(now.AddDate(0, 0, 10)), RefreshAt: store.Millis(now.Add(time.Hour))}
			apps[who] = "/leads/" + string(l.App)
			if err := tx.AddLead(t.Context(), &l, now); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, tt := range []struct {
		who, list string
		want      []string
	}{
		{"olivia", "/leads", []string{apps["olivia"]}},
		{"marcus", "/leads", []string{apps["marcus"]}},
		{"maya", "/leads", []string{apps["olivia"], apps["marcus"]}},
		{"maya", "/leads?view=today&originator=" + h.People["marcus"].OriginatorUUID, nil},
	} {
		page := h.SignInAs(tt.who).Get(tt.list)
		if page.Find(".clear").Length() != 1 {
			t.Errorf("%s: %s is not an empty Today", tt.who, tt.list)
		}
		if got := leadsOf(page.Find(".soon")); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %s has the dates of %v, want %v", tt.who, tt.list, got, tt.want)
		}
	}
}
