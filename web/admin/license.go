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
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// setLicense records what is known about one holder in several states, or deletes it.
func setLicense(r *http.Request, licenses *deskadmin.Licenses, f *form.Form) error {
	entry := deskadmin.LicenseEntry{Holder: f.Text("holder"), States: chosenStates(f), Number: f.Text("number"),
		Allowed: f.Text("may") == "true", Forget: f.Text("may") == "forget"}
	if typed := f.Text("expires"); typed != "" {
		day, problem := form.ParseNearDate(typed)
		if problem != "" {
			return fault.InvalidFields(fault.Field{Name: "expires", Message: problem})
		}
		entry.ExpiresOn = day
	}
	if !slices.Contains([]string{"true", "false", "forget"}, f.Text("may")) {
		return fault.InvalidFields(fault.Field{Name: "may", Message: "Choose an option"})
	}
	return licenses.Set(r.Context(), entry)
}

// chosenStates returns the states of a form without the empty ones.
func chosenStates(f *form.Form) []string {
	states := slices.Compact(slices.Sorted(slices.Values(f.Values["state"])))
	return slices.DeleteFunc(states, func(s string) bool { return s == "" })
}

// importLicenses previews a list of licenses, or saves what a preview showed.
func importLicenses[H any](p page.FormPage[H], open func(page.Desk) (*deskadmin.Licenses, error)) page.Handler {
	return page.WithForm(p.Open, func(w http.ResponseWriter, r *http.Request, handle H, f *form.Form) error {
		list := f.Values.Get("rows")
		if file := page.UploadedFile(r); len(file) > 0 {
			list = string(file)
		}
		list = lead.LicenseText(list)
		f.Values.Set("rows", list)
		licenses, err := open(page.VisitOf(r).Desk)
		if err != nil {
			return err
		}
		if digest := f.Text("confirm.licenses"); digest != "" {
			return page.Apply(w, r, page.Change{Form: f, Kinds: []fault.Kind{fault.Conflict}, Next: p.Next(r), IsSetting: true,
				Run:       func() error { return licenses.Import(r.Context(), list, digest) },
				Redisplay: func() error { return p.Render(w, r, handle, f) }})
		}
		return p.Render(w, r, handle, f)
	})
}

// renderLicenses shows who may act in which state.
func (h *Handlers) renderLicenses(w http.ResponseWriter, r *http.Request, licenses *deskadmin.Licenses,
	f *form.Form) error {
	known, holders, err := licenses.List(r.Context())
	if err != nil {
		return err
	}
	forms, err := presentLicenseForms(r, licenses, holders, f)
	if err != nil {
		return err
	}
	forms.SetURL, forms.ImportURL = to.Licenses(), to.ImportLicenses()
	model := view.LicensesView{
		Admin: h.layout(r, "Licenses", "State licenses reported by the lender or entered by an administrator or a manager."),
		Forms: forms, Table: presentLicenseTable(h.Viewer(r), known),
	}
	model.Admin.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	return h.Render(w, r, page.FormStatus(f), view.Licenses(model))
}

// presentLicenseForms fills the forms that record licenses, with a preview if a list was sent. Errors of the list are
// added to f.
func presentLicenseForms(r *http.Request, licenses *deskadmin.Licenses, holders []lead.LicenseHolder,
	f *form.Form) (view.LicenseFormsView, error) {
	var preview *view.LicensePreview
	if _, sent := f.Values["rows"]; sent {
		plan, err := licenses.Preview(r.Context(), f.Values.Get("rows"))
		if err != nil && !page.Rejected(f, err) {
			return view.LicenseFormsView{}, err
		}
		if len(plan) > 0 {
			preview = presentLicensePlan(plan)
		}
	}
	formErrors := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	filled := func(field ui.Field) ui.Field {
		field.Value, field.Error = f.Text(field.Name), formErrors.ErrorOf(field.Name)
		return field
	}
	v := view.LicenseFormsView{
		Holder: ui.Field{Name: "holder", Label: "License holder", Span: "c4", Error: formErrors.ErrorOf("holder"),
			Options: ui.Choices(f.Text("holder"), licenseHolders(holders)...)},
		Licensed: ui.Field{Name: "may", Label: "Licensed", Span: "c4", Error: formErrors.ErrorOf("may"),
			Options: ui.Choices(f.Text("may"), [2]string{"true", "Yes"}, [2]string{"false", "No"},
				[2]string{"forget", "Not known (remove entry)"})},
		Number: filled(ui.Field{Name: "number", Label: "License number", Optional: "(one state)", Span: "c2", Max: "40"}),
		Expires: filled(ui.Field{Name: "expires", Label: "Expires", Optional: "(optional)", Span: "c2",
			Placeholder: "mm/dd/yyyy", Max: "20"}),
		States: ui.Field{Name: "state", Label: "States", Error: formErrors.ErrorOf("state")},
		Rows: ui.Field{Name: "rows", Label: "Rows", Span: "c12", Value: f.Values.Get("rows"),
			Error: formErrors.ErrorOf("rows"),
			Hint:  "Separated by commas, semicolons or tabs. With a header, the columns may be in any order."},
		File:    ui.Field{Name: "file", Label: "Or a CSV file", Optional: "(replaces the rows)", Span: "c12", Type: "file"},
		Preview: preview,
	}
	chosen := chosenStates(f)
	for _, s := range text.States() {
		if s[0] != "" {
			v.States.Options = append(v.States.Options,
				ui.Option{Value: s[0], Label: s[1], Selected: slices.Contains(chosen, s[0])})
		}
	}
	_, posted := f.Values["holder"]
	v.Open = posted || len(chosen) > 0
	return v, nil
}

