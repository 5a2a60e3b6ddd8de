package page

import (
	"net/url"
	"regexp"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
)

// startedMonths matches a month or a range of months.
var startedMonths = regexp.MustCompile(`^(\d{4}-(?:0[1-9]|1[0-2]))(?:\.\.(\d{4}-(?:0[1-9]|1[0-2])))?$`)

// parseCohort reads the filters of the reports. Unknown values do not filter.
func parseCohort(params url.Values, q *to.LeadsQuery) {
	if started := params.Get("started"); startedMonths.MatchString(started) {
		q.Started = started
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
	f := lead.CohortFilter{Reached: lead.Reach(q.Reached), Left: heloc.Step(q.Left)}
	if months := startedMonths.FindStringSubmatch(q.Started); months != nil {
		if f.From, f.To = months[1], months[2]; f.To == "" {
			f.To = f.From
		}
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

// CohortText says in words which leads the filters of the reports select.
func CohortText(q to.LeadsQuery) string {
	f := cohortFilter(q)
	var parts []string
	add := func(words string, filtered bool) {
		if filtered {
			parts = append(parts, words)
		}
	}
	add("Inquiries started "+text.MonthsText(f.From, f.To), f.From != "")
	add(text.Reached(q.Reached), q.Reached != "")
	add(text.Outcome(q.Outcome), q.Outcome != "" && !(q.Outcome == "funded" && q.Reached == "funded"))
	add(text.ReportSource(q.Source), q.Source != "")
	add("Left step: "+text.StepName(f.Left), q.Left != "")
	add("State not recorded", q.State == to.NoState)
	return strings.Join(parts, " · ")
}
