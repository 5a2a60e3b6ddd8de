package admin

import (
	"cmp"
	"net/http"
	"path"
	"strings"

	deskadmin "hearthline/internal/desk/admin"
	"hearthline/internal/lead"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// PeoplePage lists the accounts.
func (h *Handlers) PeoplePage(w http.ResponseWriter, r *http.Request, people *deskadmin.People) error {
	all, err := people.List(r.Context())
	if err != nil {
		return err
	}
	model := presentPeople(h.Viewer(r), all)
	model.Admin = h.layout(r, "Users", "Everyone with a Hearthline account.")
	model.Admin.Links = []ui.Action{{Label: "Invite a user", Icon: "plus", Kind: "pri", Href: to.Full.Invite()}}
	return h.Render(w, r, http.StatusOK, view.People(model))
}

func presentPeople(v text.Viewer, all []access.Staff) view.PeopleView {
	model := view.PeopleView{Table: view.Table{
		ID: "people", Title: "Accounts", Sub: text.Pluralize(len(all), "user", "users"),
		Cards: true,
		Columns: []ui.Column{{Label: "Name"}, {Label: "Role"}, {Label: "Company"}, {Label: "Last active"},
			{Label: "Account"}},
	}}
	var missing []string
	for _, p := range all {
		account := view.Cell{Text: "Active"}
		switch {
		case p.Disabled:
			account = view.Cell{Text: "Disabled", Sub: v.DateTime(text.TimeOfMillis(p.DisabledAt))}
		case p.NotInDirectory:
			account = view.Cell{Text: "Not in lender’s directory", NeedsAttention: true}
			missing = append(missing, p.Name)
		}
		model.Table.Rows = append(model.Table.Rows, []view.Cell{
			{Text: p.Name, Sub: p.Email, Href: to.Person(p.UserID)}, {Text: text.Role(string(p.Role)), Sub: nmlsText(p.NMLS)},
			{Text: text.ActorCompany(p.Actor)}, {Text: lastSeenText(v, p.LastSeenAt)}, account,
		})
	}
	model.NotInDirectory = strings.Join(missing, ", ")
	return model
}

func nmlsText(number string) string {
	if number == "" {
		return ""
	}
	return "NMLS " + number
}

func lastSeenText(v text.Viewer, ms int64) string {
	if ms == 0 {
		return "No active session"
	}
	return v.AgeText(text.TimeOfMillis(ms))
}

// sessionsText tells how recently a user with a session was seen.
func sessionsText(v text.Viewer, ms int64) string {
	if ms == 0 {
		return lastSeenText(v, ms)
	}
	return "last active " + lastSeenText(v, ms)
}

// renderPerson shows one account, and the work that closing it would leave behind.
func (h *Handlers) renderPerson(w http.ResponseWriter, r *http.Request, people *deskadmin.People, f *form.Form) error {
	one, err := people.Find(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	crms, err := people.CRMs(r.Context(), one.UserID)
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	model := presentPerson(v, one, f)
	model.CRMs = page.PresentCRMs(v, crms, func(embed.Link) string { return to.PersonAction(one.UserID, "disconnect") })
	model.Admin = h.layout(r, one.Name, "User account")
	model.Admin.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	if r.Method == http.MethodPost {
		model.Posted, model.Reason = path.Base(r.URL.Path), f.Text("reason")
	}
	return h.Render(w, r, page.FormStatus(f), view.Person(model))
}

func presentPerson(v text.Viewer, p deskadmin.Person, f *form.Form) view.PersonView {
	model := view.PersonView{
		ID: p.UserID, IsSelf: p.UserID == v.Who.UserID, Closed: p.Disabled, LastActive: sessionsText(v, p.LastSeenAt),
		Facts: ui.FactsOrDash("Email", p.Email, "Role", text.Role(string(p.Role)),
			"Company", text.ActorCompany(p.Actor), "NMLS", p.NMLS,
			"Account since", v.DateTime(text.TimeOfMillis(p.CreatedAt)), "Last active", lastSeenText(v, p.LastSeenAt)),
		Roles: ui.Choices(string(p.Role), text.Roles()...),
	}
	if p.Disabled {
		model.Facts = append([]ui.Fact{
			{Label: "Status", Value: "Disabled " + v.DateTimeInText(text.TimeOfMillis(p.DisabledAt))},
		}, model.Facts...)
	}
	model.Email = cmp.Or(f.Email("email"), p.DirectoryEmail)
	model.Originator, model.DirectoryEmail, model.PendingEmail = p.OriginatorUUID != "", p.DirectoryEmail,
		emailOfferText(v, p.EmailOffer)
	model.Privileged, model.Administrator = p.Role.Privileged(), p.Role == access.Admin
	model.LinkSSO = model.Privileged && p.SSO
	if p.Role == access.Assistant {
		assistant := page.PresentAssistant(p.Actor, p.Originators, f)
		reassigns := "No"
		if assistant.Reassigns {
			reassigns = "Yes"
		}
		model.Facts = append(model.Facts, ui.FactsOrDash("Works for", assistant.Summary, "May reassign leads", reassigns)...)
	}
	for _, one := range p.Requests {
		model.Requests = append(model.Requests, one.Ask.What()+". Expires "+
			v.DateTimeInText(text.TimeOfMillis(one.ExpiresAt))+".")
	}
	model.OpenWork = text.RemainingWorkText(p.Leads, p.Drafts)
	choices := [][2]string{{"", "No one yet (leads go to the company’s unassigned queue)"}}
	for _, t := range p.Assignees {
		note := " (leads and drafts)"
		if t.UserID == "" {
			note = " (leads only, no account)"
		}
		choices = append(choices, [2]string{string(t.UUID), text.JoinNonEmpty(", ", t.Name(), nmlsText(t.NMLS)) + note})
	}
	model.Assignees = ui.Choices(f.Text("newLoanOriginatorUuid"), choices...)
	for _, run := range p.DepartureRuns {
		model.BulkReassignments = append(model.BulkReassignments, departureText(run))
	}
	return model
}

// emailOfferText states that a new email waits for the user's confirmation; it is "" if none does.
func emailOfferText(v text.Viewer, o account.EmailOffer) string {
	if o.Email == "" {
		return ""
	}
	return o.Email + ". The link expires " + v.DateTimeInText(o.Expires) + "."
}

func departureText(d lead.DepartureRun) string {
	words := text.Pluralize(d.Sent, "lead", "leads") + " sent to the lender"
	if d.Waiting > 0 {
		words += ", " + text.Pluralize(d.Waiting, "in progress", "in progress")
	}
	if d.Stopped > 0 {
		words += ", " + text.Pluralize(d.Stopped, "not reassigned", "not reassigned")
	}
	return words + "."
}

// changeRole changes a user's role.
func changeRole(r *http.Request, p *deskadmin.People, f *form.Form) error {
	return p.ChangeRole(r.Context(), chi.URLParam(r, "id"), access.Role(f.Text("role")), f.Text("reason"))
}

// offerEmail proposes another email for a user's account.
func offerEmail(r *http.Request, p *deskadmin.People, f *form.Form) error {
	return p.OfferEmail(r.Context(), chi.URLParam(r, "id"), f.Email("email"))
}

// resetPerson emails a user a link with which they set up their sign-in again.
func resetPerson(r *http.Request, p *deskadmin.People, f *form.Form) error {
	if !f.IsChecked("confirm.reset") {
		return fault.InvalidFields(fault.Field{Name: "confirm.reset", Message: "Check this box to reset the sign-in"})
	}
	return p.Reset(r.Context(), chi.URLParam(r, "id"), f.IsChecked("shut"), f.Text("reason"))
}

// linkPerson requests that a user's next single sign-on links their account.
func linkPerson(r *http.Request, p *deskadmin.People, f *form.Form) error {
	return p.LinkSSO(r.Context(), chi.URLParam(r, "id"), f.Text("reason"))
}

// signPersonOut ends all sessions of a user.
func signPersonOut(r *http.Request, p *deskadmin.People, _ *form.Form) error {
	return p.SignOut(r.Context(), chi.URLParam(r, "id"))
}

// closePerson closes an account and assigns its work.
func closePerson(r *http.Request, p *deskadmin.People, f *form.Form) error {
	if !f.IsChecked("confirm.close") {
		return fault.InvalidFields(fault.Field{Name: "confirm.close", Message: "Check this box to disable the account"})
	}
	return p.Close(r.Context(), chi.URLParam(r, "id"), deskadmin.CloseOptions{Assignee: f.Text("newLoanOriginatorUuid")})
}

// reopenPerson reopens a closed account.
func reopenPerson(r *http.Request, p *deskadmin.People, f *form.Form) error {
	return p.Reopen(r.Context(), chi.URLParam(r, "id"), f.Text("reason"))
}

// disconnectPerson removes a CRM connection from a user's account.
func disconnectPerson(r *http.Request, p *deskadmin.People, f *form.Form) error {
	return p.DisconnectCRM(r.Context(), chi.URLParam(r, "id"), f.Text("link"))
}
