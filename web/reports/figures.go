package reports

import (
	"strconv"

	deskreports "hearthline/internal/desk/reports"

	"hearthline/views/text"
	"hearthline/views/to"
)

// figure is one column of a report: a count with the list behind it, a share, or an amount.
type figure struct {
	heading string
	count   func(deskreports.Cohort) int
	list    to.LeadsQuery // the filters of the list, besides the report's own
	of      func(deskreports.Cohort) int
	amount  *volume
}

// share is a figure in percent of another count.
func share(heading string, count, of func(deskreports.Cohort) int) figure {
	return figure{heading: heading, count: count, of: of}
}

// text is the figure of a group.
func (f figure) text(c deskreports.Cohort) string {
	if f.of != nil {
		return text.Share(f.count(c), f.of(c))
	}
	return strconv.Itoa(f.count(c))
}

func inquiries(c deskreports.Cohort) int    { return c.Inquiries }
func offers(c deskreports.Cohort) int       { return c.Offers }
func selected(c deskreports.Cohort) int     { return c.Selected }
func applications(c deskreports.Cohort) int { return c.Applications }
func funded(c deskreports.Cohort) int       { return c.Funded }

// noApplication counts the leads that did not become applications.
func noApplication(c deskreports.Cohort) int { return c.Inquiries - c.Applications }

// endedEarly counts the leads that ended before they became applications, at the lender or closed here.
func endedEarly(c deskreports.Cohort) int {
	return c.Declined + c.Withdrawn + c.Canceled + c.Expired + c.Closed - c.Fallout()
}

// closed counts the leads that a user closed here, none of which is an application.
func closed() figure {
	return figure{heading: text.Outcome("closed"), count: func(c deskreports.Cohort) int { return c.Closed },
		list: to.LeadsQuery{Outcome: "closed"}}
}

// stages are the figures of the funnel.
func stages() []figure {
	return []figure{
		{heading: "Inquiries", count: inquiries},
		{heading: "Offers ready", count: offers, list: to.LeadsQuery{Reached: "offers"}},
		{heading: "Offer selected", count: selected, list: to.LeadsQuery{Reached: "selected"}},
		{heading: "Applications", count: applications, list: to.LeadsQuery{Reached: "application"}},
		{heading: "Funded", count: funded, list: to.LeadsQuery{Reached: "funded"}},
	}
}

// fundedFigures are the figures of leads that are counted by when they were funded: every one of them reached all
// stages, so shares and other ends say nothing.
func fundedFigures() []figure {
	return []figure{{heading: "Funded leads", count: inquiries},
		{heading: "Funded dollars", amount: &volumes()[3]}}
}

// overviewFigures are the figures by group on the overview.
func overviewFigures() []figure {
	return append(stages(),
		figure{heading: "Still open", count: deskreports.Cohort.Open, list: to.LeadsQuery{Outcome: "open"}},
		share("Pull-through", funded, applications),
	)
}

func funnelFigures() []figure {
	all := stages()
	return []figure{
		all[0], all[1], share("Offer rate", offers, inquiries), all[2], share("Of offers", selected, offers), all[3],
		share("Of selected", applications, selected), all[4], share("Of applications", funded, applications),
	}
}

func pullThroughFigures() []figure {
	return []figure{
		stages()[3], stages()[4],
		{heading: "Still open", count: deskreports.Cohort.OpenApplications,
			list: to.LeadsQuery{Reached: "application", Outcome: "open"}},
		{heading: "Fallout", count: deskreports.Cohort.Fallout,
			list: to.LeadsQuery{Reached: "application", Outcome: "fallout"}},
		share("Pull-through", funded, applications),
	}
}

// end is a way in which the lender ends a lead without funding, with its number of leads and of applications.
type end struct {
	word, outcome string
	all, apps     func(deskreports.Cohort) int
}

// ends are the four ways in which the lender ends a lead without funding.
func ends() []end {
	return []end{
		{"Declined", "declined", func(c deskreports.Cohort) int { return c.Declined }, func(c deskreports.Cohort) int {
			return c.AppDeclined
		}},
		{"Withdrawn", "withdrawn", func(c deskreports.Cohort) int { return c.Withdrawn }, func(c deskreports.Cohort) int {
			return c.AppWithdrawn
		}},
		{"Canceled", "canceled", func(c deskreports.Cohort) int { return c.Canceled }, func(c deskreports.Cohort) int {
			return c.AppCanceled
		}},
		{"Expired", "expired", func(c deskreports.Cohort) int { return c.Expired }, func(c deskreports.Cohort) int {
			return c.AppExpired
		}},
	}
}

// falloutFigures are the applications that ended without funding.
func falloutFigures() []figure {
	all := []figure{stages()[3]}
	for _, e := range ends() {
		all = append(all, figure{heading: e.word, count: e.apps,
			list: to.LeadsQuery{Reached: "application", Outcome: e.outcome}})
	}
	return append(all, pullThroughFigures()[3], share("Fallout rate", deskreports.Cohort.Fallout, applications))
}

// earlyFigures are the inquiries that did not become applications: open ones, and how the others ended.
func earlyFigures() []figure {
	all := []figure{
		{heading: "Inquiries", count: noApplication, list: to.LeadsQuery{Reached: "no-application"}},
		{
			heading: "Still open", count: func(c deskreports.Cohort) int { return noApplication(c) - endedEarly(c) },
			list: to.LeadsQuery{Reached: "no-application", Outcome: "open"},
		},
	}
	for _, e := range ends() {
		all = append(all, figure{
			heading: e.word, count: func(c deskreports.Cohort) int { return e.all(c) - e.apps(c) },
			list: to.LeadsQuery{Reached: "no-application", Outcome: e.outcome},
		})
	}
	return append(all, closed())
}
