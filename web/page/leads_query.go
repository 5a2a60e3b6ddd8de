package page

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
)

// maxSearchLength limits the text in the search box in characters. A search is a few words.
const maxSearchLength = 100

// ParseLeadsQuery parses the state of a list. An unknown view becomes Today, or all leads if the list has
// filters.
func ParseLeadsQuery(params url.Values) to.LeadsQuery {
	q := to.LeadsQuery{
		View: params.Get("view"), Q: SearchText(params.Get("q")),
		Step: params.Get("step"), State: strings.ToUpper(params.Get("state")),
		Originator: params.Get("originator"), Only: params.Get("only"), Sort: params.Get("sort"), After: params.Get("after"),
	}
	parseCohort(params, &q)
	if !slices.ContainsFunc(text.Narrowings(), func(n [2]string) bool { return n[0] == q.Only }) {
		q.Only = ""
	}
	if !slices.ContainsFunc(text.Lanes(), func(l text.Lane) bool { return l.Key == q.View }) {
		q.View = text.TodayKey
		if q.Filtered() {
			q.View = "all"
		}
	}
	return q
}

// LeadQuery converts the state of a list to a query of the desk.
func LeadQuery(q to.LeadsQuery, now time.Time) lead.Query {
	query := lead.Query{
		StatusKey: StepFilter(q.Step, now), State: q.State, Originator: heloc.OriginatorID(q.Originator),
		Unassigned: q.Originator == to.NoOriginator, Cohort: cohortFilter(q), Only: lead.Only(q.Only), Now: lead.Millis(now),
		Sort: lead.Sort(q.Sort), After: q.After,
	}
	switch q.View {
	case "all":
	case text.TodayKey:
		query.YourMove = true
	default:
		query.Lane = heloc.Lane(q.View)
	}
	return query
}

// StepFilter parses the filter by step: one of our status keys, or the interface's name of a step, which becomes the
// status of a lead that has just reached it.
func StepFilter(typed string, now time.Time) heloc.StatusKey {
	if typed == "" || slices.Contains(text.StatusKeys(), typed) {
		return heloc.StatusKey(typed)
	}
	return heloc.StatusAt(heloc.StatusFacts{Step: heloc.Step(typed), StepSince: now}, now).Key
}

// SearchText is what a user searches for, without surrounding space and not longer than a search is.
func SearchText(typed string) string {
	runes := []rune(strings.TrimSpace(strings.ToValidUTF8(typed, "")))
	return string(runes[:min(len(runes), maxSearchLength)])
}
