package embed

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/format"
	"hearthline/web/page"
)

// embedHome leads to the record's lead, or to its intake. Whoever a CRM alone vouches for
// sees the step and is asked who they are.
func (s *Handlers) EmbedHome(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	v := page.VisitOf(r)
	if !v.User.Unconfirmed {
		taken, err := s.TakeLate(r)
		if err != nil {
			return err
		}
		if taken {
			return page.Redirect(w, r, v.Base.Held())
		}
	}
	record, err := page.Launched(r)
	if err != nil {
		return err
	}
	lead, found, err := record.Lead(r.Context())
	if err != nil {
		return err
	}
	switch {
	case v.User.Unconfirmed:
	case found:
		return page.Redirect(w, r, v.Base.Lead(string(lead.App)))
	case d.Actor.Can(access.PrepareDraft):
		return s.beginRecord(w, r, record)
	default:
		return page.Redirect(w, r, v.Base.Leads(to.LeadsQuery{}))
	}
	client := v.Framed.Client
	view := views.EmbedHomeView{Page: s.Frame(r, "This record"), CRM: client.Name, Connect: to.Connect(client.Key, v.Framed.ID), Match: v.Framed.Match}
	with, elsewhere, err := record.With(r.Context())
	if err != nil {
		return err
	}
	if elsewhere {
		view.With = withWhom(with)
	}
	if found {
		view.Page.Pop = to.Full.Lead(string(lead.App))
		view.Lead = views.EmbedLead{App: string(lead.App), Name: format.NameOf(lead.Name), ShortID: lead.ShortID, Chip: format.ChipOf(lead.Lead)}
	}
	return s.Show(w, r, http.StatusOK, views.EmbedHome(view))
}

// embedConfirmed lets the frame learn that its person has proved outside who they are.
func (s *Handlers) EmbedConfirmed(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	value, hash := account.NewToken()
	proved, err := s.Embeds.Confirmed(r.Context(), v.Framed.Visit, hash)
	if err != nil {
		return err
	}
	if !proved && page.Fragment(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if proved && v.User.Unconfirmed {
		client := v.Framed.Client.Key
		value = s.Embeds.Marked(client, v.User.UserID, value)
		if v.Framed.Tab {
			s.KeepInTab(w, client, value)
		} else {
			s.KeepInFrame(w, client, value)
		}
	}
	return page.Onward(w, r, v.Base.Home())
}
