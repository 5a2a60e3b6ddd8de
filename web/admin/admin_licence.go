package admin

import (
	"net/http"
	"strconv"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// licencesPage is who may act in which state.
func (s *Handlers) LicencesPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.showLicences(w, r, d, &form.Form{})
}

// setLicence writes one down, or forgets it.
func (s *Handlers) SetLicence(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	kept, err := d.Licences()
	if err != nil {
		return err
	}
	l := desk.Licence{Holder: f.Text("holder"), State: f.Text("state"), Number: f.Text("number"), May: f.Text("may") == "true"}
	switch f.Text("may") {
	case "forget":
		err = kept.Forget(r.Context(), l.Holder, l.State)
	case "true", "false":
		err = kept.Set(r.Context(), l)
	default:
		err = fault.InvalidFields(fault.Field{Name: "may", Message: "Choose one of the list"})
	}
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.Wrong = fields
		return s.showLicences(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, to.Licences())
}

func (s *Handlers) showLicences(w http.ResponseWriter, r *http.Request, d page.Desk, f *form.Form) error {
	kept, err := d.Licences()
	if err != nil {
		return err
	}
	known, people, err := kept.List(r.Context())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	wrong := views.Form{Wrong: form.WrongOf(f.Wrong)}
	view := views.LicencesView{
		Admin: s.Admin(r, "Licences", "Who may act in which state: named by the lender with each lead, and kept by hand."),
		Fields: []ui.Field{
			{Name: "holder", Label: "Whose", Span: "c4", Error: wrong.Of("holder"), Options: ui.Choices(f.Text("holder"), holders(people)...)},
			{Name: "state", Label: "State", Span: "c2", Error: wrong.Of("state"), Options: ui.Choices(f.Text("state"), words.States()...)},
			{Name: "may", Label: "May they act there?", Span: "c2", Error: wrong.Of("may"), Options: ui.Choices(f.Text("may"), [2]string{"true", "Yes"}, [2]string{"false", "No"}, [2]string{"forget", "Not known"})},
			{Name: "number", Label: "Licence number", Optional: "if known", Span: "c2", Error: wrong.Of("number"), Value: f.Text("number"), Max: "40"},
		},
		Table: showLicenceTable(v, known),
	}
	view.Admin.Form = wrong
	status := http.StatusOK
	if f.Bad() {
		status = http.StatusUnprocessableEntity
	}
	return s.Show(w, r, status, views.LicencesPage(view))
}

// holders are those of the directory, people and companies.
func holders(people []desk.Originator) [][2]string {
	all := [][2]string{{"", "Choose…"}}
	seen := map[string]bool{}
	for _, o := range people {
		if o.BrokerID != "" && !seen[o.BrokerID] {
			seen[o.BrokerID] = true
			all = append(all, [2]string{o.BrokerID, o.BrokerName + ", the company"})
		}
	}
	for _, o := range people {
		if o.GoneAt == 0 {
			all = append(all, [2]string{string(o.UUID), format.Joined(", ", o.Name(), o.BrokerName)})
		}
	}
	return all
}

func showLicenceTable(v format.Viewer, known []desk.KnownLicence) views.AdminTable {
	t := views.AdminTable{
		ID: "known", Title: "Known licences", Empty: "The lender has named none yet.",
		Columns: []ui.Column{{Label: "Holder"}, {Label: "State"}, {Label: "May act"}, {Label: "Number"}, {Label: "Known from"}},
	}
	for _, l := range known {
		may := views.Cell{Text: "yes"}
		if !l.May {
			may = views.Cell{Text: "no", Late: true}
		}
		from := "the lender"
		if l.ByHand != "" {
			from = "by hand"
		}
		t.Rows = append(t.Rows, []views.Cell{
			{Text: words.Or(l.Name), Sub: nmlsLine(l.NMLS)}, {Text: words.State(l.State)}, may, {Text: l.Number}, {Text: from, Sub: v.Moment(format.Instant(l.At))},
		})
	}
	return t
}

// textsPage are the wordings of the consent, each with how many agreed to it.
func (s *Handlers) TextsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	kept, err := d.Licences()
	if err != nil {
		return err
	}
	all, err := kept.Texts(r.Context())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	view := views.TextsView{
		Admin: s.Admin(r, "Texts", "What borrowers agree to before credit is asked for. Every wording is kept, and every consent names its version."),
		Text:  d.Consent.Text, Now: []ui.Fact{{Label: "Version", Value: d.Consent.Version}, {Label: "Changed by", Value: "PORTAL_CONSENT_FILE and a restart"}},
		Table: views.AdminTable{
			ID: "texts", Title: "Versions", Empty: "None is kept yet.",
			Columns: []ui.Column{{Label: "Version"}, {Label: "Words"}, {Label: "In use since"}, {Label: "Consents", Class: "num"}},
		},
	}
	for _, t := range all {
		view.Table.Rows = append(view.Table.Rows, []views.Cell{
			{Text: t.Version, Code: true}, {Text: words.Or(t.Text)}, {Text: v.Moment(format.Instant(t.SinceAt))}, {Text: strconv.Itoa(t.Consents), Num: true},
		})
	}
	return s.Show(w, r, http.StatusOK, views.Texts(view))
}
