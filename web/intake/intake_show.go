package intake

import (
	"net/url"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// borrowerIn is the borrower's name as it stands in the form so far.
func borrowerIn(f *form.Form) string {
	return strings.Join(strings.Fields(f.Values.Get("applicant.name.firstName")+" "+f.Values.Get("applicant.name.lastName")), " ")
}

// progress is how far an intake has come, section by section.
type progress struct {
	done  []string
	needs []views.Need
	left  []string
	gross string
}

// progressOf reads the form once more as if it were sent, to say what is missing. An
// empty page is not reproached with its emptiness.
func progressOf(v format.Viewer, f *form.Form) progress {
	var p progress
	if len(f.Values) == 0 {
		return p
	}
	trial := form.Form{Values: f.Values, Sent: map[string]string{}}
	in, _ := trial.Inquiry(v.Today())
	p.gross = form.Monthly(in.Applicant.Income.GrossAnnual)
	missing := map[string]int{}
	for _, w := range trial.Wrong {
		missing[form.SectionOf(w.Name)]++
	}
	for _, section := range []string{"property", "borrower", "income", "liens", "business"} {
		n := missing[section]
		switch {
		case n > 0:
			p.needs = append(p.needs, views.Need{Section: section, Text: format.Counted(n, "to fill", "to fill")})
			p.left = append(p.left, section)
		case section == "property" || section == "borrower" || section == "income" || trial.Has(controlsOf(section)):
			p.done = append(p.done, section)
		}
	}
	p.left = append(p.left, "consent")
	return p
}

// controlsOf is the beginning of the names of an optional section.
func controlsOf(section string) string {
	if section == "liens" {
		return "property.liens."
	}
	return "businessInfo."
}

// showDuplicates says who stands there already. Of a colleague's lead no more is said
// than that it exists.
func showDuplicates(v format.Viewer, found []desk.Duplicate, borrower string) []views.DuplicateRow {
	var rows []views.DuplicateRow
	for _, d := range found {
		switch {
		case d.Lead != nil:
			rows = append(rows, views.DuplicateRow{Text: format.Joined(", ", borrower, format.Lowered(format.ChipOf(*d.Lead).Label), format.ShortID(*d.Lead)), Href: v.Base.Lead(string(d.Lead.App))})
		case d.Pending != nil:
			row := views.DuplicateRow{Text: "A start of " + v.Within(format.Instant(d.Pending.CreatedAt)) + " whose outcome is not known yet"}
			if d.Pending.ActorID == v.Who.UserID {
				row.Href = v.Base.Operation(d.Pending.ID)
			}
			rows = append(rows, row)
		default:
			rows = append(rows, views.DuplicateRow{Text: "A lead of a colleague in your company"})
		}
	}
	return rows
}

// goesSoon is how long before a draft goes its list says so.
const goesSoon = 14 * 24 * time.Hour

func showDraft(v format.Viewer, d desk.Draft) views.DraftRow {
	f := &form.Form{Values: url.Values(d.Typed), Sent: map[string]string{}}
	from := ""
	if d.Restart {
		from = "Corrects an inquiry"
	}
	if d.Handed != nil {
		way := d.Handed.Handings
		from = "Prepared by " + way[0].By + ", handed over " + v.Within(way[len(way)-1].At)
	}
	goes := ""
	if d.GoesAt.Sub(v.Now) < goesSoon {
		goes = "Deleted after " + v.DayOf(d.GoesAt) + ", unless somebody types in it"
	}
	return views.DraftRow{
		Goes: goes, From: from, ID: d.ID, Name: borrowerIn(f), Place: format.PlaceOf(d.Typed.Value("property.address.city"), d.Typed.Value("property.address.state")),
		Saved: v.Moment(d.SavedAt), Left: strings.Join(progressOf(v, f).left, ", "),
	}
}

func showSamples(all []page.Sample) []ui.Option {
	var options []ui.Option
	for _, s := range all {
		options = append(options, ui.Option{Value: s.Key, Label: words.Or(s.Label)})
	}
	return options
}
