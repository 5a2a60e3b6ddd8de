package embed

import (
	"io"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/page"
)

// ReceiveLaunch takes a CRM's signed post. Nobody is signed in by it, and no cookie is set: a
// page asks whether to go on.
func (s *Handlers) ReceiveLaunch(w http.ResponseWriter, r *http.Request) error {
	kind := launch.Kind(chi.URLParam(r, "kind"))
	if kind == launch.KindCall {
		return s.receiveSignedCall(w, r)
	}
	control := map[launch.Kind]string{launch.KindToken: "launch_token", launch.KindCanvas: "signed_request"}[kind]
	if control == "" {
		return s.NotFound(w, r)
	}
	form := page.FormOf(r) // the guard leaves it to the handler, because a call is no form
	if form.Err != nil {
		return form.Err
	}
	p, err := s.Embeds.LaunchByPost(r.Context(), kind, chi.URLParam(r, "client"), form.Values.Get(control))
	if err != nil {
		return err
	}
	page.RequestLogOf(r).AddAttr("launch", p.ID)
	return s.renderLaunch(w, r, http.StatusOK, p, "")
}

// receiveSignedCall answers a CRM's server with a one-time address for its person's browser.
func (s *Handlers) receiveSignedCall(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	client := chi.URLParam(r, "client")
	code, err := s.Embeds.LaunchByCall(r.Context(), client, signedCall(r, string(body)))
	if err != nil {
		return err
	}
	address := s.BaseURL.Scheme + "://" + s.BaseURL.Host + to.LaunchCode(string(launch.KindCall), client, code)
	return page.WriteJSON(w, http.StatusOK, map[string]string{"url": address})
}

// verifyCall is a call as its headers say it was signed.
func signedCall(r *http.Request, body string) launch.Call {
	return launch.Call{Method: r.Method, Query: r.URL.RawQuery, Body: body, Timestamp: r.Header.Get("X-HubSpot-Request-Timestamp"), Signature: r.Header.Get("X-HubSpot-Signature-v3")}
}

// RedeemLaunchURL takes the code of a one-time address, which buys the question and no more.
func (s *Handlers) RedeemLaunchURL(w http.ResponseWriter, r *http.Request) error {
	if launch.Kind(chi.URLParam(r, "kind")) != launch.KindCall {
		return s.NotFound(w, r)
	}
	p, err := s.Embeds.RedeemLaunchURL(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "code"))
	if err != nil {
		return err
	}
	return s.renderLaunch(w, r, http.StatusOK, p, "")
}

func (s *Handlers) renderLaunch(w http.ResponseWriter, r *http.Request, status int, p embed.PendingLaunch, wrong string) error {
	shown := s.PublicLayout(r, "Open in Hearthline")
	shown.Embedded, shown.HostOrigin, shown.EmbedExpiresIn = true, p.Origin, page.MillisText(p.CodeLifetime)
	return s.Render(w, r, status, views.Launch(views.LaunchView{
		Page: shown, Client: p.Client.Key, CRM: p.Client.Name, CRMUser: crmUserText(p.VerifiedLaunch), Person: p.Person.Name, Company: p.Person.BrokerName,
		Code: p.Code, MatchCode: p.MatchCode, ConnectURL: to.Connect(p.Client.Key, p.ID), Error: wrong,
	}))
}

// crmUserText is a log-in of a CRM as the CRM names it.
func crmUserText(l embed.VerifiedLaunch) string {
	var said []string
	for _, text := range []string{l.Name, l.Email} {
		if text != "" {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return "a person without a name"
	}
	return strings.Join(said, ", ")
}
