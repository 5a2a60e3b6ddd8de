package intake

import (
	"hearthline/internal/desk"
	view "hearthline/views/intake"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
	"net/http"
)

// loadStateLicense returns what is known about the user's license in a state. It is empty for users
// who cannot start inquiries.
func loadStateLicense(r *http.Request, d page.Desk, state string) (view.LicenseView, error) {
	starts, err := d.Intake()
	if err != nil || len(state) != 2 {
		return view.LicenseView{}, nil //nolint:nilerr // users who may not start inquiries need no license
	}
	known, err := starts.License(r.Context(), state)
	if err != nil {
		return view.LicenseView{}, err
	}
	return presentStateLicense(known), nil
}

func presentStateLicense(l desk.StateLicense) view.LicenseView {
	name := words.State(l.State)
	if l.Own == desk.LicenseHeld && l.Company != desk.LicenseMissing {
		return view.LicenseView{Text: name + ": you are licensed."}
	}
	v := view.LicenseView{NeedsAttention: true, Text: "You are not known to be licensed in " + name + "."}
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

// StateLicense returns the license status for the intake form when a state is chosen, before the
// borrower is named.
func (s *Handlers) StateLicense(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	license, err := loadStateLicense(r, d, r.URL.Query().Get("property.address.state"))
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, view.LicenseStatus(license))
}
