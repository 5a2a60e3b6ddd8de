package embed

import (
	"cmp"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/embed"
	"hearthline/internal/launch"
	view "hearthline/views/embed"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/page"
)

// ReceiveLaunch accepts a CRM's signed post. It signs nobody in and sets no cookie: a page asks the
// user whether to continue.
func (h *Handlers) ReceiveLaunch(w http.ResponseWriter, r *http.Request) error {
	kind := launch.Kind(chi.URLParam(r, "kind"))
	if kind == launch.KindCall {
		return h.receiveSignedCall(w, r)
	}
	control := map[launch.Kind]string{launch.KindToken: "launch_token", launch.KindCanvas: "signed_request"}[kind]
	if control == "" {
		return h.NotFound(w, r)
	}
	form := page.FormOf(r) // the guard leaves parsing to the handler, because a signed call is not a form
	if form.Err != nil {
		return form.Err
	}
	p, err := h.Embeds.LaunchByPost(r.Context(), kind, chi.URLParam(r, "client"), form.Values.Get(control))
	if err != nil {
		return err
	}
	page.RequestLogOf(r).AddAttr("launch", p.ID)
	return h.renderLaunch(w, r, http.StatusOK, p, "")
}

// receiveSignedCall returns a one-time URL for the user's browser to a CRM's server.
func (h *Handlers) receiveSignedCall(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	client := chi.URLParam(r, "client")
	code, err := h.Embeds.LaunchByCall(r.Context(), client, signedCall(r, string(body)))
	if err != nil {
		return err
	}
	address := h.Origin + to.LaunchCode(string(launch.KindCall), client, code)
	return page.WriteJSON(w, http.StatusOK, map[string]string{"url": address})
}

// signedCall returns the request in the form in which its headers sign it.
func signedCall(r *http.Request, body string) launch.Call {
	return launch.Call{Method: r.Method, Query: r.URL.RawQuery, Body: body,
		Timestamp: r.Header.Get("X-HubSpot-Request-Timestamp"), Signature: r.Header.Get("X-HubSpot-Signature-v3")}
}

// RedeemLaunchURL accepts the code of a one-time URL, which only opens the page that asks whether
// to continue.
func (h *Handlers) RedeemLaunchURL(w http.ResponseWriter, r *http.Request) error {
	if launch.Kind(chi.URLParam(r, "kind")) != launch.KindCall {
		return h.NotFound(w, r)
	}
	p, err := h.Embeds.RedeemLaunchURL(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "code"))
	if err != nil {
		return err
	}
	return h.renderLaunch(w, r, http.StatusOK, p, "")
}

func (h *Handlers) renderLaunch(w http.ResponseWriter, r *http.Request, status int, p embed.PendingLaunch,
	message string) error {
	layout := h.PublicLayout(r, "Open in Hearthline")
	layout.Embedded, layout.HostOrigin, layout.EmbedExpiresIn = true, p.Origin, page.MillisText(p.CodeLifetime)
	return h.Render(w, r, status, view.Launch(view.LaunchView{
		Page: layout, Client: p.Client.Key, CRM: p.Client.Name, CRMUser: crmUserText(p.VerifiedLaunch), Person: p.Person.Name,
		Company: p.Person.BrokerName, Code: p.Code, MatchCode: p.MatchCode, ConnectURL: to.Connect(p.Client.Key, p.ID),
		Error: message,
	}))
}

// crmUserText returns a CRM user's name and email as the CRM reports them.
func crmUserText(l embed.VerifiedLaunch) string {
	return cmp.Or(text.JoinNonEmpty(", ", l.Name, l.Email), "an unnamed user")
}
