package text_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
)

// denverViewer is webtest.DenverViewer. A test of this package that imported webtest would have almost every package of
// the portal compiled again, against the package with its tests.
func denverViewer(t *testing.T) text.Viewer {
	t.Helper()
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	return text.Viewer{Now: time.Date(2026, 11, 20, 14, 15, 0, 0, zone), Zone: zone,
		Who: access.Actor{UserID: "olivia", Role: access.Originator, OriginatorUUID: "o-1"}}
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
		{-13 * time.Hour, "due today 1:15 AM", true},
		{-22 * time.Hour, "due yesterday 4:15 PM", true},
		{-40 * time.Hour, "due Wed, Nov 18", true},
		{-4 * 24 * time.Hour, "due Mon, Nov 16", true},
	} {
		got, late := v.DueText(v.Now.Add(tt.in))
		if got != tt.want || late != tt.late {
			t.Errorf("in %s: got %q, %v; want %q, %v", tt.in, got, late, tt.want, tt.late)
		}
	}
}

func TestDueTextWithTime_AnyDay_StatesTheTimeOnce(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	for in, want := range map[time.Duration]string{
		12 * time.Minute: "due in 12 min", 3 * time.Hour: "due by 5:15 PM", 30 * time.Hour: "due tomorrow 8:15 PM",
		54 * time.Hour: "due Sun, Nov 22, 8:15 PM", -38 * time.Minute: "due 38 min ago",
		-22 * time.Hour: "due yesterday 4:15 PM", -4 * 24 * time.Hour: "due Mon, Nov 16, 2:15 PM",
	} {
		if got, late := v.DueTextWithTime(v.Now.Add(in)); got != want || late != (in < 0) {
			t.Errorf("in %s: got %q, %v; want %q", in, got, late, want)
		}
	}
}

func TestPageCount_SaysWhichPageItIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n           int
		first, more bool
		want        string
	}{{1, true, false, "1 lead"}, {50, true, true, "First 50 leads"}, {50, false, true, "Next 50 leads"},
		{11, false, false, "Last 11 leads"}} {
		if got := text.PageCount(tt.n, "lead", "leads", tt.first, tt.more); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestDecimal_Thousands_Grouped(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{4400: "4,400", 0.25: "0.25", 1234.5: "1,234.5", -1000: "-1,000"} {
		if got := text.Decimal(&n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestShortDay_AnotherYear_HasTheYear(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	for day, want := range map[heloc.Date]string{"2026-10-15": "Oct 15", "2025-12-30": "Dec 30, 2025", "": ""} {
		if got := v.ShortDay(day); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestShortDuration_Units(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "1 sec", 59 * time.Second: "59 sec", time.Minute: "1 min", 89 * time.Minute: "89 min", 90 * time.Minute: "2 hr",
		116 * time.Minute: "2 hr", 5*time.Hour + 29*time.Minute: "5 hr", 35*time.Hour + 29*time.Minute: "35 hr",
		36 * time.Hour: "2 days", 60 * time.Hour: "3 days", 100 * time.Hour: "4 days",
	} {
		if got := text.ShortDuration(d); got != want {
			t.Errorf("%s: got %q, want %q", d, got, want)
		}
	}
}

func TestSinceTimeOfUsual(t *testing.T) {
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
		v := text.Viewer{Now: time.Date(2026, time.November, 21, 9, 0, 0, 0, time.UTC)}
		got := v.SinceTimeOfUsual(v.Now.Add(-tt.passed), tt.usual)
		if got.String() != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if want := v.Now.Add(-tt.passed).Format(time.RFC3339); got.At != want || got.Kind != "for" {
			t.Errorf("got %s at %s, want the browser to count from %s", got.Kind, got.At, want)
		}
	}
	if got := text.LongDuration(time.Minute) + ", " + text.LongDuration(50*time.Second); got != "1 minute, 50 seconds" {
		t.Errorf("got %q", got)
	}
}

// TestFormatDate_IgnoresZone uses an instant whose date in the user's zone is the day before.
func TestFormatDate_IgnoresZone(t *testing.T) {
	t.Parallel()
	if got := text.Date("2026-11-24"); got != "Nov 24, 2026" {
		t.Errorf("got %q", got)
	}
	if got := text.Weekday("2026-11-24"); got != "Tue, Nov 24" {
		t.Errorf("got %q", got)
	}
	if text.Date("") != "" || text.Weekday("soon") != "" {
		t.Error("an unknown date is shown as a date")
	}
}

func TestFormatMoney(t *testing.T) {
	t.Parallel()
	for m, want := range map[heloc.Money]string{0: "$0", 14_500_000: "$145,000", 182_767: "$1,827.67", -500: "−$5"} {
		if got := text.Money(m); got != want {
			t.Errorf("%d: got %q, want %q", m, got, want)
		}
	}
	if text.Dollars(nil) != "" || text.Percent(nil) != "" || text.Count(nil) != "" || text.Decimal(nil) != "" {
		t.Error("an unknown amount is shown as a figure")
	}
	rate := heloc.Percent(8.2)
	if got := text.Percent(&rate); got != "8.20%" {
		t.Errorf("got %q", got)
	}
}

// TestLeadAmount_NoneSelectable_NotUpTo: what the lender once offered is not an amount of a lead without offers.
func TestLeadAmount_NoneSelectable_NotUpTo(t *testing.T) {
	t.Parallel()
	for status, want := range map[heloc.StatusKey]string{
		heloc.StatusOffers: "Up to $150,000", heloc.StatusVerifyLiens: "Up to $150,000",
		heloc.StatusNoOffers: "Requested $60,000", heloc.StatusInProgress: "Requested $60,000",
		heloc.StatusDeclined: "Requested $60,000",
	} {
		label, amount := text.LeadAmount(&lead.Row{StatusKey: status, MaxAmount: heloc.Dollars(150_000),
			RequestedAmount: heloc.Dollars(60_000)})
		if got := label + " " + amount; got != want || text.CanSelect(status) != strings.HasPrefix(want, "Up to") {
			t.Errorf("%s: got %q, can select %v, want %q", status, got, text.CanSelect(status), want)
		}
	}
}

func TestDueTime_OnlyWhatDependsOnNow_IsCountedByTheBrowser(t *testing.T) {
	t.Parallel()
	v := text.Viewer{Now: time.Date(2026, time.November, 21, 14, 0, 0, 0, time.UTC), Zone: time.UTC}
	for left, kind := range map[time.Duration]string{-38 * time.Minute: "due", 10 * time.Minute: "due", 3 * time.Hour: "",
		30 * time.Hour: "", -30 * time.Hour: ""} {
		got, _ := v.DueTime(v.Now.Add(left))
		if want, _ := v.DueText(v.Now.Add(left)); got.String() != want || got.Kind != kind {
			t.Errorf("due in %s: got %q (%s), want %q (%s)", left, got, got.Kind, want, kind)
		}
	}
	if got := v.AgeTime(time.Time{}); got.String() != "" || got.At != "" {
		t.Errorf("no time: got %+v", got)
	}
	if got := v.AgeTime(v.Now.Add(-3 * time.Minute)); got.String() != "3 min ago" || got.Kind != "ago" {
		t.Errorf("got %+v", got)
	}
}

func TestOrdinal(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 21: "21st",
		113: "113th"} {
		if got := text.Ordinal(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
