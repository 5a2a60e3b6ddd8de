package page

import (
	"cmp"
	"net/url"
	"regexp"
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

// startedIn matches a month or a day, or a range of them.
var startedIn = regexp.MustCompile(`^(` + monthOrDay + `)(?:\.\.(` + monthOrDay + `))?$`)

const monthOrDay = `\d{4}-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?`

// originatorID matches the id of an originator.
var originatorID = regexp.MustCompile(`^[0-9A-Za-z-]{1,64}$`)

// parseCohort reads the filters of the reports. Unknown values do not filter.
func parseCohort(params url.Values, q *to.LeadsQuery) {
	if started := params.Get("started"); startedIn.MatchString(started) {
		q.Started = started
		if params.Get("dates") == "funded" {
			q.Dates = "funded"
		}
	}
	if starter := params.Get("started-by"); originatorID.MatchString(starter) {
		q.StartedBy = starter
	}
	if params.Get("moved") == "true" {
		q.Moved = "true"
	}
	if reached := params.Get("reached"); text.Reached(reached) != "" {
		q.Reached = reached
	}
	if outcome := params.Get("outcome"); text.Outcome(outcome) != "" {
		q.Outcome = outcome
	}
	if source := params.Get("source"); text.ReportSource(source) != "" {
		q.Source = source
	}
	if left := strings.ToUpper(params.Get("left")); lead.StepBit(heloc.Step(left)) != 0 && left != "" {
		q.Left = left
	}
}

// cohortFilter converts the filters of the reports to those of the desk.
func cohortFilter(q to.LeadsQuery) lead.CohortFilter {
	f := lead.CohortFilter{Reached: lead.Reach(q.Reached), Left: heloc.Step(q.Left), Moved: q.Moved != ""}
	if found := startedIn.FindStringSubmatch(q.Started); found != nil {
		f.From, f.To, f.Funded = found[1], cmp.Or(found[2], found[1]), q.Dates != ""
	}
	if q.StartedBy != "" {
		starter := heloc.OriginatorID(q.StartedBy)
		if q.StartedBy == to.NoOriginator {
			starter = ""
		}
		f.StartedBy = &starter
	}
	switch q.Outcome {
	case "":
	case "fallout":
		f.Outcomes = lead.FalloutOutcomes()
	case "ended":
		f.Outcomes = append(lead.FalloutOutcomes(), lead.OutcomeClosed)
	default:
		f.Outcomes = []lead.Outcome{lead.Outcome(q.Outcome)}
	}
	if q.Source != "" {
		source := lead.Source(q.Source)
		if q.Source == "unknown" {
			source = ""
		}
		f.Source = &source
	}
	return f
}

// CohortText says in words which leads the filters of the reports select. The names of originators may be unknown.
func CohortText(q to.LeadsQuery, originators []lead.Originator) string {
	f := cohortFilter(q)
	var parts []string
	add := func(words string, filtered bool) {
		if filtered {
			parts = append(parts, words)
		}
	}
	days := "Inquiries started "
	if f.Funded {
		days = "Funded "
	}
	add(days+text.PeriodText(f.From, f.To), f.From != "")
	starter := "Started by an unknown originator"
	if q.StartedBy != to.NoOriginator {
		starter = "Started by " + cmp.Or(text.OriginatorNames(originators)[heloc.OriginatorID(q.StartedBy)], "one originator")
	}
	add(starter, q.StartedBy != "")
	add("No longer with the originator who started them", q.Moved != "")
	add(text.Reached(q.Reached), q.Reached != "")
	add(text.Outcome(q.Outcome), q.Outcome != "" && !(q.Outcome == "funded" && q.Reached == "funded"))
	add(text.ReportSource(q.Source), q.Source != "")
	add("Left step: "+text.StepName(f.Left), q.Left != "")
	add("State not recorded", q.State == to.NoState)
	return strings.Join(parts, " · ")
}
