package web

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
)

// embedPage are the CRMs that may frame the desk; ?client= puts one into the form, to be
// changed.
func (s *Server) embedPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	f := &form{values: url.Values{}}
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
		f.values = typedEmbed(all[at])
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
func typedKeys(f *form) string {
	if keys := strings.TrimSpace(f.values.Get("keys")); len(keys) <= mostKeys {
		return keys
	}
	f.complain("keys", "This is too long")
	return ""
}

const mostKeys = 20_000 // characters of a set

// saveEmbed adds a CRM, or changes the one that was put into the form.
func (s *Server) saveEmbed(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	crms, err := d.EmbedClients()
	if err != nil {
		return err
	}
	aim := embed.Add
	if f.text("key") == f.text("was") {
		aim = embed.Change
	}
	setup := embed.Setup{
		Key: f.text("key"), Aim: aim, Name: f.text("name"), BrokerID: f.text("brokerId"), Kind: launch.Kind(f.text("kind")), Origins: strings.Fields(f.text("origins")),
		Issuer: f.text("issuer"), Keys: typedKeys(f), Organization: f.text("organization"), Secret: f.values.Get(secretOfEmbed),
		SameRecords: f.checked("same.records"),
	}
	if f.bad() { // keys that were not taken are none: saved without them, the former would stay
		return s.showEmbeds(w, r, d, f)
	}
	err = crms.Save(r.Context(), setup)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		for _, field := range fields {
			if field.Name == "secret" {
				field.Name = secretOfEmbed
			}
			f.complain(field.Name, field.Message)
		}
		return s.showEmbeds(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return onward(w, r, to.Full.Admin("embed"))
}

// secretOfEmbed is the control of the secret, which no page shows again.
const secretOfEmbed = "password.secret"

// actOnEmbed approves a CRM's log-in or takes that back, ends a secret, shuts or opens.
func (s *Server) actOnEmbed(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	crms, err := d.EmbedClients()
	if err != nil {
		return err
	}
	ctx, key := r.Context(), chi.URLParam(r, "client")
	switch f.text("act") {
	case "attest":
		err = crms.Attest(ctx, key, f.text("approver"))
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
		f.wrong = append(f.wrong, fields...)
		return s.showEmbeds(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return onward(w, r, to.Full.Admin("embed"))
}

// errUnknownAct is the answer to a form that asks for what no page offers.
func errUnknownAct() error {
	return fault.New(fault.Invalid, "This form asks for nothing that can be done here. Nothing was changed.")
}
