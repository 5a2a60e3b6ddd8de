package pipeline_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// A search shows all leads that match, page by page, also with a filter, and its CSV contains the same. None of them
// is left out because others were added later, and no page says that its rows are all.
func TestSearch_ManyMatches_EveryPageReachable(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	maya, olivia := h.People["maya"], h.People["olivia"]
	h.AddLeads(bench.Data{
		Leads: 2600, Company: access.Owner{BrokerID: maya.BrokerID, Organization: maya.Organization},
		Originators: []heloc.OriginatorID{heloc.OriginatorID(olivia.OriginatorUUID)}, NoDetails: true, Now: time.Now(),
	})
	for _, tt := range []struct {
		who, search string
		counts      []string // what the pages say
		want        int
	}{
		{"maya", "q=rivera", []string{"First 50 leads", "Next 50 leads", "Last 40 leads"}, 140},
		{"olivia", "q=rivera", []string{"First 50 leads", "Next 50 leads", "Last 40 leads"}, 140},
		{"maya", "q=rivera&state=CO", []string{"20 leads"}, 20},
		{"maya", "q=elena+rivera", []string{"7 leads"}, 7},
		{"maya", "q=1-26324-0000", []string{"First 50 leads", "Last 50 leads"}, 100},
		{"maya", "q=1-26324-0000&state=WA", []string{"15 leads"}, 15},
		{"maya", "q=1-26324-9", []string{"0 leads"}, 0},
	} {
		t.Run(tt.who+" "+tt.search, func(t *testing.T) {
			v := h.SignedInBrowser(tt.who)
			var counts, found []string
			for path := "/leads?view=all&" + tt.search; path != ""; {
				page := v.Get(path)
				page.Find(".leads tbody tr[id]").Each(func(_ int, row *webtest.Selection) {
					found = append(found, row.AttrOr("id", ""))
				})
				counts = append(counts, page.Find(".foot .tn").First().Text())
				path = page.Find(`.foot a[rel="next"]`).AttrOr("href", "")
				if len(counts) > 9 {
					t.Fatal("the pages do not end")
				}
			}
			slices.Sort(found)
			if got := len(slices.Compact(found)); got != tt.want || len(found) != tt.want ||
				fmt.Sprint(counts) != fmt.Sprint(tt.counts) {
				t.Errorf("got %d rows of %d leads on pages that say %q, want %d on pages that say %q",
					len(found), got, counts, tt.want, tt.counts)
			}
			if rows, err := countRows(v, h.HTTPServer.URL+"/leads.csv?view=all&"+tt.search); err != nil || rows != tt.want {
				t.Errorf("the CSV has %d rows, %v, want %d", rows, err, tt.want)
			}
		})
	}
}
