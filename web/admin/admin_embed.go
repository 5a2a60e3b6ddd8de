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

// embedPage are the CRMs that may frame the desk; ?client= puts one into the form, to be
// changed.
func (s *Handlers) EmbedPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
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
			return fault.New(fault.NotFound, "There is no such CRM.")
		}
		f.Values = typedEmbed(all[at])
	}
	return s.showEmbeds(w, r, d, f)
}

// typedEmbed is a CRM as it would be typed: without its keys, which stay when none are given.
func typedEmbed(c embed.Client) url.Values {
	return url.Values{
		"was": {c.Key}, "key": {c.Key}, "name": {c.Name}, "brokerId": {c.BrokerID}, "kind": {string(c.Kind)}, "origins": {strings.Join(c.Origins, " ")},
		"issuer": {c.Issuer}, "organization": {c.Organization},
	}
}

// typedKeys are the keys of a CRM, which are longer than other controls.
func typedKeys(f *form.Form) string {
	if keys := strings.TrimSpace(f.Values.Get("keys")); len(keys) <= MostKeys {
		return keys
	}
	f.Complain("keys", "This is too long")
	return ""
}

const MostKeys = 20_000 // characters of a set

// saveEmbed adds a CRM, or changes the one that was put into the form.
func (s *Handlers) SaveEmbed(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	crms, err := d.EmbedClients()
	if err != nil {
		return err
	}
	aim := embed.Add
	if f.Text("key") == f.Text("was") {
		aim = embed.Change
	}
	setup := embed.Setup{
		Key: f.Text("key"), Aim: aim, Name: f.Text("name"), BrokerID: f.Text("brokerId"), Kind: launch.Kind(f.Text("kind")), Origins: strings.Fields(f.Text("origins")),
		Issuer: f.Text("issuer"), Keys: typedKeys(f), Organization: f.Text("organization"), Secret: f.Values.Get(secretOfEmbed),
		SameRecords: f.Checked("same.records"),
	}
	if f.Bad() { // keys that were not taken are none: saved without them, the former would stay
		return s.showEmbeds(w, r, d, f)
	}
	err = crms.Save(r.Context(), setup)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		for _, field := range fields {
			if field.Name == "secret" {
				field.Name = secretOfEmbed
			}
			f.Complain(field.Name, field.Message)
		}
		return s.showEmbeds(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, to.Full.Admin("embed"))
}

// secretOfEmbed is the control of the secret, which no page shows again.
const secretOfEmbed = "password.secret"

// actOnEmbed approves a CRM's log-in or takes that back, ends a secret, shuts or opens.
func (s *Handlers) ActOnEmbed(w http.ResponseWriter, r *http.Request, d page.Desk) error {
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
		err = crms.Unattest(ctx, key)
	case "retire":
		err = crms.Retire(ctx, key)
	case "close":
		err = crms.Close(ctx, key)
	case "open":
		err = crms.Open(ctx, key)
	default:
		err = errUnknownAct()
	}
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.Wrong = append(f.Wrong, fields...)
		return s.showEmbeds(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, to.Full.Admin("embed"))
}

// errUnknownAct is the answer to a form that asks for what no page offers.
func errUnknownAct() error {
	return fault.New(fault.Invalid, "This form asks for nothing that can be done here. Nothing was changed.")
}
