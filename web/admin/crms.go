package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// CrmClientsPage lists the CRMs that may frame the desk. The query parameter client loads one into
// the form to edit it.
func (s *Handlers) CrmClientsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f := &form.Form{Values: url.Values{}}
	if key := r.URL.Query().Get("client"); key != "" {
		crms, err := d.EmbedClients()
		if err != nil {
			return err
		}
		all, err := crms.List(r.Context())
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all, func(c embed.Client) bool { return c.Key == key })
		if at < 0 {
			return fault.New(fault.NotFound, "This CRM doesn’t exist.")
		}
		f.Values = crmClientValues(all[at])
	}
	return s.renderCRMClients(w, r, d, f)
}

// crmClientValues returns a CRM as form values, without its keys: an empty control keeps the stored
// keys.
func crmClientValues(c embed.Client) url.Values {
	return url.Values{
		"was": {c.Key}, "key": {c.Key}, "name": {c.Name}, "brokerId": {c.BrokerID}, "kind": {string(c.Kind)}, "origins": {strings.Join(c.Origins, " ")},
		"issuer": {c.Issuer}, "organization": {c.Organization},
	}
}

// parseKeys reads the keys of a CRM, which may be longer than other controls.
func parseKeys(f *form.Form) string {
	if keys := strings.TrimSpace(f.Values.Get("keys")); len(keys) <= MaxKeysLength {
		return keys
	}
	f.AddError("keys", "This is too long")
	return ""
}

// MaxKeysLength is the maximum length of a key set in bytes.
const MaxKeysLength = 20_000

// SaveCRMClient adds a CRM, or changes the one that was loaded into the form.
func (s *Handlers) SaveCRMClient(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	crms, err := d.EmbedClients()
	if err != nil {
		return err
	}
	mode := embed.Add
	if f.Text("key") == f.Text("was") {
		mode = embed.Change
	}
	setup := embed.Setup{
		Key: f.Text("key"), Mode: mode, Name: f.Text("name"), BrokerID: f.Text("brokerId"), Kind: launch.Kind(f.Text("kind")), Origins: strings.Fields(f.Text("origins")),
		Issuer: f.Text("issuer"), Keys: parseKeys(f), Organization: f.Text("organization"), Secret: f.Values.Get(crmSecretControl),
		SameRecords: f.IsChecked("same.records"),
	}
	if f.HasErrors() { // if the keys are rejected, saving without them would keep the old ones
		return s.renderCRMClients(w, r, d, f)
	}
	err = crms.Save(r.Context(), setup)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		for _, field := range fields {
			if field.Name == "secret" {
				field.Name = crmSecretControl
			}
			f.AddError(field.Name, field.Message)
		}
		return s.renderCRMClients(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, to.Full.Admin("embed"))
}

// crmSecretControl is the control of the secret, which no page shows again.
const crmSecretControl = "password.secret"

// UpdateCRMClient attests a CRM's sign-in as a second factor or revokes that, retires an old
// secret, and disables or enables the CRM.
func (s *Handlers) UpdateCRMClient(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	crms, err := d.EmbedClients()
	if err != nil {
		return err
	}
	ctx, key := r.Context(), chi.URLParam(r, "client")
	switch f.Text("act") {
	case "attest":
		err = crms.Attest(ctx, key, f.Text("approver"))
	case "unattest":
		err = crms.RevokeAttestation(ctx, key)
	case "retire":
		err = crms.RetireSecret(ctx, key)
	case "close":
		err = crms.Disable(ctx, key)
	case "open":
		err = crms.Enable(ctx, key)
	default:
		err = errUnknownAction()
	}
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.FieldErrors = append(f.FieldErrors, fields...)
		return s.renderCRMClients(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, to.Full.Admin("embed"))
}

// errUnknownAction is the error for an action that no page offers.
func errUnknownAction() error {
	return fault.New(fault.Invalid, "This action isn’t available here. Nothing was changed.")
}
