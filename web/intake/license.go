package intake

import (
	"net/http"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/lead"

	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/web/page"
)

func presentStateLicense(l deskintake.StateLicense) view.LicenseView {
	name := text.State(l.State)
	if l.Own == lead.LicenseHeld && l.Company != lead.LicenseMissing {
		return view.LicenseView{Text: name + ": You’re licensed."}
	}
	v := view.LicenseView{NeedsAttention: true, Text: "No license on file for you in " + name + "."}
	switch {
	case l.Own == lead.LicenseMissing:
		v.Text = "You aren’t licensed in " + name + "."
	case l.Company == lead.LicenseMissing:
		v.Text = "Your company isn’t licensed in " + name + "."
	}
	if len(l.LicensedColleagues) == 0 {
		v.Text += " Check with your manager before you start the inquiry."
	}
	for _, o := range l.LicensedColleagues {
		v.Text += " Licensed: " + text.JoinNonEmpty(", ", o.Name(), o.Phone) + "."
	}
	return v
}

// StateLicense returns the license status for the intake form when a state is chosen, before the
// borrower is named. It is empty for users who may not start inquiries.
func (h *Handlers) StateLicense(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	state := r.URL.Query().Get("property.address.state")
	starts, err := d.Intake()
	if err != nil || len(state) != 2 {
		// users who may not start inquiries need no license
		return h.Render(w, r, http.StatusOK, view.LicenseStatus(view.LicenseView{}))
	}
	known, err := starts.License(r.Context(), state)
	if err != nil {
		return err
	}
	return h.Render(w, r, http.StatusOK, view.LicenseStatus(presentStateLicense(known)))
}
