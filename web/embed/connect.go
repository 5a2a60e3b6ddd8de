package embed

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/embed"
	"hearthline/internal/fault"
	view "hearthline/views/embed"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// ConnectCRMPage asks, outside of the embed, whether a CRM sign-in belongs to this user, or whether
// the user is the one working there. It never shows the match code: only a user who sees the embed
// can type it.
func (h *Handlers) ConnectCRMPage(w http.ResponseWriter, r *http.Request) error {
	l, err := h.launchToConnect(r)
	if err != nil {
		return err
	}
	return h.renderConnectCRM(w, r, l, &form.Form{})
}

// ConnectCRM checks the match code, then connects the CRM sign-in or confirms the user's identity.
func (h *Handlers) ConnectCRM(w http.ResponseWriter, r *http.Request, _ page.Desk, f *form.Form) error {
	l, err := h.launchToConnect(r)
	if err != nil {
		return err
	}
	confirm := h.Embeds.Connect
	if l.Connected() {
		confirm = h.Embeds.ConfirmStepUp
	}
	err = confirm(r.Context(), page.ActorOf(r), l, f.Text("match"))
	if page.Rejected(f, err) {
		return h.renderConnectCRM(w, r, l, f)
	}
	if err != nil {
		return err
	}
	return h.Render(w, r, http.StatusOK, view.Connect(view.ConnectView{Page: h.Layout(r, "Done"), CRM: l.Client.Name,
		Done: true}))
}

// ConfirmByPasskey asks the user of an embed for a passkey, in a tab that the embed opens, and tells the embed.
func (h *Handlers) ConfirmByPasskey(w http.ResponseWriter, r *http.Request) error {
	client, code := chi.URLParam(r, "client"), page.Posted(r).Get("code")
	l, err := h.Embeds.LaunchToConfirm(r.Context(), client, code)
	if err != nil {
		return err
	}
	v := view.ConfirmView{Page: h.PublicLayout(r, "Confirm it’s you"), Client: client, CRM: l.Client.Name,
		CRMUser: crmUserText(l), Person: l.Person.Name, Code: code, ConnectURL: to.Connect(client, l.ID)}
	v.Page.Passkeys = true
	answer := page.Posted(r).Get("credential")
	if answer == "" {
		return h.Render(w, r, http.StatusOK, view.Confirm(v))
	}
	user, err := h.Accounts.PasskeySignIn(r.Context(), h.FlowToken(r, guard.FlowPasskey), []byte(answer),
		guard.ClientOf(r))
	if err == nil {
		h.SetFlowCookie(w, guard.FlowPasskey, "")
		err = h.Embeds.ConfirmByPasskey(r.Context(), user.Actor, client, code)
	}
	if err == nil {
		v.Page.Title, v.Done = "Done", true
		return h.Render(w, r, http.StatusOK, view.Confirm(v))
	}
	if !fault.Is(err, fault.Invalid, fault.Conflict, fault.Unavailable) {
		return err
	}
	page.SetRetryAfter(w, err)
	status, message := page.StatusAndMessage(err)
	v.Error = message
	return h.Render(w, r, status, view.Confirm(v))
}

// launchToConnect finds the launch in the URL. Only users of the CRM's company may see its
// sign-ins, and only the connected user may see a connected one.
func (h *Handlers) launchToConnect(r *http.Request) (embed.VerifiedLaunch, error) {
	l, err := h.Embeds.Find(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	if err != nil {
		return l, err
	}
	who := page.ActorOf(r)
	switch {
	case l.Client.BrokerID != who.BrokerID:
		return l, fault.New(fault.Denied, "This CRM belongs to a different company than you.")
	case l.Connected() && l.Person.UserID != who.UserID:
		return l, fault.New(fault.Denied,
			"This CRM user is connected to a different account than the one you’re signed in with.")
	default:
		return l, nil
	}
}

func (h *Handlers) renderConnectCRM(w http.ResponseWriter, r *http.Request, l embed.VerifiedLaunch,
	f *form.Form) error {
	who := page.ActorOf(r)
	model := view.ConnectView{
		Page: h.Layout(r, "Connect "+l.Client.Name), Action: to.Connect(l.Client.Key, l.ID), CRM: l.Client.Name,
		CRMUser: crmUserText(l), LaunchedAt: h.Viewer(r).DateTime(l.Created),
		Account: who.Name + ", " + who.Email, AlreadyConnected: l.Connected(), Form: f.View(""),
	}
	if model.AlreadyConnected {
		model.Page.Title = "Confirm it’s you"
	}
	return h.Render(w, r, page.FormStatus(f), view.Connect(model))
}
