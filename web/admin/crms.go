package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	deskcrm "hearthline/internal/desk/crm"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// CrmClientsPage lists the CRMs that may frame the desk. The query parameter client loads one into
// the form to edit it.
func (h *Handlers) CrmClientsPage(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients) error {
	f := &form.Form{Values: url.Values{}}
	if key := r.URL.Query().Get("client"); key != "" {
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
	return h.renderCRMClients(w, r, crms, f)
}

// crmClientValues returns a CRM as form values, without its keys: an empty control keeps the stored
// keys.
func crmClientValues(c embed.Client) url.Values {
	return url.Values{
		"was": {c.Key}, "key": {c.Key}, "name": {c.Name}, "brokerId": {c.BrokerID}, "kind": {string(c.Kind)},
		"origins": {strings.Join(c.Origins, " ")}, "issuer": {c.Issuer}, "organization": {c.Organization},
		"keysUrl": {c.KeySource.URL}, "recordUrl": {c.RecordLink},
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
func (h *Handlers) SaveCRMClient(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients,
	f *form.Form) error {
	mode := embed.Add
	if f.Text("key") == f.Text("was") {
		mode = embed.Change
	}
	setup := embed.Setup{
		Key: f.Text("key"), Mode: mode, Name: f.Text("name"), BrokerID: f.Text("brokerId"), Kind: launch.Kind(f.Text("kind")),
		Origins: strings.Fields(f.Text("origins")), Issuer: f.Text("issuer"), Keys: parseKeys(f),
		KeysURL: f.Text("keysUrl"), RecordURL: f.Text("recordUrl"),
		Organization: f.Text("organization"), Secret: f.Values.Get(crmSecretControl),
		SameRecords: f.IsChecked("same.records"),
	}
	return page.Apply(w, r, page.Change{
		Form: f, // if the keys are rejected, nothing is saved: saving without them would keep the old ones
		Run:  func() error { return withSecretControl(crms.Save(r.Context(), setup)) }, Redisplay: func() error {
			return h.renderCRMClients(w, r, crms, f)
		},
		Next: to.Full.Admin("embed"),
	})
}

// withSecretControl moves an error about the secret to its control.
func withSecretControl(err error) error {
	fields := slices.Clone(fault.FieldsOf(err))
	at := slices.IndexFunc(fields, func(field fault.Field) bool { return field.Name == "secret" })
	if at < 0 {
		return err
	}
	fields[at].Name = crmSecretControl
	return fault.InvalidFields(fields...)
}

// crmSecretControl is the control of the secret, which no page shows again.
const crmSecretControl = "password.secret"

// updateCRMClient requests that a CRM's sign-in counts as a second factor or revokes that, retires
// an old secret, and disables or enables the CRM.
func updateCRMClient(r *http.Request, crms *deskcrm.EmbedClients, f *form.Form) error {
	ctx, key := r.Context(), chi.URLParam(r, "client")
	switch f.Text("act") {
	case "attest":
		// The approver as it was typed: what is approved must not differ from it.
		return crms.RequestApproval(ctx, key, f.Values.Get("approver"), f.Text("reason"))
	case "unattest":
		return crms.RevokeAttestation(ctx, key)
	case "retire":
		return crms.RetireSecret(ctx, key)
	case "close":
		return crms.Disable(ctx, key)
	case "open":
		return crms.Enable(ctx, key)
	default:
		return fault.New(fault.Invalid, "This action isn’t available here. Nothing was changed.")
	}
}
