package admin

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	deskcrm "hearthline/internal/desk/crm"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

func (h *Handlers) renderCRMClients(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients,
	f *form.Form) error {
	all, err := crms.List(r.Context())
	if err != nil {
		return err
	}
	brokers, err := crms.Brokers(r.Context())
	if err != nil {
		return err
	}
	requested, err := crms.ApprovalRequests(r.Context())
	if err != nil {
		return err
	}
	model := view.CRMsView{Admin: h.layout(r, "CRMs", "CRMs that can embed Hearthline, "+
		"and how they identify their users."), EditKey: f.Text("was"), Fields: crmClientFields(f, brokers)}
	model.Admin.Links = []ui.Action{{Label: "Help for developers", Kind: "ghost", Href: to.Full.Help("crm")}}
	if model.EditKey == "" && len(all) > 0 {
		model.Admin.Links = append(model.Admin.Links, ui.Action{Label: "Add a CRM", Icon: "plus", Href: "#add"})
	}
	model.Admin.Form.FormError = f.FormError
	submitted := chi.URLParam(r, "client") // the CRM whose form was rejected, if any
	for _, c := range all {
		client := presentCRMClient(h.Viewer(r), c, brokers)
		client.Requested = slices.Contains(requested, c.Key)
		client.Reason = ui.Field{Name: "reason", ID: "reason-" + c.Key, Label: "Reason", Span: "c6", Max: "500",
			Autocomplete: "off"}
		client.Approver = ui.Field{Name: "approver", ID: "approver-" + c.Key,
			Label: "Written approval from", Span: "c6", Max: "120",
			Hint: "The qualified individual for your information security program, who approved the CRM’s sign-in as a " +
				"second factor. The change takes effect after another administrator approves it."}
		if c.Key == submitted {
			for _, field := range []*ui.Field{&client.Approver, &client.Reason} {
				field.Value, field.Error = f.Text(field.Name),
					(ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}).ErrorOf(field.Name)
			}
			model.Admin.Form.FieldErrors = form.LabeledErrors(f.FieldErrors, []ui.Field{client.Approver, client.Reason})
		}
		client.LaunchURL = h.Origin + to.Launch(string(c.Kind), c.Key)
		client.Facts = append(client.Facts, ui.Fact{Label: "Launch URL", Value: client.LaunchURL})
		rejections, unused, err := crms.Rejections(r.Context(), c.Key)
		if err != nil {
			return err
		}
		client.Rejections = presentRejections(h.Viewer(r), rejections)
		for _, field := range unused {
			last := h.Viewer(r).DateTimeInText(field.At)
			client.UnusedFields = append(client.UnusedFields, ui.Fact{Label: field.Name, Value: last})
		}
		model.Clients = append(model.Clients, client)
	}
	if submitted == "" {
		model.Admin.Form.FieldErrors = form.LabeledErrors(f.FieldErrors, model.Fields)
	}
	return h.Render(w, r, page.FormStatus(f), view.CRMs(model))
}

func presentCRMClient(v text.Viewer, c embed.Client, brokers map[string]string) view.CRMClient {
	client := view.CRMClient{Key: c.Key, Name: c.Name, State: "Enabled", Disabled: c.Disabled, Attested: c.Attested(),
		HasNextSecret: len(c.SecretNext.Reveal()) > 0}
	if c.Disabled {
		client.State = "Disabled"
	}
	factor := "No. Users confirm their identity in a new tab every twelve hours"
	if c.Attested() {
		factor = "Yes, approved by " + c.AttestedBy + ", " + v.DateTimeInText(c.AttestedAt)
	}
	identity, who := "Issuer", c.Issuer
	if c.Kind != launch.KindToken {
		identity, who = "Organization", c.Organization
	}
	client.Facts = []ui.Fact{
		{Label: "Company", Value: cmp.Or(brokers[c.BrokerID], c.BrokerID)},
		{Label: "Origins", Value: strings.Join(c.Origins, ", ")},
		{Label: "Signing method", Value: signingText(c.Kind)}, {Label: identity, Value: who},
		{Label: "Keys", Value: keysText(c)},
	}
	if from := c.KeySource; from.URL != "" {
		client.Facts = append(client.Facts, ui.Fact{Label: "Keys from", Value: from.URL},
			ui.Fact{Label: "Last read", Value: v.DateTime(text.TimeOfMillis(from.ReadAt))})
		if from.FailingAt != 0 {
			client.Facts = append(client.Facts, ui.Fact{Label: "Failing since",
				Value: v.DateTime(text.TimeOfMillis(from.FailingAt)) + ": " + answerText(from.Failure) +
					". These keys can be used until " + v.DateTimeInText(from.UsableUntil())})
		}
	}
	if c.RecordLink != "" {
		client.Facts = append(client.Facts, ui.Fact{Label: "URL of a record", Value: c.RecordLink})
	}
	client.Facts = append(client.Facts, ui.Fact{Label: "Second factor", Value: factor})
	return client
}

