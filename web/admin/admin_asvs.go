package admin

import (
	"net/http"
	"strings"

	"hearthline/internal/asvs"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/web/format"
)

// asvsPage is our answer to the verification standard, as the program holds it.
func (s *Handlers) AsvsPage(w http.ResponseWriter, r *http.Request) error {
	view := showASVS(asvs.Requirements())
	view.Admin = s.Admin(r, "ASVS", "OWASP ASVS 5.0.0: each requirement with the tests that show it, the reason that it holds, your duty, or a deviation with its reason.")
	return s.Show(w, r, http.StatusOK, views.Tables(view))
}

// kindWords say what an answer is.
var kindWords = map[asvs.Kind]string{asvs.Test: "shown by tests", asvs.Why: "holds by its making", asvs.Duty: "your duty", asvs.Deviation: "a deviation, with its reason", asvs.Open: "open"}

// showASVS maps the table, a panel for each chapter, with the sums on top. Admin is the
// caller's.
func showASVS(all []asvs.Requirement) views.TablesView {
	var view views.TablesView
	sums := map[asvs.Kind]int{}
	chapter := ""
	for _, one := range all {
		sums[one.Kind]++
		if c := one.Chapter(); c != chapter {
			chapter = c
			number, _, _ := strings.Cut(c, " ")
			view.Tables = append(view.Tables, views.AdminTable{
				ID: strings.ToLower(number), Title: c,
				Columns: []ui.Column{{Label: "Number"}, {Label: "Level"}, {Label: "What it asks"}, {Label: "How"}, {Label: "Answer"}},
			})
		}
		t := &view.Tables[len(view.Tables)-1]
		answer := views.Cell{Text: one.Answer, Sub: one.Note}
		if len(one.Tests()) > 0 {
			answer.Text = strings.Join(one.Tests(), ", ")
		}
		t.Rows = append(t.Rows, []views.Cell{{Text: one.Number}, {Text: "L" + one.Level}, {Text: one.Asks}, {Text: kindWords[one.Kind], Late: one.Kind == asvs.Open}, answer})
	}
	facts := []ui.Fact{{Label: "Requirements", Value: format.Counted(len(all), "applies", "apply")}}
	for _, kind := range []asvs.Kind{asvs.Test, asvs.Why, asvs.Duty, asvs.Deviation, asvs.Open} {
		facts = append(facts, ui.Fact{Label: strings.ToUpper(kindWords[kind][:1]) + kindWords[kind][1:], Value: format.Counted(sums[kind], "requirement", "requirements")})
	}
	view.Panels = []views.FactsPanel{{ID: "sums", Title: "In all", Facts: facts}}
	return view
}
