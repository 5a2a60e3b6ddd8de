package admin

import (
	"net/http"
	"net/url"

	"hearthline/internal/access"
	deskadmin "hearthline/internal/desk/admin"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// settingsRoutes are a manager's settings of their own company. What they change is decided by the desk, never by a
// form.
func (h *Handlers) settingsRoutes() []page.Route {
	settings := page.FormPage[*deskadmin.CompanySettings]{Open: page.Desk.CompanySettings, Render: h.renderSettings,
		IsSetting: true,
		Next:      page.To(to.Full.TeamPart("settings") + "#licenses")}
	return page.WithPermission(access.ManageCompany, []page.Route{
		page.Get("/team/settings", "company settings", page.WithHandle(page.Desk.CompanySettings, h.SettingsPage)),
		page.Post("/team/settings/licenses", "save the company’s licenses",
			settings.Change(func(r *http.Request, _ *deskadmin.CompanySettings, f *form.Form) error {
				licenses, err := page.VisitOf(r).Desk.Licenses()
				if err != nil {
					return err
				}
				return setLicense(r, licenses, f)
			})),
		{Method: http.MethodPost, Pattern: "/team/settings/import", Name: "import the company’s licenses", Upload: true,
			MaxFile: lead.MaxLicenseFile, Handler: importLicenses(settings, page.Desk.Licenses)},
		{Method: http.MethodPost, Pattern: "/team/settings/branding", Name: "save the company’s branding", Upload: true,
			Handler: page.WithForm(page.Desk.CompanySettings, h.saveCompanyBrand)},
	})
}

// SettingsPage shows the settings. Its URL can choose a license holder and states for the form.
func (h *Handlers) SettingsPage(w http.ResponseWriter, r *http.Request, settings *deskadmin.CompanySettings) error {
	values, q := url.Values{}, r.URL.Query()
	for _, name := range []string{"holder", "state"} {
		if q.Has(name) {
			values[name] = q[name]
		}
	}
	return h.renderSettings(w, r, settings, page.NewForm(r, values))
}

// saveCompanyBrand changes the logo and the color, or shows a color that is not saved.
func (h *Handlers) saveCompanyBrand(w http.ResponseWriter, r *http.Request, settings *deskadmin.CompanySettings,
	f *form.Form) error {
	if f.IsChecked("preview") {
		return h.renderSettings(w, r, settings, f)
	}
	return page.Apply(w, r, page.Change{
		Form: f, IsSetting: true, Next: to.Full.TeamPart("settings") + "#branding",
		Redisplay: func() error { return h.renderSettings(w, r, settings, f) },
		Run: func() error {
			branding, err := page.VisitOf(r).Desk.Branding()
			if err != nil {
				return err
			}
			return saveBranding(r, branding, f)
		},
	})
}

func (h *Handlers) renderSettings(w http.ResponseWriter, r *http.Request, settings *deskadmin.CompanySettings,
	f *form.Form) error {
	found, err := settings.Page(r.Context())
	if err != nil {
		return err
	}
	color, typed := found.Brand.Color, f.Values["color"]
	if len(typed) > 0 {
		color = f.Text("color")
	}
	model := presentSettings(found)
	if model.Preview = presentBrandPreview(found.Brand, color); f.IsChecked("preview") && page.IsFragment(r) {
		return h.Render(w, r, http.StatusOK, view.BrandPreview(model.Preview))
	}
	licenses, err := page.VisitOf(r).Desk.Licenses()
	if err != nil {
		return err
	}
	_, holders, err := licenses.List(r.Context())
	if err != nil {
		return err
	}
	if model.Licenses, err = presentLicenseForms(r, licenses, holders, f); err != nil {
		return err
	}
	model.Licenses.SetURL, model.Licenses.ImportURL = to.SettingsAction("licenses"), to.SettingsAction("import")+"#paste"
	model.Brand = presentBrandForm(f)
	model.Brand.Logo.Span, model.Brand.Color.Span = "c12", "c12"
	model.Brand.URL = to.SettingsAction("branding")
	model.Brand.RemoveLogo, model.Brand.RemoveColor = found.Brand.LogoDigest != "", found.Brand.Color != ""
	if len(typed) == 0 && found.Brand.Color != "" {
		model.Brand.Color.Value = "#" + found.Brand.Color
	}
	consent := page.VisitOf(r).Desk.ConsentText()
	model.Automation = append(model.Automation, view.TodoItem{Title: "Consent text " + consent.Version,
		Sub: "“" + consent.Text + "” Only the server’s operator can change it."})
	model.Page = h.Layout(r, "Company settings")
	model.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	return h.Render(w, r, page.FormStatus(f), view.Settings(model))
}
