package lendersync

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func TestNextRefresh(t *testing.T) {
	t.Parallel()
	now := store.Instant(at(0))
	ago := func(d time.Duration) int64 { return store.Millis(now.Add(-d)) }
	for _, tt := range []struct {
		name string
		lead lead.Row
		want time.Duration
	}{
		{"just sent", lead.Row{Lane: heloc.LaneLender, StepSince: ago(0)}, 2 * time.Second},
		{"once", lead.Row{Lane: heloc.LaneLender, StepSince: ago(2 * time.Second)}, 4 * time.Second},
		{"twice", lead.Row{Lane: heloc.LaneLender, StepSince: ago(6 * time.Second)}, 8 * time.Second},
		{"thrice", lead.Row{Lane: heloc.LaneLender, StepSince: ago(14 * time.Second)}, 16 * time.Second},
		{"often", lead.Row{Lane: heloc.LaneLender, StepSince: ago(30 * time.Second)}, 30 * time.Second},
		{"very often", lead.Row{Lane: heloc.LaneLender, StepSince: ago(29 * time.Minute)}, 30 * time.Second},
		{"after a webhook", lead.Row{Lane: heloc.LaneLender, StepSince: ago(29 * time.Minute),
			WebhookAt: ago(6 * time.Second)}, 8 * time.Second},
		{"since a time ahead", lead.Row{Lane: heloc.LaneLender, StepSince: ago(-time.Minute)}, 2 * time.Second},
		{"in processing for half an hour", lead.Row{Lane: heloc.LaneLender, StepSince: ago(30 * time.Minute)},
			2 * time.Minute},
		{"in processing for hours", lead.Row{Lane: heloc.LaneLender, StepSince: ago(3 * time.Hour)}, 15 * time.Minute},
		{"in processing for months", lead.Row{Lane: heloc.LaneLender, StepSince: ago(90 * 24 * time.Hour)}, 2 * time.Hour},
		{"an old step, just answered", lead.Row{Lane: heloc.LaneLender, StepSince: ago(90 * 24 * time.Hour),
			ChangedAt: ago(0), PendingUntil: ago(-time.Minute)}, 2 * time.Second},
		{"yours for minutes", lead.Row{Lane: heloc.LaneBlocked, StepSince: ago(time.Minute)}, 2 * time.Minute},
		{"the borrower's for hours", lead.Row{Lane: heloc.LaneBorrower, StepSince: ago(5 * time.Hour)}, 15 * time.Minute},
		{"offers for days", lead.Row{Lane: heloc.LaneOffers, StepSince: ago(50 * time.Hour)}, 2 * time.Hour},
		{"ended", lead.Row{Lane: heloc.LaneEnded, ChangedAt: ago(29 * 24 * time.Hour)}, 24 * time.Hour},
		{"ended long ago", lead.Row{Lane: heloc.LaneEnded, ChangedAt: ago(31 * 24 * time.Hour)}, neverAgain},
	} {
		if got := nextRefresh(&tt.lead, now); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A lead in closing is read often while something is pending and it is working hours for those who could act on it.
func TestNextRefresh_Closing(t *testing.T) {
	t.Parallel()
	friday := func(hour, minute int) time.Time { return time.Date(2026, 11, 20, hour, minute, 0, 0, time.UTC) }
	noon := friday(17, 0) // in New York
	conditions := lead.Row{OpenConditions: 1}
	for _, tt := range []struct {
		name string
		lead lead.Row
		now  time.Time
		want time.Duration
	}{
		{"nothing open", lead.Row{}, noon, time.Hour},
		{"an open condition", conditions, noon, 20 * time.Minute},
		{"notary in two days", lead.Row{NotaryDate: "2026-11-22"}, noon, 20 * time.Minute},
		{"signing today", lead.Row{SigningDate: "2026-11-20"}, noon, 20 * time.Minute},
		{"signing in three days", lead.Row{SigningDate: "2026-11-23"}, noon, time.Hour},
		{"signed last week", lead.Row{SigningDate: "2026-11-13", ESignedDate: "2026-11-13"}, noon, time.Hour},
		{"rescission ended two days ago", lead.Row{SigningDate: "2026-11-13", RescissionDate: "2026-11-18"}, noon,
			20 * time.Minute},
		{"rescission ended long ago", lead.Row{SigningDate: "2026-11-03", RescissionDate: "2026-11-07"}, noon, time.Hour},
		{"to be funded tomorrow", lead.Row{FundedDate: "2026-11-21"}, noon, 20 * time.Minute},
		{"not a date", lead.Row{SigningDate: "soon"}, noon, time.Hour},
		{"7:00 in New York", conditions, friday(12, 0), 20 * time.Minute},
		{"before 6:00 in New York", conditions, friday(10, 59), time.Hour},
		{"before 20:00 in Los Angeles", conditions, friday(23, 0).Add(4*time.Hour + 59*time.Minute), 20 * time.Minute},
		{"20:00 in Los Angeles", conditions, friday(23, 0).Add(5 * time.Hour), time.Hour},
		{"Saturday", conditions, noon.AddDate(0, 0, 1), time.Hour},
		{"Sunday", conditions, noon.AddDate(0, 0, 2), time.Hour},
		{"Monday", conditions, noon.AddDate(0, 0, 3), 20 * time.Minute},
		{"7:00 in New York in summer", conditions, time.Date(2026, 7, 1, 11, 0, 0, 0, time.UTC), 20 * time.Minute},
	} {
		tt.lead.Lane = heloc.LaneClosing
		if got := nextRefresh(&tt.lead, tt.now); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAfterFailure_Backoff(t *testing.T) {
	t.Parallel()
	down := fault.New(fault.Unavailable, "down")
	notFound := fault.New(fault.NotFound, "gone")
	for _, tt := range []struct {
		failures int
		cause    error
		want     time.Duration
	}{
		{1, down, 4 * time.Second}, {2, down, 8 * time.Second}, {5, down, time.Minute}, {1 << 40, down, time.Minute},
		{1, notFound, 4 * time.Second}, {6, notFound, 128 * time.Second}, {13, notFound, 16384 * time.Second},
		{14, notFound, 6 * time.Hour}, {1 << 40, notFound, 6 * time.Hour},
		{1, errors.New("ours"), 4 * time.Second}, {0, down, 4 * time.Second},
	} {
		if got := afterFailure(tt.failures, tt.cause); got != tt.want {
			t.Errorf("%d failures, %v: got %v, want %v", tt.failures, tt.cause, got, tt.want)
		}
	}
}

func TestRefreshQueue_SameLead_QueuedOnce(t *testing.T) {
	t.Parallel()
	l := newRefreshQueue()
	next := func() refreshRequest {
		t.Helper()
		one, _ := l.next()
		return one
	}
	for range 10 {
		l.add(refreshRequest{app: "a"})
	}
	l.add(refreshRequest{app: "a", parts: extraDocuments})
	l.add(refreshRequest{app: "b"})
	if got, want := next(), (refreshRequest{app: "a", parts: extraDocuments}); got != want {
		t.Errorf("got %v, want %v with all requested parts", got, want)
	}
	// While a lead is being read, it is queued again only for parts that the reading does not include.
	l.add(refreshRequest{app: "a"})
	l.add(refreshRequest{app: "a", parts: extraDocuments})
	if got := next(); got.app != "b" {
		t.Errorf("got %v, want b", got)
	}
	if got := next(); got != (refreshRequest{}) {
		t.Errorf("got %v, want an empty queue", got)
	}
	l.add(refreshRequest{app: "a", parts: extraClosing})
	if got, want := next(), (refreshRequest{app: "a", parts: extraClosing}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	l.done("a")
	l.add(refreshRequest{app: "a"})
	if got := next(); got.app != "a" {
		t.Errorf("got %v, want a again once it has been read", got)
	}
	for i := range 2 * maxPerTurn { // a full queue does not block, and takes what is due again later
		l.add(refreshRequest{app: heloc.AppID(rune('d' + i))})
	}
	if got := l.turns.Len(); got != maxPerTurn {
		t.Errorf("%d leads wait, want %d", got, maxPerTurn)
	}
}

// Neither the due leads of a busy company nor its users' requests keep another company waiting, and what a user asks
// for does not wait for what is due.
func TestRefreshQueue_BusyCompany_OthersHaveTurns(t *testing.T) {
	t.Parallel()
	l := newRefreshQueue()
	id := func(kind string, i int) heloc.AppID { return heloc.AppID(kind + strconv.Itoa(i)) }
	for i := range 2 * maxPerTurn {
		l.add(refreshRequest{app: id("due", i), company: "A"})
		l.add(refreshRequest{app: id("asked", i), company: "A", asked: true})
	}
	l.add(refreshRequest{app: "b1", company: "B"})
	l.add(refreshRequest{app: "b2", company: "B"})
	l.add(refreshRequest{app: "b2", company: "B", parts: extraDocuments, asked: true}) // a user opens it
	l.add(refreshRequest{app: "b2", company: "B", parts: extraClosing})                // and it stays theirs
	var got []refreshRequest
	for range 6 {
		one, _ := l.next()
		got = append(got, one)
	}
	want := []refreshRequest{
		{app: "due0", company: "A"}, {app: "asked0", company: "A", asked: true}, {app: "b1", company: "B"},
		{app: "b2", company: "B", parts: extraDocuments | extraClosing, asked: true}, {app: "due1", company: "A"},
		{app: "asked1", company: "A", asked: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got[1].caller().Background || !got[0].caller().Background || got[2].caller().Company != "B" {
		t.Error("the calls to the lender must be those of the company, and in the background when nobody asked")
	}
}
