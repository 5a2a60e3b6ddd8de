package web

import (
	"net/url"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// borrowerIn is the borrower's name as it stands in the form so far.
func borrowerIn(f *form) string {
	return strings.Join(strings.Fields(f.values.Get("applicant.name.firstName")+" "+f.values.Get("applicant.name.lastName")), " ")
}

func (v viewer) consentOf(text desk.ConsentText, borrower string) views.ConsentText {
	return views.ConsentText{
		Text: text.Text, Version: text.Version, Dated: calendar(heloc.Date(text.Version)), Borrower: borrower, Person: personOf(v.who),
	}
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
func (v viewer) progressOf(f *form) progress {
	var p progress
	if len(f.values) == 0 {
		return p
	}
	trial := form{values: f.values, sent: map[string]string{}}
	in, _ := trial.inquiry(v.today())
	p.gross = monthly(in.Applicant.Income.GrossAnnual)
	missing := map[string]int{}
	for _, w := range trial.wrong {
		missing[sectionOf(w.Name)]++
	}
	for _, section := range []string{"property", "borrower", "income", "liens", "business"} {
		n := missing[section]
		switch {
		case n > 0:
			p.needs = append(p.needs, views.Need{Section: section, Text: counted(n, "to fill", "to fill")})
			p.left = append(p.left, section)
		case section == "property" || section == "borrower" || section == "income" || trial.has(controlsOf(section)):
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
func (v viewer) showDuplicates(found []desk.Duplicate, borrower string) []views.DuplicateRow {
	var rows []views.DuplicateRow
	for _, d := range found {
		switch {
		case d.Lead != nil:
			rows = append(rows, views.DuplicateRow{Text: joined(", ", borrower, lowered(chipOf(*d.Lead).Label), shortID(*d.Lead)), Href: v.base.Lead(string(d.Lead.App))})
		case d.Pending != nil:
			row := views.DuplicateRow{Text: "A start of " + v.within(instant(d.Pending.CreatedAt)) + " whose outcome is not known yet"}
			if d.Pending.ActorID == v.who.UserID {
				row.Href = v.base.Operation(d.Pending.ID)
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

func (v viewer) showDraft(d desk.Draft) views.DraftRow {
	f := &form{values: url.Values(d.Typed), sent: map[string]string{}}
	from := ""
	if d.Restart {
		from = "Corrects an inquiry"
	}
	if d.Handed != nil {
		way := d.Handed.Handings
		from = "Prepared by " + way[0].By + ", handed over " + v.within(way[len(way)-1].At)
	}
	goes := ""
	if d.GoesAt.Sub(v.now) < goesSoon {
		goes = "Deleted after " + v.dayOf(d.GoesAt) + ", unless somebody types in it"
	}
	return views.DraftRow{
		Goes: goes, From: from, ID: d.ID, Name: borrowerIn(f), Place: placeOf(d.Typed.Value("property.address.city"), d.Typed.Value("property.address.state")),
		Saved: v.moment(d.SavedAt), Left: strings.Join(v.progressOf(f).left, ", "),
	}
}

func showSamples(all []Sample) []ui.Option {
	var options []ui.Option
	for _, s := range all {
		options = append(options, ui.Option{Value: s.Key, Label: words.Or(s.Label)})
	}
	return options
}
