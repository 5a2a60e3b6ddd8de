package web

import (
	"net/http"
	"strconv"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// stateLicence answers the intake's question about a state, before a borrower is named.
func (s *Server) stateLicence(w http.ResponseWriter, r *http.Request, d Desk) error {
	line, err := licenceLine(r, d, r.URL.Query().Get("property.address.state"))
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusOK, views.LicenceLine(line))
}

// licenceLine says what is known of the person's right to act in a state. Who starts
// nothing needs none.
func licenceLine(r *http.Request, d Desk, state string) (views.LicenceView, error) {
	starts, err := d.Intake()
	if err != nil || len(state) != 2 {
		return views.LicenceView{}, nil //nolint:nilerr // who may not start is told so elsewhere
	}
	known, err := starts.Licence(r.Context(), state)
	if err != nil {
		return views.LicenceView{}, err
	}
	return showLicence(known), nil
}

func showLicence(l desk.StateLicence) views.LicenceView {
	name := words.State(l.State)
	if l.Own == desk.LicenceHeld && l.Company != desk.LicenceMissing {
		return views.LicenceView{Text: name + ": you are licensed."}
	}
	v := views.LicenceView{Late: true, Text: "You are not known to be licensed in " + name + "."}
	switch {
	case l.Own == desk.LicenceMissing:
		v.Text = "You are not licensed in " + name + "."
	case l.Company == desk.LicenceMissing:
		v.Text = "Your company is not licensed in " + name + "."
	}
	if len(l.Call) == 0 {
		v.Text += " Ask your manager before you take the application."
	}
	for _, o := range l.Call {
		v.Text += " " + joined(", ", o.Name(), o.Phone) + " is."
	}
	return v
}

// licencesPage is who may act in which state.
func (s *Server) licencesPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showLicences(w, r, d, &form{})
}

// setLicence writes one down, or forgets it.
func (s *Server) setLicence(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	kept, err := d.Licences()
	if err != nil {
		return err
	}
	l := desk.Licence{Holder: f.text("holder"), State: f.text("state"), Number: f.text("number"), May: f.text("may") == "true"}
	switch f.text("may") {
	case "forget":
		err = kept.Forget(r.Context(), l.Holder, l.State)
	case "true", "false":
		err = kept.Set(r.Context(), l)
	default:
		err = fault.InvalidFields(fault.Field{Name: "may", Message: "Choose one of the list"})
	}
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.wrong = fields
		return s.showLicences(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return onward(w, r, to.Licences())
}

func (s *Server) showLicences(w http.ResponseWriter, r *http.Request, d Desk, f *form) error {
	kept, err := d.Licences()
	if err != nil {
		return err
	}
	known, people, err := kept.List(r.Context())
	if err != nil {
		return err
	}
	v := s.viewer(r)
	wrong := views.Form{Wrong: wrongOf(f.wrong)}
	view := views.LicencesView{
		Admin: s.admin(r, "Licences", "Who may act in which state: named by the lender with each lead, and kept by hand."),
		Fields: []ui.Field{
			{Name: "holder", Label: "Whose", Span: "c4", Error: wrong.Of("holder"), Options: ui.Choices(f.text("holder"), holders(people)...)},
			{Name: "state", Label: "State", Span: "c2", Error: wrong.Of("state"), Options: ui.Choices(f.text("state"), words.States()...)},
			{Name: "may", Label: "May they act there?", Span: "c2", Error: wrong.Of("may"), Options: ui.Choices(f.text("may"), [2]string{"true", "Yes"}, [2]string{"false", "No"}, [2]string{"forget", "Not known"})},
			{Name: "number", Label: "Licence number", Optional: "if known", Span: "c2", Error: wrong.Of("number"), Value: f.text("number"), Max: "40"},
		},
		Table: v.showLicenceTable(known),
	}
	view.Admin.Form = wrong
	status := http.StatusOK
	if f.bad() {
		status = http.StatusUnprocessableEntity
	}
	return s.show(w, r, status, views.LicencesPage(view))
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
			all = append(all, [2]string{string(o.UUID), joined(", ", o.Name(), o.BrokerName)})
		}
	}
	return all
}

func (v viewer) showLicenceTable(known []desk.KnownLicence) views.AdminTable {
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
			{Text: words.Or(l.Name), Sub: nmlsLine(l.NMLS)}, {Text: words.State(l.State)}, may, {Text: l.Number}, {Text: from, Sub: v.moment(instant(l.At))},
		})
	}
	return t
}

// textsPage are the wordings of the consent, each with how many agreed to it.
func (s *Server) textsPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	kept, err := d.Licences()
	if err != nil {
		return err
	}
	all, err := kept.Texts(r.Context())
	if err != nil {
		return err
	}
	v := s.viewer(r)
	view := views.TextsView{
		Admin: s.admin(r, "Texts", "What borrowers agree to before credit is asked for. Every wording is kept, and every consent names its version."),
		Text:  d.Consent.Text, Now: []ui.Fact{{Label: "Version", Value: d.Consent.Version}, {Label: "Changed by", Value: "PORTAL_CONSENT_FILE and a restart"}},
		Table: views.AdminTable{
			ID: "texts", Title: "Versions", Empty: "None is kept yet.",
			Columns: []ui.Column{{Label: "Version"}, {Label: "Words"}, {Label: "In use since"}, {Label: "Consents", Class: "num"}},
		},
	}
	for _, t := range all {
		view.Table.Rows = append(view.Table.Rows, []views.Cell{
			{Text: t.Version, Code: true}, {Text: words.Or(t.Text)}, {Text: v.moment(instant(t.SinceAt))}, {Text: strconv.Itoa(t.Consents), Num: true},
		})
	}
	return s.show(w, r, http.StatusOK, views.Texts(view))
}
