package intake

import (
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
	"net/http"
)

// licenceLine says what is known of the person's right to act in a state. Who starts
// nothing needs none.
func licenceLine(r *http.Request, d page.Desk, state string) (views.LicenceView, error) {
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
		v.Text += " " + format.Joined(", ", o.Name(), o.Phone) + " is."
	}
	return v
}

// stateLicence answers the intake's question about a state, before a borrower is named.
func (s *Handlers) StateLicence(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	line, err := licenceLine(r, d, r.URL.Query().Get("property.address.state"))
	if err != nil {
		return err
	}
	return s.Show(w, r, http.StatusOK, views.LicenceLine(line))
}
