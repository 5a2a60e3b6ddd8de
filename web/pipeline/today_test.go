package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/web/webtest"
)

// leadsOf lists the leads in some rows of a page of leads, in alphabetical order.
func leadsOf(rows *goquery.Selection) []string {
	var all []string
	rows.Find("a[href*='/leads/']").Each(func(_ int, a *goquery.Selection) {
		if href := a.AttrOr("href", ""); strings.Count(href, "/") == 2 {
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
