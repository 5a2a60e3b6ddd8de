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

// saveBranding changes a company's logo and color. The field company counts only for an administrator.
func saveBranding(r *http.Request, b *deskadmin.Branding, f *form.Form) error {
	return b.Save(r.Context(), deskadmin.BrandChange{
		Company: f.Text("company"), Color: f.Text("color"), Logo: page.UploadedFile(r),
		RemoveLogo: f.IsChecked("remove.logo"), RemoveColor: f.IsChecked("remove.color"),
	})
}

// renderBranding shows what each company puts on pages for borrowers.
func (h *Handlers) renderBranding(w http.ResponseWriter, r *http.Request, b *deskadmin.Branding, f *form.Form) error {
	all, err := b.List(r.Context())
	if err != nil {
		return err
	}
	companies := [][2]string{{"", "Choose…"}}
	model := view.BrandingView{
		Admin: h.layout(r, "Branding", "Each company’s logo and color, on the page and the PDF that borrowers see."),
		Set:   presentBrandForm(f),
	}
	for _, c := range all {
		companies = append(companies, [2]string{c.Company, c.Name})
		if c.Color != "" || c.LogoDigest != "" {
			model.Brands = append(model.Brands, presentBrand(c))
		}
	}
	model.Admin.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	model.Set.URL = to.Branding()
	model.Set.Company = ui.Field{Name: "company", Label: "Company", Span: "c4", Error: model.Admin.Form.ErrorOf("company"),
		Options: ui.Choices(f.Text("company"), companies...)}
	return h.Render(w, r, page.FormStatus(f), view.Branding(model))
}

func presentBrandForm(f *form.Form) view.BrandFormView {
	formErrors := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	return view.BrandFormView{
		Color: ui.Field{Name: "color", Label: "Color", Optional: "(optional)", Span: "c2", Value: f.Text("color"), Max: "7",
			Placeholder: "#1D5B4F", Error: formErrors.ErrorOf("color"),
			Hint: "Adjusted where text in this color would be hard to read."},
		Logo: ui.Field{Name: "logo", Label: "Logo", Optional: "(optional)", Span: "c4", Type: "file",
			Error: formErrors.ErrorOf("logo"), Hint: "PNG, JPEG or WebP, at most 512 KB. SVG isn’t accepted. " +
				"Use a logo that is legible on white and on a dark background."},
	}
}

// presentBrandPreview maps a company with a color, as it is typed, to the preview of a borrower's page.
func presentBrandPreview(c lead.CompanyBrand, typed string) view.BrandPreviewView {
	m := view.BrandPreviewView{Name: c.Name, NMLS: nmlsText(c.NMLS)}
	if c.LogoDigest != "" {
		m.LogoURL, m.LogoWidth = to.Brand(c.LogoDigest+".png"), strconv.Itoa(page.LogoWidth(c.LogoWidth, c.LogoHeight)*3/4)
	}
	light := view.BrandPage{Label: "Light", Paper: "#fbfbf9", Card: "#ffffff", Line: "#d9dedb", Ink: "#16201c",
		Ink2: "#55615c", Color: "#14507a", On: "#ffffff"}
	dark := view.BrandPage{Label: "Dark", Paper: "#101512", Card: "#171e1b", Line: "#2c3632", Ink: "#e8edea",
		Ink2: "#a5b0ab", Color: "#7fbbe8", On: "#08202f"}
	color, ok := brand.ParseColor(typed)
	switch {
	case ok:
		p := brand.NewPalette(color)
		light.Color, light.On = "#"+p.Light.Hex(), "#"+p.OnLight.Hex()
		dark.Color, dark.On = "#"+p.Dark.Hex(), "#"+p.OnDark.Hex()
		m.Note = "As entered on both backgrounds."
		if p.Light != color || p.Dark != color {
			m.Note = "Adjusted so that text in this color has at least 4.5:1 contrast: " + light.Color + " on white, " +
				dark.Color + " on dark."
		}
	case typed != "":
		m.Note = "Enter a color as # and six digits. This preview uses Hearthline’s blue."
	default:
		m.Note = "No color is set. Borrower pages use Hearthline’s blue."
	}
	m.Pages = []view.BrandPage{light, dark}
	return m
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
