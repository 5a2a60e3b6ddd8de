package web

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/format"
	weblead "hearthline/web/lead"
	"hearthline/web/offers"
	"hearthline/web/page"
	"hearthline/web/pipeline"
	"hearthline/web/workspace"
)

// denverViewer returns a viewer in Denver. It is 2:15 pm there on Friday, November 20, 2026.
func denverViewer(t *testing.T) format.Viewer {
	t.Helper()
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	return format.Viewer{Now: time.Date(2026, 11, 20, 14, 15, 0, 0, zone), Zone: zone, Who: access.Actor{UserID: "olivia", Role: access.Originator, OriginatorUUID: "o-1"}}
}

func TestDateTime_InViewerZone(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	for _, tt := range []struct {
		ago          time.Duration
		moment, aged string
	}{
		{time.Second, "Today 2:14 PM", "just now"},
		{20 * time.Second, "Today 2:14 PM", "20 sec ago"},
		{38 * time.Minute, "Today 1:37 PM", "38 min ago"},
		{5 * time.Hour, "Today 9:15 AM", "5 hr ago"},
		{15 * time.Hour, "Yesterday 11:15 PM", "15 hr ago"},
		{4 * 24 * time.Hour, "Mon, Nov 16 2:15 PM", "4 days ago"},
		{400 * 24 * time.Hour, "Oct 16, 2025 3:15 PM", "400 days ago"},
	} {
		at := v.Now.Add(-tt.ago).UTC()
		if got := v.DateTime(at); got != tt.moment {
			t.Errorf("%s ago: got %q, want %q", tt.ago, got, tt.moment)
		}
		if got := v.AgeText(at); got != tt.aged {
			t.Errorf("%s ago: got %q, want %q", tt.ago, got, tt.aged)
		}
	}
	if v.DateTime(time.Time{}) != "" || v.AgeText(time.Time{}) != "" {
		t.Error("the zero time is shown as an instant")
	}
}

func TestDueText(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	for _, tt := range []struct {
		in   time.Duration
		want string
		late bool
	}{
		{12 * time.Minute, "due in 12 min", false},
		{3 * time.Hour, "due by 5:15 PM", false},
		{30 * time.Hour, "due tomorrow 8:15 PM", false},
		{54 * time.Hour, "due Sun, Nov 22", false},
		{-38 * time.Minute, "due 38 min ago", true},
		{-5 * time.Hour, "due 5 hr ago", true},
		{-22 * time.Hour, "due yesterday 4:15 PM", true},
		{-4 * 24 * time.Hour, "due Mon, Nov 16", true},
	} {
		got, late := v.DueText(v.Now.Add(tt.in))
		if got != tt.want || late != tt.late {
			t.Errorf("in %s: got %q, %v; want %q, %v", tt.in, got, late, tt.want, tt.late)
		}
	}
}

func TestShortDuration_Units(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "1 sec", 59 * time.Second: "59 sec", time.Minute: "1 min", 89 * time.Minute: "89 min", 90 * time.Minute: "2 hr", 116 * time.Minute: "2 hr",
		5*time.Hour + 29*time.Minute: "5 hr", 35*time.Hour + 29*time.Minute: "35 hr", 36 * time.Hour: "2 days", 60 * time.Hour: "3 days", 100 * time.Hour: "4 days",
	} {
		if got := format.ShortDuration(d); got != want {
			t.Errorf("%s: got %q, want %q", d, got, want)
		}
	}
}

func TestDurationOfUsual(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		passed, usual time.Duration
		want          string
	}{
		{26 * time.Minute, 10 * time.Minute, "26 min (usually about 10 min)"},
		{40 * time.Second, 50 * time.Second, "40 sec (usually about 50 sec)"},
		{3 * time.Minute, 50 * time.Second, "3 min (usually about 50 sec)"},
		{0, 90 * time.Second, "1 sec (usually about 1 min)"},
	} {
		if got := format.DurationOfUsual(tt.passed, tt.usual); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if got := format.LongDuration(time.Minute) + ", " + format.LongDuration(50*time.Second); got != "1 minute, 50 seconds" {
		t.Errorf("got %q", got)
	}
}