// presentLicensePlan maps what a list would change.
func presentLicensePlan(plan lead.LicensePlan) *view.LicensePreview {
	p := &view.LicensePreview{Digest: plan.Fingerprint()}
	for _, c := range plan {
		row := view.LicenseChangeRow{Name: text.OrDash(c.Holder.Name), NMLS: nmlsText(c.Holder.NMLS),
			Number: c.License.Number, State: text.OrDash(c.Typed[1]), Expires: text.OrDash(c.Typed[3]),
			Why: text.UpperFirst(c.Reason)}
		if row.NMLS == "" {
			row.NMLS = c.Typed[0]
		}
		if c.License.State != "" {
			row.State = text.State(c.License.State)
		}
		if c.License.ExpiresOn != "" {
			row.Expires = text.Date(c.License.ExpiresOn)
		}
		switch c.Kind {
		case lead.LicenseNew:
			row.Class, row.Icon, row.What = "new", "circle-check", "New"
			if c.Before != nil {
				row.Why = "Was recorded as not licensed"
			}
		case lead.LicenseRenews:
			row.Class, row.Icon, row.What, row.Why = "new", "circle-check", "Renews", renewedText(c)
		case lead.LicenseExpired:
			row.Class, row.Icon, row.What, row.Why = "new", "circle-check", "Expired", renewedText(c)
		case lead.LicenseSame:
			row.Class, row.Icon, row.What = "same", "circle-dot", "No change"
		default:
			row.Class, row.Icon, row.What = "bad", "circle-x", "Not used"
			row.Why = "Line " + strconv.Itoa(c.Line) + ": " + c.Reason
		}
		p.Rows = append(p.Rows, row)
	}
	p.Summary = strconv.Itoa(plan.Count(lead.LicenseNew)) + " new, " +
		text.Pluralize(plan.Count(lead.LicenseRenews), "renewal", "renewals") + ", " +
		strconv.Itoa(plan.Count(lead.LicenseSame)) + " unchanged, " +
		strconv.Itoa(plan.Count(lead.LicenseNotUsed)) + " not used."
	if n := plan.Count(lead.LicenseExpired); n > 0 {
		p.Summary = strconv.Itoa(n) + " expired, " + p.Summary
	}
	if n := plan.Changes(); n > 0 {
		p.Save = "Save " + text.Pluralize(n, "change", "changes")
	}
	return p
}

// renewedText says what a renewed license was before.
func renewedText(c lead.LicenseChange) string {
	var was []string
	switch {
	case c.Before.ExpiresOn == "":
		was = append(was, "No expiration was on file")
	case c.Before.ExpiresOn != c.License.ExpiresOn:
		was = append(was, "Was "+text.Date(c.Before.ExpiresOn))
	}
	if c.Before.Number != "" && c.Before.Number != c.License.Number {
		was = append(was, "Number was "+c.Before.Number)
	}
	return strings.Join(was, ". ")
}

// licenseHolders lists the people and companies that can be chosen, companies first.
func licenseHolders(holders []lead.LicenseHolder) [][2]string {
	all := [][2]string{{"", "Choose…"}}
	for _, party := range []lead.Party{lead.PartyBroker, lead.PartyOriginator} {
		for _, h := range holders {
			switch {
			case h.Party != party:
			case party == lead.PartyBroker:
				all = append(all, [2]string{h.ID, h.Name + " (company)"})
			default:
				all = append(all, [2]string{h.ID, text.JoinNonEmpty(", ", h.Name, nmlsText(h.NMLS), h.Company)})
			}
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
			from = "Entered in Hearthline"
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
