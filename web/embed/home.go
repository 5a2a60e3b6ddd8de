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

// EmbedHome leads to the record's lead, or to its intake. Whoever a CRM alone vouches for
// sees the step and is asked who they are.
func (s *Handlers) EmbedHome(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	v := page.VisitOf(r)
	if !v.User.VouchedByCRM {
		taken, err := s.ClaimPendingForm(r)
		if err != nil {
			return err
		}
		if taken {
			return page.Redirect(w, r, v.Base.PendingForm())
		}
	}
	record, err := page.LaunchedRecord(r)
	if err != nil {
		return err
	}
	lead, found, err := record.Lead(r.Context())
	if err != nil {
		return err
	}
	switch {
	case v.User.VouchedByCRM:
	case found:
		return page.Redirect(w, r, v.Base.Lead(string(lead.App)))
	case d.Actor.Can(access.PrepareDraft):
		return s.redirectToIntake(w, r, record)
	default:
		return page.Redirect(w, r, v.Base.Leads(to.LeadsQuery{}))
	}
	client := v.Embed.Client
	view := views.EmbedHomeView{Page: s.Layout(r, "This record"), CRM: client.Name, ConnectURL: to.Connect(client.Key, v.Embed.ID), MatchCode: v.Embed.MatchCode}
	with, elsewhere, err := record.LeadOwner(r.Context())
	if err != nil {
		return err
	}
	if elsewhere {
		view.ColleagueNote = recordOwnerText(with)
	}
	if found {
		view.Page.NewWindowURL = to.Full.Lead(string(lead.App))
		view.Lead = views.EmbedLead{App: string(lead.App), Name: format.FullName(lead.Name), ShortID: lead.ShortID, Chip: format.StatusChip(lead.Lead)}
	}
	return s.Render(w, r, http.StatusOK, views.EmbedHome(view))
}

// EmbedStepUpDone lets the frame learn that its person has proved outside who they are.
func (s *Handlers) EmbedStepUpDone(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	value, hash := account.NewToken()
	proved, err := s.Embeds.FinishStepUp(r.Context(), v.Embed.Visit, hash)
	if err != nil {
		return err
	}
	if !proved && page.IsFragment(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if proved && v.User.VouchedByCRM {
		client := v.Embed.Client.Key
		value = s.Embeds.BoundToken(client, v.User.UserID, value)
		if v.Embed.InTab {
			s.SetTabCookie(w, client, value)
		} else {
			s.SetIframeCookie(w, client, value)
		}
	}
	return page.NavigateTo(w, r, v.Base.Home())
}
