package pipeline_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/views/gallery"
	"hearthline/views/page"
	"hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func samplePipeline() pipeline.ListView {
	q := to.LeadsQuery{View: "all", Q: "o’b"}
	var lanes []ui.TabView
	for _, l := range text.Lanes() {
		lanes = append(lanes, ui.TabView{Label: l.Label, Href: to.Full.Leads(q.InView(l.Key)), Count: "2",
			Current: l.Key == q.View})
	}
	return pipeline.ListView{Page: viewtest.Page("Leads"), Query: q, OpenText: "14 open", OverdueText: "3 overdue",
		OverdueURL: "/leads?view=all&only=overdue", Updated: "Updated 20 s ago", Drafts: "2 drafts",
		UpdatesSince: pipeline.UpdatesView{When: "Since yesterday:",
			Items: []ui.NavLink{{Label: "2 offers ready", Href: "/leads?view=offers"},
				{Label: "1 withdrawn", Href: "/leads?view=ended"}}, DismissURL: "/notifications"},
		Lanes: lanes, Filters: []ui.Field{{Name: "state", Label: "State", Options: ui.Choices("", text.States()...)},
			{Name: "sort", Label: "Order", Options: ui.Choices("due", text.Sorts()...)}},
		ShowOwners: true, Columns: page.DefaultLeadColumns(), Rows: gallery.Rows(),
		Pager: ui.PagerView{CountText: "6 of 6", Next: "/leads?after=k"}, CanNew: true, CanAdd: true, CSVURL: "/leads.csv"}
}

func TestScreens_MeetPageRules(t *testing.T) {
	empty := samplePipeline()
	empty.Rows, empty.Empty = nil, ui.EmptyView{Icon: "search", Title: "No lead matches.", Text: "Search looks at names.",
		Actions: []ui.Action{{Label: "Clear", Href: "/leads"}}}
	screens := map[string]templ.Component{"pipeline": pipeline.Pipeline(samplePipeline()),
		"empty pipeline": pipeline.Pipeline(empty)}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckPlaceholderIcon(t, screens)
}

func TestPipelineRows(t *testing.T) {
	doc := viewtest.Render(t, pipeline.Pipeline(samplePipeline()))
	if got := doc.Find(".leads tbody tr").Length(); got != 6 {
		t.Fatalf("got %d rows, want 6", got)
	}
	row := doc.Find("#lead-19")
	if got := row.AttrOr("class", ""); got != "mine overdue" {
		t.Errorf("overdue row: got class %q", got)
	}
	if got := strings.Join(strings.Fields(row.Find(".c-step").Text()),
		" "); got != "Property match you · due 38 min ago" {
		t.Errorf("step cell: got %q", got)
	}
	if got := doc.Find("#lead-06 .chip").AttrOr("class", ""); got != "chip" {
		t.Errorf("No offers: got class %q, want a gray chip", got)
	}
	if got := strings.Join(strings.Fields(doc.Find("#lead-18 .c-amount").Text()), " "); got != "Up to $220,000" {
		t.Errorf("amount: got %q", got)
	}
	if _, highlighted := doc.Find("#lead-22").Attr("class"); highlighted {
		t.Error("a row waiting for the lender is highlighted")
	}
	heads, cells := doc.Find(".leads thead th").Length(), row.Find("td").Length()
	if heads != cells {
		t.Errorf("got %d header cells and %d cells", heads, cells)
	}
	words := strings.ToLower(doc.Find("main").Text())
	for _, bad := range []string{"score", "income", "denied"} {
		if strings.Contains(words, bad) {
			t.Errorf("the list contains %q", bad)
		}
	}
}

// The part that is fetched again is identical to the part of the page.
func TestPipelinePart_MatchesPage(t *testing.T) {
	full, part := viewtest.Render(t, pipeline.Pipeline(samplePipeline())), viewtest.Render(t,
		pipeline.PipelinePart(samplePipeline()))
	want, _ := goquery.OuterHtml(full.Find("#pipeline"))
	got, _ := goquery.OuterHtml(part.Find("#pipeline"))
	if got != want {
		t.Error("page and part differ")
	}
	live := part.Find("#pipeline")
	if got, want := live.AttrOr("hx-get", ""), "/leads?view=all&q=o%E2%80%99b"; got != want {
		t.Errorf("got URL %q, want %q", got, want)
	}
	if live.AttrOr("data-live", "") != "*" {
		t.Error("the list does not refresh for every lead")
	}
	v := samplePipeline()
	one := viewtest.Render(t, templ.ComponentFunc(page.LeadTableRow(&v.Rows[2], page.DefaultLeadColumns()).Render))
	if !strings.Contains(one.Text(), "Priya Raghunathan") {
		t.Error("a separate row does not render")
	}
}

func TestPipeline_NoPermission_HidesActions(t *testing.T) {
	v := samplePipeline()
	v.CanNew, v.CanAdd, v.CSVURL, v.ShowOwners, v.Columns.Owner = false, false, "", false, false
	doc := viewtest.Render(t, pipeline.Pipeline(v))
	if doc.Find("a[href='/leads/new'], #adopt, a[download], .c-own").Length() != 0 {
		t.Error("a forbidden action is rendered")
	}
	doc = viewtest.Render(t, pipeline.Pipeline(samplePipeline()))
	if doc.Find("a[href='/leads/new']").Length() != 1 ||
		doc.Find("#adopt form[action='/leads/adopt'] input[name=appUuid]").Length() != 1 {
		t.Error("the new inquiry button or the form for adding by id is missing")
	}
}
