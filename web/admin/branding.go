package admin

import (
	"net/http"
	"strconv"

	deskadmin "hearthline/internal/desk/admin"
	"hearthline/internal/lead"

	"hearthline/internal/brand"
	view "hearthline/views/admin"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// SaveBranding changes a company's logo and color.
func (h *Handlers) SaveBranding(w http.ResponseWriter, r *http.Request, b *deskadmin.Branding, f *form.Form) error {
	change := deskadmin.BrandChange{
		Company: f.Text("company"), Color: f.Text("color"), Logo: page.UploadedFile(r),
		RemoveLogo: f.IsChecked("remove.logo"), RemoveColor: f.IsChecked("remove.color"),
	}
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return b.Save(r.Context(), change) },
		Redisplay: func() error { return h.renderBranding(w, r, b, f) }, Next: to.Branding(),
	})
}

// renderBranding shows what each company puts on pages for borrowers.
func (h *Handlers) renderBranding(w http.ResponseWriter, r *http.Request, b *deskadmin.Branding, f *form.Form) error {
	all, err := b.List(r.Context())
	if err != nil {
		return err
	}
	formErrors := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	companies := [][2]string{{"", "Choose…"}}
	model := view.BrandingView{
		Admin: h.layout(r, "Branding", "Each company’s logo and color, on the page and the PDF that borrowers see."),
		Color: ui.Field{Name: "color", Label: "Color", Optional: "(optional)", Span: "c2", Value: f.Text("color"), Max: "7",
			Placeholder: "#1D5B4F", Error: formErrors.ErrorOf("color"),
			Hint: "Adjusted where text in it would be hard to read."},
		Logo: ui.Field{Name: "logo", Label: "Logo", Optional: "(optional)", Span: "c4", Type: "file",
			Error: formErrors.ErrorOf("logo"), Hint: "PNG, JPEG or WebP, at most 512 KB. SVG isn’t accepted. " +
				"Use one that reads on white and on a dark background."},
	}
	for _, c := range all {
		companies = append(companies, [2]string{c.Company, c.Name})
		if c.Color != "" || c.LogoDigest != "" {
			model.Brands = append(model.Brands, presentBrand(c))
		}
	}
	model.Company = ui.Field{Name: "company", Label: "Company", Span: "c4", Error: formErrors.ErrorOf("company"),
		Options: ui.Choices(f.Text("company"), companies...)}
	model.Admin.Form = formErrors
	return h.Render(w, r, page.FormStatus(f), view.Branding(model))
}

// presentBrand maps a brand with the colors that pages show.
func presentBrand(c lead.CompanyBrand) view.CompanyBrand {
	m := view.CompanyBrand{Company: c.Company, Name: c.Name}
	if c.LogoDigest != "" {
		m.LogoURL, m.LogoWidth = to.Brand(c.LogoDigest+".png"), strconv.Itoa(page.LogoWidth(c.LogoWidth, c.LogoHeight))
	}
	color, ok := brand.ParseColor(c.Color)
	if !ok {
		return m
	}
	p := brand.NewPalette(color)
	m.Entered = "#" + color.Hex()
	m.Swatches = []view.Swatch{
		{Label: "On white", Color: "#" + p.Light.Hex(), Background: "#ffffff", Adjusted: p.Light != color},
		{Label: "On dark", Color: "#" + p.Dark.Hex(), Background: "#101512", Adjusted: p.Dark != color},
	}
	return m
}
