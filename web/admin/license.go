package admin

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	deskadmin "hearthline/internal/desk/admin"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// setLicense records a license, or deletes its record.
func setLicense(r *http.Request, licenses *deskadmin.Licenses, f *form.Form) error {
	l := lead.License{Holder: f.Text("holder"), State: f.Text("state"), Number: f.Text("number"),
		Allowed: f.Text("may") == "true"}
	if typed := f.Text("expires"); typed != "" {
		day, problem := form.ParseNearDate(typed)
		if problem != "" {
			return fault.InvalidFields(fault.Field{Name: "expires", Message: problem})
		}
		l.ExpiresOn = day
	}
	switch f.Text("may") {
	case "forget":
		return licenses.Delete(r.Context(), l.Holder, l.State)
	case "true", "false":
		return licenses.Set(r.Context(), l)
	default:
		return fault.InvalidFields(fault.Field{Name: "may", Message: "Choose an option"})
	}
}

// renderLicenses shows who may act in which state.
func (h *Handlers) renderLicenses(w http.ResponseWriter, r *http.Request, licenses *deskadmin.Licenses,
	f *form.Form) error {
	known, people, err := licenses.List(r.Context())
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	formErrors := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	model := view.LicensesView{
		Admin: h.layout(r, "Licenses", "State licenses reported by the lender or entered by an administrator."),
		Fields: []ui.Field{
			{Name: "holder", Label: "License holder", Span: "c4", Error: formErrors.ErrorOf("holder"),
				Options: ui.Choices(f.Text("holder"), licenseHolders(people)...)},
			{Name: "state", Label: "State", Span: "c2", Error: formErrors.ErrorOf("state"),
				Options: ui.Choices(f.Text("state"), text.States()...)},
			{Name: "may", Label: "Licensed", Span: "c2", Error: formErrors.ErrorOf("may"),
				Options: ui.Choices(f.Text("may"), [2]string{"true", "Yes"}, [2]string{"false", "No"},
					[2]string{"forget", "Not known (remove entry)"})},
			{Name: "number", Label: "License number", Optional: "(optional)", Span: "c2", Error: formErrors.ErrorOf("number"),
				Value: f.Text("number"), Max: "40"},
			{Name: "expires", Label: "Expires", Optional: "(optional)", Span: "c2", Error: formErrors.ErrorOf("expires"),
				Value: f.Text("expires"), Placeholder: "mm/dd/yyyy", Max: "20"},
		},
		Table: presentLicenseTable(v, known),
	}
	model.Admin.Form = formErrors
	return h.Render(w, r, page.FormStatus(f), view.Licenses(model))
}

// licenseHolders lists the people and companies in the directory.
func licenseHolders(people []lead.Originator) [][2]string {
	all := [][2]string{{"", "Choose…"}}
	seen := map[string]bool{}
	for _, o := range people {
		if o.BrokerID != "" && !seen[o.BrokerID] {
			seen[o.BrokerID] = true
			all = append(all, [2]string{o.BrokerID, o.BrokerName + " (company)"})
		}
	}
	for _, o := range people {
		if o.RemovedAt == 0 {
			all = append(all, [2]string{string(o.UUID), text.JoinNonEmpty(", ", o.Name(), nmlsText(o.NMLS), o.BrokerName)})
		}
	}
	return all
}

func presentLicenseTable(v text.Viewer, known []deskadmin.NamedLicense) view.Table {
	t := view.Table{
		ID: "known", Title: "Licenses", Cards: true, Empty: "No licenses yet.",
		Columns: []ui.Column{{Label: "Holder"}, {Label: "State"}, {Label: "Licensed"}, {Label: "Number"}, {Label: "Expires"},
			{Label: "Source"}},
	}
	byName := slices.SortedStableFunc(slices.Values(known), func(a, b deskadmin.NamedLicense) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.NMLS, b.NMLS),
			strings.Compare(text.State(a.State), text.State(b.State)))
	})
	for _, l := range byName {
		may := view.Cell{Text: "Yes"}
		if !l.Allowed {
			may = view.Cell{Text: "No", NeedsAttention: true}
		}
		from := "Reported by the lender"
		if l.SetBy != "" {
			from = "Entered by an administrator"
		}
		t.Rows = append(t.Rows, []view.Cell{
			{Text: text.OrDash(l.Name), Sub: nmlsText(l.NMLS)}, {Text: text.State(l.State)}, may, {Text: l.Number},
			{Text: text.Date(l.ExpiresOn)}, {Text: from, Sub: v.DateTime(text.TimeOfMillis(l.At))},
		})
	}
	return t
}

// TextsPage lists the versions of the consent text, each with its number of consents.
func (h *Handlers) TextsPage(w http.ResponseWriter, r *http.Request, licenses *deskadmin.Licenses) error {
	all, err := licenses.Texts(r.Context())
	if err != nil {
		return err
	}
	v, consent := h.Viewer(r), page.VisitOf(r).Desk.ConsentText()
	model := view.ConsentTextsView{
		Admin: h.layout(r, "Consent texts",
			"What borrowers agree to before credit is pulled. Every version is stored, and each consent records its version."),
		Text: consent.Text, Current: []ui.Fact{{Label: "Version", Value: consent.Version},
			{Label: "To change it", Value: "Set PORTAL_CONSENT_FILE and restart"}},
		Table: view.Table{
			ID: "texts", Title: "Versions", Empty: "No versions yet.",
			Columns: []ui.Column{{Label: "Version"}, {Label: "Text"}, {Label: "In use since"},
				{Label: "Consents", Class: "num"}},
		},
	}
	for _, t := range all {
		model.Table.Rows = append(model.Table.Rows, []view.Cell{
			{Text: t.Version, Code: true}, {Text: text.OrDash(t.Text)}, {Text: v.DateTime(text.TimeOfMillis(t.SinceAt))},
			{Text: strconv.Itoa(t.Consents), Num: true},
		})
	}
	return h.Render(w, r, http.StatusOK, view.ConsentTexts(model))
}
