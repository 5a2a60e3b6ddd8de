package admin

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	deskcrm "hearthline/internal/desk/crm"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// updateCRMEvents enables a CRM's events after a test event, pauses them, ends the previous secret, or sends events
// again.
func updateCRMEvents(r *http.Request, crms *deskcrm.EmbedClients, f *form.Form) error {
	ctx, key := r.Context(), chi.URLParam(r, "client")
	if id := f.Text("again"); id != "" {
		if id == "all" {
			id = ""
		}
		return crms.RepeatEvents(ctx, key, id)
	}
	switch cmp.Or(f.Text("act"), "test") {
	case "test":
		return crms.EnableEvents(ctx, key, f.Text("url"), f.IsChecked("amounts"))
	case "pause":
		return crms.PauseEvents(ctx, key)
	case "end-secret":
		return crms.EndFormerEventSecret(ctx, key)
	default:
		return fault.New(fault.Invalid, "This action isn’t available here. Nothing was changed.")
	}
}

// NewCRMEventSecret makes a secret and shows it, once.
func (h *Handlers) NewCRMEventSecret(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients,
	f *form.Form) error {
	secret, err := crms.NewEventSecret(r.Context(), chi.URLParam(r, "client"))
	if err != nil {
		return err
	}
	return h.renderCRMEventsWith(w, r, crms, f, secret)
}

func (h *Handlers) renderCRMEvents(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients,
	f *form.Form) error {
	return h.renderCRMEventsWith(w, r, crms, f, "")
}

func (h *Handlers) renderCRMEventsWith(w http.ResponseWriter, r *http.Request, crms *deskcrm.EmbedClients,
	f *form.Form, newSecret string) error {
	e, err := crms.Events(r.Context(), chi.URLParam(r, "client"))
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	model := view.CRMEventsView{Key: e.Key, Enabled: e.On, NewSecret: newSecret, HasSecret: e.SecretEnds != "",
		HasFormer: e.FormerEnds != "", Failed: presentFailedEvents(v, e), Latest: presentLatestEvents(v, e),
		Admin: h.layout(r, "Events for "+e.Name, text.Pluralize(e.Sent, "event", "events")+" sent in 24 hours, "+
			strconv.Itoa(e.Waiting)+" waiting, "+strconv.Itoa(e.CRMEventCounts.Failed)+" not delivered.")}
	model.Admin.Links = []ui.Action{{Label: "Help for developers", Kind: "ghost", Href: to.Full.Help("crm") + "#events"},
		{Label: "All CRMs", Kind: "ghost", Href: to.Full.Admin("embed")}}
	url, amounts := e.URL, strconv.FormatBool(e.Amounts)
	if f.HasErrors() && f.Values.Has("url") {
		url, amounts = f.Text("url"), strconv.FormatBool(f.IsChecked("amounts"))
	}
	model.URL = ui.Field{Name: "url", Label: "URL", Span: "c6", Max: "500", Mode: "url", Value: url, Autocomplete: "off",
		Hint:  "A signed test event is sent there first. Nothing changes unless the CRM answers it with 200 to 299.",
		Error: (ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}).ErrorOf("url")}
	model.Amounts = ui.Field{Name: "amounts", Label: "Include amounts", Value: amounts, Span: "c12",
		Hint: "The requested and selected amounts. Events never include names, contact details or scores."}
	model.Admin.Form.FormError = f.FormError
	model.Admin.Form.FieldErrors = form.LabeledErrors(f.FieldErrors, []ui.Field{model.URL})
	switch {
	case e.On:
		model.State = "Enabled"
	case e.URL != "":
		model.State = "Paused. Nothing new is queued, and queued events aren’t sent"
	}
	if e.URL != "" {
		model.Endpoint = []ui.Fact{{Label: "Sends to", Value: e.URL},
			{Label: "Test event", Value: "Accepted " + v.DateTimeInText(e.TestedAt) + ", " + answerText(e.TestAnswer)}}
	}
	if model.HasSecret {
		model.Secrets = []ui.Fact{{Label: "Current", Value: "Ends in " + e.SecretEnds + ", created " +
			v.DateTimeInText(e.SecretAt)}}
	}
	if model.HasFormer {
		model.Secrets = append(model.Secrets, ui.Fact{Label: "Previous", Value: "Ends in " + e.FormerEnds +
			", signs every event too until " + v.DateTimeInText(e.FormerUntil)})
	}
	return h.Render(w, r, page.FormStatus(f), view.CRMEvents(model))
}