// TestFormatDate_IgnoresZone uses an instant whose date in the user's zone is the day before.
func TestFormatDate_IgnoresZone(t *testing.T) {
	t.Parallel()
	if got := format.Date("2026-11-24"); got != "Nov 24, 2026" {
		t.Errorf("got %q", got)
	}
	if got := format.Weekday("2026-11-24"); got != "Tue, Nov 24" {
		t.Errorf("got %q", got)
	}
	if format.Date("") != "" || format.Weekday("soon") != "" {
		t.Error("an unknown date is shown as a date")
	}
}

func TestFormatMoney(t *testing.T) {
	t.Parallel()
	for m, want := range map[heloc.Money]string{0: "$0", 14_500_000: "$145,000", 182_767: "$1,827.67", -500: "−$5"} {
		if got := format.Money(m); got != want {
			t.Errorf("%d: got %q, want %q", m, got, want)
		}
	}
	if format.Dollars(nil) != "" || format.Percent(nil) != "" || format.Count(nil) != "" || format.Decimal(nil) != "" {
		t.Error("an unknown amount is shown as a figure")
	}
	rate := heloc.Percent(8.2)
	if got := format.Percent(&rate); got != "8.20%" {
		t.Errorf("got %q", got)
	}
}

// testLeadRow returns a lead with a status.
func testLeadRow(status heloc.StatusKey, mover heloc.Mover, lane heloc.Lane) lead.Row {
	return lead.Row{App: ownLead, ShortID: "1-26324-021", City: "Boise", State: "ID", Originator: "o-1", StatusKey: status, Mover: mover, Lane: lane, Revision: 7}
}

func TestPresentRow(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	ms := func(ago time.Duration) int64 { return v.Now.Add(-ago).UnixMilli() }
	usually := lead.UsualWait{Median: 50 * time.Second, Known: true}
	late, offers, waiting, ended := testLeadRow("verify-liens", "you", "today"), testLeadRow("offers", "you", "offers"), testLeadRow("in-progress", "lender", "lender"), testLeadRow("rescission", "lender", "closing")
	late.DueAt, offers.DueAt = ms(38*time.Minute), ms(-3*time.Hour)
	late.Originator, offers.Originator = "o-1", "o-1"
	others, nobodys := late, late
	others.Originator, nobodys.Originator = "o-2", ""
	offers.MaxAmount, ended.SelectedAmount, ended.MaxAmount, waiting.RequestedAmount = 22_000_000, 20_500_000, 22_000_000, 6_000_000
	waiting.CreatedAt = ms(40 * time.Second)
	ended.RescissionDate = "2026-11-24"
	for _, tt := range []struct {
		lead                      lead.Row
		who, clock, late, wording string
		amount                    string
		mine, overdue             bool
		chip                      string
	}{
		{late, "you", "", "due 38 min ago", "", "", true, true, "Verify liens"},
		{others, "originator", "", "due 38 min ago", "", "", true, true, "Verify liens"},
		{nobodys, "", "", "due 38 min ago", "", "", true, true, "Verify liens"},
		{offers, "you", "due by 5:15 PM", "", "Up to", "$220,000", true, false, "Offers ready"},
		{waiting, "lender", "40 sec (usually about 50 sec)", "", "Requested", "$60,000", false, false, "In progress"},
		{ended, "lender", "ends Tue, Nov 24", "", "Selected", "$205,000", false, false, "Rescission"},
	} {
		got := page.PresentRow(v, desk.PipelineRow{Row: tt.lead, Name: heloc.Name{First: "Priya", Last: "Raghunathan"}}, map[heloc.Operation]lead.UsualWait{heloc.OpStart: usually, heloc.OpVerifyLiens: usually})
		if got.Mover != tt.who || got.Elapsed != tt.clock || got.OverdueText != tt.late || got.AmountLabel != tt.wording || got.Amount != tt.amount ||
			got.YourMove != tt.mine || got.Overdue != tt.overdue || got.Chip.Label != tt.chip {
			t.Errorf("%s: got %+v", tt.chip, got)
		}
		if want := map[string]string{"Verify liens": "lender usually takes about 50 sec"}[tt.chip]; got.UsualWait != want {
			t.Errorf("%s: got %q, want %q", tt.chip, got.UsualWait, want)
		}
		if got.Name != "Priya Raghunathan" || got.CityState != "Boise, ID" || got.Contact != "" || got.Revision != "7" {
			t.Errorf("%s: got %+v", tt.chip, got)
		}
	}
}

