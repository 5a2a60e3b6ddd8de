package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
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

// The controls of a launch to test. Like passwords, they are neither stored while a user steps up nor shown again: a
// launch may contain a borrower's data.
const (
	trialText      = "password.launch"
	trialURL       = "password.url"
	trialTimestamp = "password.timestamp"
	trialSignature = "password.signature"
)

// CRMTrialPage is the page on which a launch is pasted.
func (h *Handlers) CRMTrialPage(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients,
	_ *form.Form) error {
	model, err := h.crmTrial(r, crms)
	if err != nil {
		return err
	}
	return h.Render(w, r, http.StatusOK, view.CRMTrial(model))
}

// TryCRMLaunch shows how the pasted launch would be read.
func (h *Handlers) TryCRMLaunch(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients,
	f *form.Form) error {
	model, err := h.crmTrial(r, crms)
	if err != nil {
		return err
	}
	_, query, _ := strings.Cut(strings.TrimSpace(f.Values.Get(trialURL)), "?")
	pasted := strings.TrimSpace(strings.ReplaceAll(f.Values.Get(trialText), "\r\n", "\n"))
	trial, err := crms.TryLaunch(r.Context(), model.Key, launch.Posted{Raw: rawLaunch(pasted), Call: launch.Call{
		Query: query, Body: pasted, Timestamp: strings.TrimSpace(f.Values.Get(trialTimestamp)),
		Signature: strings.TrimSpace(f.Values.Get(trialSignature))}})
	if err != nil {
		return err
	}
	model.Tested, model.Verdict = true, trialVerdict(trial)
	model.Checks, model.Fields = presentTrialChecks(h.Viewer(r), trial), h.presentTrialFields(r, trial)
	return h.Render(w, r, http.StatusOK, view.CRMTrial(model))
}

// rawLaunch returns a token or a signed request that was pasted alone or as the form that posts it.
func rawLaunch(pasted string) string {
	for _, name := range []string{"launch_token", "signed_request"} {
		if posted, ok := strings.CutPrefix(pasted, name+"="); ok {
			if values, err := url.ParseQuery(pasted); err == nil {
				return values.Get(name)
			}
			return posted
		}
	}
	return pasted
}

func (h *Handlers) crmTrial(r *http.Request, crms *deskcrm.EmbedClients) (view.CRMTrialView, error) {
	c, err := crms.Client(r.Context(), chi.URLParam(r, "client"))
	if err != nil {
		return view.CRMTrialView{}, err
	}
	model := view.CRMTrialView{Key: c.Key, Admin: h.layout(r, "Test a launch of "+c.Name,
		"Nothing is created, the launch isn’t used up, and what you paste is neither stored nor logged.")}
	model.Admin.Links = []ui.Action{{Label: "Help for developers", Kind: "ghost", Href: to.Full.Help("crm") + "#prefill"},
		{Label: "All CRMs", Kind: "ghost", Href: to.Full.Admin("embed")}}
	line := func(name, label string) ui.Field {
		return ui.Field{Name: name, Label: label, Span: "c4", Autocomplete: "off", Max: "4000"}
	}
	model.Text = ui.Field{Name: trialText, Span: "c12", Autocomplete: "off"}
	switch c.Kind {
	case launch.KindToken:
		model.Text.Label = "Token"
		model.Text.Hint = "The launch_token that your page posts. It’s valid for up to two minutes."
	case launch.KindCanvas:
		model.Text.Label, model.Text.Hint = "Signed request", "The signed_request that Salesforce posts."
	default:
		model.Lines = []ui.Field{line(trialURL, "URL with its query"), line(trialTimestamp, "X-HubSpot-Request-Timestamp"),
			line(trialSignature, "X-HubSpot-Signature-v3")}
		model.Text.Label = "Body"
	}
	return model, nil
}

func trialVerdict(t embed.Trial) ui.Notice {
	switch {
	case t.Client.Disabled:
		return ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "This CRM is disabled.", Role: "status",
			Text: "All its launches are rejected."}
	case t.Failed() || t.Used:
		return ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "This launch would be rejected.", Role: "status"}
	default:
		return ui.Notice{Kind: "ready", Icon: "check", Title: "Every check passed.", Role: "status"}
	}
}