// presentRejections lists each cause of rejected launches and cards with the time of the last one.
func presentRejections(v text.Viewer, rejections []embed.Rejection) []ui.Fact {
	var all []ui.Fact
	for _, r := range rejections {
		label := "Launch"
		if r.Endpoint == embed.EndpointCard {
			label = "Card or status"
		}
		all = append(all, ui.Fact{Label: label + ", " + v.DateTimeInText(r.At), Value: text.LaunchRejection(string(r.Cause))})
	}
	return all
}

// keysText describes which keys are stored, but never the keys themselves.
func keysText(c embed.Client) string {
	if c.Kind != launch.KindToken {
		if len(c.SecretNext.Reveal()) > 0 {
			return "Two secrets: previous and next"
		}
		return "One secret"
	}
	var names []string
	for _, k := range c.Keys.Keys {
		names = append(names, strings.TrimSpace(cmp.Or(k.KeyID, "no key ID")+" "+k.Algorithm))
	}
	return strings.Join(names, ", ")
}

func signingText(k launch.Kind) string {
	switch k {
	case launch.KindToken:
		return "Signed token (JWT)"
	case launch.KindCanvas:
		return "Signed request (Salesforce Canvas)"
	case launch.KindCall:
		return "Signed request (HubSpot)"
	default:
		return string(k)
	}
}

func crmClientFields(f *form.Form, brokers map[string]string) []ui.Field {
	formErrors := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	companies := [][2]string{{"", "Choose…"}}
	for _, id := range slices.Sorted(maps.Keys(brokers)) {
		companies = append(companies, [2]string{id, brokers[id]})
	}
	if current := f.Text("brokerId"); f.Text("was") != "" && current != "" && brokers[current] == "" {
		companies = append(companies, [2]string{current, current + " (not in the directory)"})
	}
	kinds := [][2]string{{"", "Choose…"}}
	for _, k := range launch.Kinds() {
		kinds = append(kinds, [2]string{string(k), signingText(k)})
	}
	keysReset, urlResets, secretResets := "", "", ""
	if f.Text("was") != "" {
		const reset = " the approval of its sign-in, signs its users out and disconnects their accounts."
		keysReset, urlResets, secretResets = " Adding or replacing a key ends"+reset,
			" Entering another URL ends"+reset, " A new secret ends"+reset
	}
	fields := []ui.Field{
		{Name: "key", Label: "Key in URLs", Span: "c3", Max: "40", Hint: "Lowercase letters, digits and dashes",
			ReadOnly: f.Text("was") != ""},
		{Name: "name", Label: "Name", Span: "c3", Max: "80"},
		{Name: "brokerId", Label: "Broker company", Span: "c3", Options: ui.Choices(f.Text("brokerId"), companies...)},
		{Name: "kind", Label: "Signing method", Span: "c3", Options: ui.Choices(f.Text("kind"), kinds...)},
		{Name: "origins", Label: "Origins of its pages", Span: "c6", Max: "2000",
			Hint: "For example, https://crm.example. Separate several with spaces. Wildcards aren’t allowed."},
		{Name: "recordUrl", Label: "URL of a record", Optional: "optional", Span: "c6", Max: "500", Autocomplete: "off",
			Hint: "For example, https://crm.example/{type}/{record}. Leads then link to their records."},
		{Name: "issuer", Label: "Token issuer", Optional: "JWT only", Span: "c6", Max: "200"},
		{Name: "keys", Label: "Public keys", Optional: "JWT only, as a JSON Web Key Set", Span: "c12", Max: "20000",
			Hint: "Leave empty to keep pasted keys. To rotate keys, paste the current and the next key as one set." +
				keysReset},
		{Name: "keysUrl", Label: "URL of its public keys", Optional: "JWT only, instead of pasted keys", Span: "c12",
			Max: "500", Mode: "url", Autocomplete: "off",
			Hint: "The CRM can then replace its keys without a change here." + urlResets},
		{Name: "organization", Label: "Organization or portal ID", Optional: "Canvas and HubSpot", Span: "c3", Max: "80"},
		{Name: crmSecretControl, Label: "Shared secret", Optional: "Canvas and HubSpot", Span: "c3", Secret: true,
			Hint: "Leave empty to keep the current secret. A new secret is valid along with the current one until you retire " +
				"the previous one." + secretResets},
	}
	if f.Text("was") != "" {
		fields = append(fields, ui.Field{
			Name: "same.records", Label: "Keep its records linked to their leads", Span: "c12",
			Hint: "Check this if you are correcting the signing method, issuer or organization of the same system. " +
				"Otherwise its records lose their links to leads.",
		})
	}
	for i := range fields {
		if len(fields[i].Options) == 0 && !fields[i].Secret {
			fields[i].Value = strings.TrimSpace(f.Values.Get(fields[i].Name))
		}
		fields[i].Error = formErrors.ErrorOf(fields[i].Name)
	}
	return fields
}