// Only the lead's own originator reads that it is their move.
func TestPresentRow_OthersLead_NamesTheOriginatorsMove(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	v.Who = access.Actor{UserID: "maya", Role: access.Manager, OriginatorUUID: "o-2"}
	if got := page.PresentRow(v, desk.PipelineRow{Row: testLeadRow("verify-liens", "you", "today")}, nil).Mover; got != "originator" {
		t.Errorf("got %q, want originator", got)
	}
}

func TestStepFilter_StatusKeysAndSteps(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]heloc.StatusKey{
		"": "", "verify-liens": "verify-liens", "OFFERS_AVAILABLE": "offers", "BORROWER_AUTH_REQUIRED": "borrower-sign-in", "NEVER_HEARD": "other",
	} {
		if got := pipeline.StepFilter(typed, denverViewer(t).Now); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

func TestParseLeadsQuery(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]to.LeadsQuery{
		"":                       {View: "today"},
		"view=ended&sort=newest": {View: "ended", Sort: "newest"},
		"q=+rivera+":             {View: "all", Q: "rivera"},
		"view=nonsense&state=id": {View: "all", State: "ID"},
		"view=offers&after=k":    {View: "offers", After: "k"},
	} {
		if got := pipeline.ParseLeadsQuery(httptest.NewRequest(http.MethodGet, "/leads?"+query, nil)); got != want {
			t.Errorf("%q: got %+v, want %+v", query, got, want)
		}
	}
}

func testOffer(uuid string, term heloc.Count, fee float64, from, to int64) heloc.Offer {
	percent, rate, lowest, highest := heloc.Percent(fee), heloc.Percent(8.2), heloc.Dollars(from), heloc.Dollars(to)
	return heloc.Offer{UUID: uuid, Term: &term, OriginationFeePercent: &percent, Rate: &rate, MinAmount: &lowest, MaxAmount: &highest, RateType: heloc.RateFixed}
}

func TestPresentOffers_Grid(t *testing.T) {
	t.Parallel()
	model := desk.LeadView{Fee: heloc.FeeAdded, Term: heloc.TermMonths}
	model.Row = testLeadRow("offers", "you", "offers")
	model.Row.Step = heloc.StepOffersAvailable
	model.Details.App.Underwriting.Offers = []heloc.Offer{
		testOffer("c", 120, 4.99, 15_000, 120_000), testOffer("b", 120, 2.99, 15_000, 220_000), testOffer("a", 60, 2.99, 15_000, 220_000),
	}
	for _, tt := range []struct {
		what   string
		wanted int64
		ask    offers.GridQuery
		draw   string
		out    string // reason of the offer with a maximum of 120,000
	}{
		{"as requested", 60_000, offers.GridQuery{}, "$60,000", ""},
		{"more than some offers allow", 150_000, offers.GridQuery{}, "$150,000", "up to $120,000 only"},
		{"more than all offers allow", 900_000, offers.GridQuery{}, "$120,000", ""},
		{"no requested amount", 0, offers.GridQuery{}, "$120,000", ""},
		{"a small draw", 0, offers.GridQuery{Draw: heloc.Dollars(9_000)}, "$9,000", "from $15,000 on"},
	} {
		model.Row.RequestedAmount = heloc.Dollars(tt.wanted)
		got := offers.PresentOffers(denverViewer(t), model, offers.NewOfferGrid(model, offers.QuoteSet{}, tt.ask))
		if got.Draw != tt.draw {
			t.Errorf("%s: the draw is %q, want %q", tt.what, got.Draw, tt.draw)
		}
		if len(got.Rows) != 2 || got.Rows[0].Term != "5 yr" || got.Rows[1].LongTerm != "10 years" || len(got.Fees) != 2 || got.Fees[0].Percent != "2.99%" {
			t.Fatalf("%s: got %+v", tt.what, got.Rows)
		}
		if empty := got.Rows[0].Cells[1]; empty.UUID != "" {
			t.Errorf("%s: there is an offer where there should be none: %+v", tt.what, empty)
		}
		if cell := got.Rows[1].Cells[1]; cell.Reason != tt.out {
			t.Errorf("%s: got reason %q, want %q", tt.what, cell.Reason, tt.out)
		}
	}
	model.Row.RequestedAmount = heloc.Dollars(145_000)
	got := offers.PresentOffers(denverViewer(t), model, offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Chosen: "b"}))
	// 145,000 with 2.99% financed is 149,335.50; repaid over 120 months at 8.2%.
	if cell := got.Rows[1].Cells[0]; cell.Dollars+cell.Cents != "$1,827.67" || cell.Rate != "8.20%" {
		t.Errorf("the payment is %+v, want $1,827.67", cell)
	}
	if s := got.Chosen; s.Title != "10 years fixed at 8.20%, fee 2.99%" || s.ToBorrower != "$145,000" || s.Fee != "$4,335.50" || s.Loan != "$149,335.50" || s.Payment != "$1,827.67" {
		t.Errorf("got %+v", s)
	}
}