// answerText describes how an endpoint answered.
func answerText(answer string) string {
	switch answer {
	case embed.AnswerTimeout:
		return "Timed out"
	case embed.AnswerPrivate:
		return "Private address"
	case embed.AnswerUnreachable:
		return "Couldn’t connect"
	case embed.AnswerNoKeys:
		return "Returned no public keys"
	case embed.AnswerNotSent:
		return "Couldn’t be created"
	}
	status, _ := strconv.Atoi(answer)
	if name := http.StatusText(status); status >= http.StatusMultipleChoices && name != "" {
		return answer + " " + name
	}
	return answer
}

// tookText describes how long a try took.
func tookText(millis int64) string {
	switch {
	case millis == 0:
		return "<1 ms"
	case millis < 1000:
		return strconv.FormatInt(millis, 10) + " ms"
	}
	return strconv.FormatFloat(float64(millis)/1000, 'f', 1, 64) + " sec"
}

func eventCells(v text.Viewer, e embed.QueuedEvent) []view.Cell {
	return []view.Cell{
		{Text: v.DateTime(text.TimeOfMillis(e.At))},
		{Text: string(lead.CodeOf(lead.CodeEvent, string(e.Kind))), Code: true, Sub: e.ShortID},
	}
}

// presentFailedEvents lists the events that were given up, each with a button of the form "again".
func presentFailedEvents(v text.Viewer, e embed.EventSetup) view.Table {
	t := view.Table{ID: "failed", Title: "Not delivered", Sub: "no longer retried automatically", Cards: true,
		Columns: []ui.Column{{Label: "Time"}, {Label: "Event"}, {Label: "Last response"},
			{Label: "Action", Hidden: true}}}
	for _, one := range e.FailedEvents {
		cells := append(eventCells(v, one), view.Cell{Text: answerText(one.Answer), NeedsAttention: true,
			Sub: text.Pluralize(one.Tries, "try", "tries") + ", the last " + v.DateTimeInText(text.TimeOfMillis(one.TriedAt))})
		what := "Send again: " + cells[1].Text + " for " + cells[1].Sub
		t.Rows = append(t.Rows, append(cells, view.Cell{Actions: []ui.Action{{Label: "Send again", Icon: "send",
			Form: "again", Name: "again", Value: one.ID,
			Attrs: templ.OrderedAttributes{{Key: "aria-label", Value: what}}}}}))
	}
	return t
}

// presentLatestEvents lists the newest events that wait or were sent.
func presentLatestEvents(v text.Viewer, e embed.EventSetup) view.Table {
	t := view.Table{ID: "latest", Title: "Latest deliveries", Sub: "newest first", Cards: true,
		Empty: "No events yet. Events are created when a lead linked to a record changes.",
		Columns: []ui.Column{{Label: "Time"}, {Label: "Event"}, {Label: "Status"}, {Label: "Tries", Class: "num"},
			{Label: "Took", Class: "num"}}}
	all := slices.Concat(e.WaitingEvents, e.SentEvents)
	slices.SortStableFunc(all, func(a, b embed.QueuedEvent) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID))
	})
	for _, one := range all {
		status, took := view.Cell{Text: "Delivered", Sub: one.Answer}, tookText(one.TookMillis)
		if one.State == lead.CRMEventWaiting {
			status = view.Cell{Text: answerText(one.Answer), NeedsAttention: true}
			if e.On {
				status.Sub = "next try " + v.DateTimeInText(text.TimeOfMillis(one.NextAt))
			}
			if one.Tries == 0 || one.Answer == "" { // one that is sent again has the answer from before
				status, took = view.Cell{Text: "Waiting"}, ""
			}
		}
		t.Rows = append(t.Rows, append(eventCells(v, one), status, view.Cell{Text: strconv.Itoa(one.Tries), Num: true},
			view.Cell{Text: took, Num: true}))
	}
	return t
}
