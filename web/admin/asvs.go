package admin

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"hearthline/internal/asvs"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// AsvsPage shows the portal's answers to the OWASP verification standard, from the table in the
// program.
func (h *Handlers) AsvsPage(w http.ResponseWriter, r *http.Request) error {
	model := presentASVS(asvs.Requirements(), asvs.Proofs(maps.Values(asvs.Results())))
	model.Admin = h.layout(r, "ASVS",
		"OWASP ASVS 5.0.0: for each requirement, the tests, the design reason, the operator’s duty, or the deviation.")
	return h.Render(w, r, http.StatusOK, view.Tables(model))
}

// answerKindText has the display text of each kind of answer.
var answerKindText = map[asvs.Kind]string{asvs.Tested: "verified by tests", asvs.ByDesign: "by design",
	asvs.OperatorDuty: "operator’s duty", asvs.Deviation: "deviation", asvs.NotMet: "open"}

// presentASVS maps the table, one panel for each chapter, with the totals at the top. proofs has the day when the tests
// of a requirement failed without its controls. The caller sets Admin.
func presentASVS(all []asvs.Requirement, proofs map[string]string) view.TablesView {
	var model view.TablesView
	counts := map[asvs.Kind]int{}
	chapter, proven, oldest := "", 0, ""
	for _, one := range all {
		counts[one.Kind]++
		evidence := view.Cell{Text: answerKindText[one.Kind], NeedsAttention: one.Kind == asvs.NotMet}
		if day := proofs[one.Number]; day != "" && one.Kind == asvs.Tested {
			proven++
			evidence.Sub = "Failed without the control on " + proofDay(day)
			if oldest == "" || day < oldest {
				oldest = day
			}
		}
		if c := one.Chapter(); c != chapter {
			chapter = c
			number, _, _ := strings.Cut(c, " ")
			model.Tables = append(model.Tables, view.Table{
				ID: strings.ToLower(number), Title: c,
				Columns: []ui.Column{{Label: "Number"}, {Label: "Level"}, {Label: "Requirement"}, {Label: "Evidence"},
					{Label: "Answer"}},
			})
		}
		t := &model.Tables[len(model.Tables)-1]
		answer := view.Cell{Text: one.Answer, Sub: one.Note}
		if len(one.Tests()) > 0 {
			answer.Text = strings.Join(one.Tests(), ", ")
		}
		t.Rows = append(t.Rows, []view.Cell{{Text: one.Number}, {Text: "L" + one.Level}, {Text: one.Text},
			evidence, answer})
	}
	facts := []ui.Fact{{Label: "Requirements", Value: text.Pluralize(len(all), "applies", "apply")}}
	for _, kind := range []asvs.Kind{asvs.Tested, asvs.ByDesign, asvs.OperatorDuty, asvs.Deviation, asvs.NotMet} {
		facts = append(facts, ui.Fact{Label: strings.ToUpper(answerKindText[kind][:1]) + answerKindText[kind][1:],
			Value: text.Pluralize(counts[kind], "requirement", "requirements")})
	}
	if tested := counts[asvs.Tested]; oldest != "" {
		facts = append(facts, ui.Fact{Label: "Tests fail when the control is removed",
			Value: fmt.Sprintf("%d of %d (%d%%), checked %s or later", proven, tested, 100*proven/tested, proofDay(oldest))})
	}
	model.Panels = []view.FactsPanel{{ID: "sums", Title: "Total", Facts: facts}}
	return model
}

// proofDay formats a day from the results. They are embedded in the program, so a malformed one is shown as is.
func proofDay(day string) string {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return date.Format("Jan 2, 2006")
}
