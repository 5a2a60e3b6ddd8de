package intake

import (
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
	"net/http"
)

// loadStateLicense says what is known of the person's right to act in a state. Who starts
// nothing needs none.
func loadStateLicense(r *http.Request, d page.Desk, state string) (views.LicenseView, error) {
	starts, err := d.Intake()
	if err != nil || len(state) != 2 {
		return views.LicenseView{}, nil //nolint:nilerr // who may not start is told so elsewhere
	}
	known, err := starts.License(r.Context(), state)
	if err != nil {
		return views.LicenseView{}, err
	}
	return presentStateLicense(known), nil
}

func presentStateLicense(l desk.StateLicense) views.LicenseView {
	name := words.State(l.State)
	if l.Own == desk.LicenseHeld && l.Company != desk.LicenseMissing {
		return views.LicenseView{Text: name + ": you are licensed."}
	}
	v := views.LicenseView{NeedsAttention: true, Text: "You are not known to be licensed in " + name + "."}
	switch {
	case l.Own == desk.LicenseMissing:
		v.Text = "You are not licensed in " + name + "."
	case l.Company == desk.LicenseMissing:
		v.Text = "Your company is not licensed in " + name + "."
	}
	if len(l.LicensedColleagues) == 0 {
		v.Text += " Ask your manager before you take the application."
	}
	for _, o := range l.LicensedColleagues {
		v.Text += " " + format.JoinNonEmpty(", ", o.Name(), o.Phone) + " is."
	}
	return v
}

// StateLicense answers the intake's question about a state, before a borrower is named.
func (s *Handlers) StateLicense(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	line, err := loadStateLicense(r, d, r.URL.Query().Get("property.address.state"))
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, views.LicenseStatus(line))
}