func presentTrialChecks(v text.Viewer, t embed.Trial) view.Table {
	table := view.Table{ID: "checks", Title: "Checks", Cards: true,
		Columns: []ui.Column{{Label: "Check"}, {Label: "Result"}, {Label: "Details"}}}
	for _, k := range t.Checks {
		row := []view.Cell{{Text: text.LaunchCheck(string(k.Cause))}, {Text: "Not checked"}, {Text: hideSSN(k.Found)}}
		switch k.State {
		case launch.CheckFailed:
			row[1] = view.Cell{Text: "Failed", NeedsAttention: true}
			row[2] = view.Cell{Text: text.LaunchRejection(string(k.Why)), Sub: failedCheckDetails(v, t, k)}
		case launch.CheckPassed:
			row[1] = view.Cell{Text: "Passed"}
			if t.Readable {
				row[2].Text = hideSSN(passedCheckDetails(v, t, k))
			}
		}
		table.Rows = append(table.Rows, row)
	}
	if t.Used {
		table.Rows = append(table.Rows, []view.Cell{{Text: text.LaunchCheck(string(launch.CauseUsed))},
			{Text: "Failed", NeedsAttention: true}, {Text: "This launch was used before"}})
	}
	return table
}

// failedCheckDetails says what the launch has, and what it should have.
func failedCheckDetails(v text.Viewer, t embed.Trial, k launch.Check) string {
	expected := ""
	switch k.Cause {
	case launch.CauseIssuer:
		expected = t.Client.Issuer
	case launch.CauseAudience:
		expected = t.Audience
	case launch.CauseOrigin:
		expected = strings.Join(t.Client.Origins, " or ")
	case launch.CauseCompany:
		expected = t.Client.Organization
	case launch.CauseTime:
		if !k.From.IsZero() {
			return timesText(v, k) + ". Hearthline’s clock: " + v.ExactTime(v.Now.UnixMilli())
		}
	}
	found := ""
	if k.Found != "" {
		found = "Found: " + hideSSN(k.Found)
	}
	if expected != "" {
		expected = "Expected: " + expected
	}
	return text.JoinNonEmpty(". ", found, expected)
}

// timesText describes when a launch can be used.
func timesText(v text.Viewer, k launch.Check) string {
	if k.From.IsZero() {
		return ""
	}
	ends := ", expires "
	if k.Until.Before(v.Now) {
		ends = ", expired "
	}
	return "Signed " + v.ExactTime(k.From.UnixMilli()) + ends + v.ExactTime(k.Until.UnixMilli()) + " (" +
		text.Pluralize(int(k.Until.Sub(k.From).Seconds()), "second", "seconds") + ")"
}

func passedCheckDetails(v text.Viewer, t embed.Trial, k launch.Check) string {
	switch k.Cause {
	case launch.CauseTime:
		return timesText(v, k)
	case launch.CausePerson:
		return t.Subject
	case launch.CauseOrigin:
		return t.Origin
	case launch.CauseRecord:
		if t.Record.ID == "" {
			return "No record"
		}
		return strings.TrimSpace(cmp.Or(t.Record.Type, "no type") + " " + t.Record.ID)
	default:
		return k.Found
	}
}

// presentTrialFields lists the prefill fields by name, with any error that the new inquiry form would show for each.
// Their values are not shown.
func (h *Handlers) presentTrialFields(r *http.Request, t embed.Trial) view.Table {
	values := url.Values{}
	for name := range t.Prefill {
		values.Set(name, form.ShownValue(name, t.Prefill.Get(name)))
	}
	filled := page.NewForm(r, values)
	filled.Inquiry(h.Viewer(r).Today())
	problems := ui.Form{FieldErrors: form.ViewErrors(filled.FieldErrors)}
	table := view.Table{ID: "fields", Title: "Fields", Sub: "of a new inquiry", Cards: true,
		Columns: []ui.Column{{Label: "Name"}, {Label: "Field"}, {Label: "Result"}}}
	for _, f := range t.Fields {
		label := ""
		if launch.IsField(f.Name) {
			label = ui.LabelOf(f.Name)
		}
		use := view.Cell{Text: text.LaunchFieldUse(string(f.Use)), NeedsAttention: f.Use != launch.FieldUsed}
		if problem := problems.ErrorOf(f.Name); f.Use == launch.FieldUsed && problem != "" {
			use = view.Cell{Text: use.Text + ", but needs attention", Sub: hideSSN(problem), NeedsAttention: true}
		}
		table.Rows = append(table.Rows, []view.Cell{{Text: hideSSN(f.Name), Code: true}, {Text: label}, use})
	}
	return table
}

var numberPattern = regexp.MustCompile(`[0-9][0-9 .-]*[0-9]`)

// hideSSN hides numbers of nine digits in a name or an ID: a CRM may have put an SSN there by mistake.
func hideSSN(shown string) string {
	return numberPattern.ReplaceAllStringFunc(shown, func(number string) string {
		if len(strings.NewReplacer(" ", "", ".", "", "-", "").Replace(number)) == len("123456789") {
			return "(nine digits, hidden)"
		}
		return number
	})
}