func TestOfferGrid_MatchingQuoteReplacesDetails(t *testing.T) {
	t.Parallel()
	var model desk.LeadView
	model.Details.App.Underwriting.Offers = []heloc.Offer{testOffer("old", 120, 2.99, 15_000, 220_000)}
	draw := heloc.Dollars(45_000)
	saved := desk.SavedQuote{
		QuoteSummary: desk.QuoteSummary{ID: "q", Offers: 1, Request: heloc.QuoteRequest{Amount: &draw}},
		Answer:       heloc.Quote{Offers: []heloc.Offer{testOffer("new", 120, 2.99, 15_000, 220_000)}},
	}
	for _, tt := range []struct {
		ask  offers.GridQuery
		want string
	}{
		{offers.GridQuery{Draw: draw}, "new"},
		{offers.GridQuery{Draw: draw + 1}, "old"},
		{offers.GridQuery{Draw: draw, Autopay: true}, "old"},
		{offers.GridQuery{Draw: draw, Payoff: []string{"a"}}, "old"},
	} {
		var quotes offers.QuoteSet
		if tt.ask.NewestAnswer([]desk.QuoteSummary{saved.QuoteSummary}) == "q" {
			quotes.Current = &saved
		}
		if p := offers.NewOfferGrid(model, quotes, tt.ask); len(p.Offers) != 1 || p.Offers[0].UUID != tt.want {
			t.Errorf("%+v: got %+v, want %s", tt.ask, p.Offers, tt.want)
		}
	}
}

// TestOfferGrid_ChosenOfferMatchedInQuote: the offers of a quote have ids of their own.
func TestOfferGrid_ChosenOfferMatchedInQuote(t *testing.T) {
	t.Parallel()
	draw, term, fee := heloc.Dollars(50_000), heloc.Count(120), heloc.Rate(299)
	offer := func(id string, kind heloc.OfferRateType) heloc.Offer {
		return heloc.Offer{UUID: id, RateType: kind, Term: &term, OriginationFeePercent: &fee}
	}
	var model desk.LeadView
	model.Details.App.Underwriting.Offers = []heloc.Offer{offer("old", heloc.RateFixed), offer("old-variable", heloc.RateFloating)}
	quotes := offers.QuoteSet{Current: &desk.SavedQuote{Answer: heloc.Quote{Offers: []heloc.Offer{offer("new", heloc.RateFixed), offer("new-variable", heloc.RateFloating)}}}}
	for chosen, want := range map[string]string{"old": "new", "new": "new", "old-variable": "", "unheard-of": "", "": ""} {
		if got := offers.NewOfferGrid(model, quotes, offers.GridQuery{Draw: draw, Chosen: chosen}).Query.Chosen; got != want {
			t.Errorf("%q chosen before: got %q, want %q", chosen, got, want)
		}
	}
	// A pin moves to the matching offer too, and one with the other rate type stays pinned beside the grid.
	p := offers.NewOfferGrid(model, quotes, offers.GridQuery{Draw: draw, Pins: []string{"old", "old-variable", "new", "unheard-of"}})
	if got, want := strings.Join(p.Query.Pins, " "), "new new-variable"; got != want {
		t.Errorf("pinned before: got %q, want %q", got, want)
	}
}

