package admin

import (
	"cmp"
	"net/http"
	"strings"

	deskadmin "hearthline/internal/desk/admin"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/approval"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// renderRequests lists the changes that require two administrators.
func (h *Handlers) renderRequests(w http.ResponseWriter, r *http.Request, requests *deskadmin.Requests,
	f *form.Form) error {
	list, err := requests.List(r.Context())
	if err != nil {
		return err
	}
	model := presentRequests(h.Viewer(r), list, f)
	model.Admin = h.layout(r, "Requests", "Changes that need two administrators: one requests, another decides.")
	model.Admin.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	return h.Render(w, r, page.FormStatus(f), view.Requests(model))
}

func approveRequest(r *http.Request, requests *deskadmin.Requests, _ *form.Form) error {
	return requests.Approve(r.Context(), chi.URLParam(r, "id"))
}

func declineRequest(r *http.Request, requests *deskadmin.Requests, _ *form.Form) error {
	return requests.Decline(r.Context(), chi.URLParam(r, "id"))
}

func withdrawRequest(r *http.Request, requests *deskadmin.Requests, _ *form.Form) error {
	return requests.Withdraw(r.Context(), chi.URLParam(r, "id"))
}

func requestSSOValues(r *http.Request, requests *deskadmin.Requests, f *form.Form) error {
	return requests.RequestSSOValues(r.Context(), f.Text("reason"))
}

func presentRequests(v text.Viewer, list deskadmin.RequestList, f *form.Form) view.RequestsView {
	model := view.RequestsView{Decided: view.Table{
		ID: "earlier", Title: "Earlier requests", Cards: true, Empty: "There are no earlier requests.",
		Columns: []ui.Column{{Label: "Request"}, {Label: "Reason"}, {Label: "Requested by"}, {Label: "Outcome"}},
	}}
	asked := false // for the configured values
	for _, one := range list.Requests {
		if one.Waits(v.Now) {
			asked = asked || one.Ask.Kind == access.RequestSSOValues
			model.Waiting = append(model.Waiting, presentRequest(v, list, one))
			continue
		}
		outcome, when := outcomeText(v, list, one.Request)
		model.Decided.Rows = append(model.Decided.Rows, []view.Cell{
			{Text: one.Ask.What()}, {Text: one.Ask.Reason},
			{Text: nameOf(list, one.RequestedBy), Sub: v.DateTime(text.TimeOfMillis(one.CreatedAt))},
			{Text: outcome, Sub: when},
		})
	}
	if len(list.Values.Values) > 0 {
		model.Values = presentSSOValues(list, f)
		model.Values.Form = !asked && !list.ValuesApproved
	}
	return model
}

func presentRequest(v text.Viewer, list deskadmin.RequestList, one approval.Listed) view.RequestPanel {
	own := one.RequestedBy == v.Who.UserID
	panel := view.RequestPanel{ID: one.ID, What: one.Ask.What(), Outdated: one.Outdated, Decline: !own, Withdraw: own}
	var who []string
	for _, u := range one.Deciders {
		who = append(who, u.Name)
		panel.Approve = panel.Approve || u.UserID == v.Who.UserID && one.Outdated == ""
	}
	if len(who) == 0 {
		who = []string{"No other administrator can approve this. The server’s operator can run: portal approve " + one.ID}
	}
	panel.Facts = ui.FactsOrDash("Requested by", nameOf(list, one.RequestedBy),
		"Requested", v.DateTime(text.TimeOfMillis(one.CreatedAt)), "Reason", one.Ask.Reason,
		"Expires", v.DateTime(text.TimeOfMillis(one.ExpiresAt)), "Can approve", strings.Join(who, ", "))
	if len(one.Namesakes) > 0 {
		panel.Facts = append(panel.Facts, ui.Fact{Label: "Another account has this name",
			Value: strings.Join(one.Namesakes, ", ")})
	}
	if id := one.Ask.Subject.UserID; id != "" {
		panel.AccountURL = to.Person(id)
	}
	return panel
}

func presentSSOValues(list deskadmin.RequestList, f *form.Form) *view.SSOValuesPanel {
	status := "Not approved. Every single sign-on counts as one factor."
	if list.ValuesApproved {
		status = "Approved. A sign-on with one of these values counts as two factors."
	}
	formErrors := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	return &view.SSOValuesPanel{
		Facts: ui.FactsOrDash("Provider", list.Values.Issuer,
			"Values in the server’s settings", strings.Join(list.Values.Values, ", "), "Status", status),
		Reason: ui.Field{Name: "reason", Label: "Reason", Span: "c12", Required: true, Max: "500", Autocomplete: "off",
			Value: f.Text("reason"), Error: formErrors.ErrorOf("reason")},
	}
}

// nameOf names the user with an id.
func nameOf(list deskadmin.RequestList, id string) string {
	return cmp.Or(list.Names[id], text.UpperFirst(access.OperatorName))
}

// outcomeText describes the outcome of a request that is no longer pending, and when.
func outcomeText(v text.Viewer, list deskadmin.RequestList, one approval.Request) (outcome, when string) {
	decided := text.TimeOfMillis(one.DecidedAt)
	when = v.DateTime(decided)
	switch by := " by " + nameOf(list, one.DecidedBy); one.State {
	case access.RequestWaiting:
		return "Expired. Nothing was changed.", v.DateTime(text.TimeOfMillis(one.ExpiresAt))
	case access.RequestDeclined:
		return "Declined" + by, when
	case access.RequestWithdrawn:
		return "Withdrawn" + by, when
	case access.RequestUsed:
		return "Approved" + by + ". The account is linked.", when
	default:
		outcome = "Approved" + by
		if until := decided.Add(account.LinkPermitLifetime); one.Ask.Kind == access.RequestLinkSSO {
			outcome += ". Not used in time."
			if v.Now.Before(until) {
				outcome = "Approved" + by + ". Works once, until " + v.DateTimeInText(until) + "."
			}
		}
		return outcome, when
	}
}
