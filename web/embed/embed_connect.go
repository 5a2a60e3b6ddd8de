package embed

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// connectPage asks, outside of the frame, whether a log-in of a CRM is this person's, or
// whether they sit at it. The letters in the frame are never said here: whoever sees
// them there types them.
func (s *Handlers) ConnectPage(w http.ResponseWriter, r *http.Request) error {
	l, err := s.toConnect(r)
	if err != nil {
		return err
	}
	return s.showConnect(w, r, http.StatusOK, l, &form.Form{})
}

func (s *Handlers) Connect(w http.ResponseWriter, r *http.Request) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	l, err := s.toConnect(r)
	if err != nil {
		return err
	}
	prove := s.Embeds.Connect
	if l.Known() {
		prove = s.Embeds.Confirm
	}
	err = prove(r.Context(), page.ActorOf(r), l, f.Text("match"))
	if f.Wrong = fault.FieldsOf(err); f.Bad() {
		return s.showConnect(w, r, http.StatusUnprocessableEntity, l, f)
	}
	if err != nil {
		return err
	}
	return s.Show(w, r, http.StatusOK, views.Connect(views.ConnectView{Page: s.Frame(r, "Done"), CRM: l.Client.Name, Done: true}))
}

// toConnect finds the launch in the address. What a CRM says of a log-in is told to people
// of its company alone, and of one that is connected to its own person alone.
func (s *Handlers) toConnect(r *http.Request) (embed.Launched, error) {
	l, err := s.Embeds.Find(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	if err != nil {
		return l, err
	}
	who := page.ActorOf(r)
	switch {
	case l.Client.BrokerID != who.BrokerID:
		return l, fault.New(fault.Denied, "This CRM belongs to another company than you do.")
	case l.Known() && l.Person.UserID != who.UserID:
		return l, fault.New(fault.Denied, "This log-in of the CRM belongs to another account than the one you are signed in with here.")
	default:
		return l, nil
	}
}

func (s *Handlers) showConnect(w http.ResponseWriter, r *http.Request, status int, l embed.Launched, f *form.Form) error {
	who := page.ActorOf(r)
	view := views.ConnectView{
		Page: s.Frame(r, "Connect "+l.Client.Name), Action: to.Connect(l.Client.Key, l.ID), CRM: l.Client.Name, LogIn: logInOf(l), Since: s.Viewer(r).Moment(l.Created),
		Account: who.Name + ", " + who.Email, Known: l.Known(), Form: f.View(""),
	}
	if view.Known {
		view.Page.Title = "Confirm it is you"
	}
	return s.Show(w, r, status, views.Connect(view))
}