func TestDocuments_SafeTypesAndNames(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]string{
		"application/pdf": "application/pdf", "application/pdf; charset=x": "application/pdf", "text/html": "application/octet-stream",
		"image/svg+xml": "application/octet-stream", "": "application/octet-stream", "application/PDF": "application/pdf",
	} {
		if got := weblead.SafeContentType(contentType); got != want {
			t.Errorf("%q: got %q, want %q", contentType, got, want)
		}
	}
	for name, want := range map[string]string{
		"agreement.pdf": "agreement.pdf", "../../etc/passwd": "passwd", `c:\temp\a"b.pdf`: "a_b.pdf", "": "document", "..": "document", "x\r\ny.pdf": "x__y.pdf",
	} {
		if got := weblead.SafeFileName(name, "document"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if weblead.OpensInline("text/html") || weblead.OpensInline("image/png") || !weblead.OpensInline("application/pdf") {
		t.Error("a file other than a PDF opens in the browser")
	}
}

func TestFormRows_OverLimit_Error(t *testing.T) {
	t.Parallel()
	values := map[string][]string{"liens.1.lenderName": {"B"}, "liens.0.lenderName": {"A"}, "liens.007.lenderName": {"no"}, "liens.-1.lenderName": {"no"}, "liens.2.lenderName": {" "}, "liens.x": {"no"}}
	f := &form.Form{Values: values, Corrections: map[string]string{}}
	if got := f.RowIndexes("liens"); len(got) != 2 || got[0] != "0" || got[1] != "1" {
		t.Errorf("got %v", got)
	}
	many := &form.Form{Values: map[string][]string{}, Corrections: map[string]string{}}
	for i := 10; i < 10+2*form.MaxRows; i++ {
		many.Values["liens."+strconv.Itoa(i)+".lenderName"] = []string{"x"}
	}
	if got := many.RowIndexes("liens"); len(got) != form.MaxRows || !many.HasErrors() {
		t.Errorf("got %d rows and errors %v", len(got), many.FieldErrors)
	}
}

// TestUsualWait_OnlyForLenderSteps: no card may suggest that a borrower, or the money, usually takes seconds.
func TestUsualWait_OnlyForLenderSteps(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	for status, want := range map[heloc.StatusKey]bool{
		heloc.StatusInProgress: true, heloc.StatusVerifyLiens: true, heloc.StatusSSNNeeded: true, heloc.StatusBorrowerSignIn: false, heloc.StatusBrokerDocs: false,
		heloc.StatusRescission: false, heloc.StatusApplication: false, heloc.StatusFunded: false, heloc.StatusNoOffers: false,
	} {
		f := &workspace.Data{Can: v.Who.Can, NewOperationID: func(heloc.Operation) string { return "t" }}
		f.View.Row = testLeadRow(status, "", "")
		f.View.UsualWait = lead.UsualWait{Median: 50 * time.Second, P95: 4 * time.Minute, Known: true}
		if got := weblead.PresentNextStep(v, f).Card.Next; strings.Contains(got, "Usually") != want || want && !strings.HasSuffix(got, " Usually 50 seconds, nearly always under 4 minutes.") {
			t.Errorf("%s: got %q", status, got)
		}
		f.View.UsualWait.Known = false
		if got := weblead.PresentNextStep(v, f).Card.Next; strings.Contains(got, "Usually") {
			t.Errorf("%s, with too few records: got %q", status, got)
		}
	}
}
