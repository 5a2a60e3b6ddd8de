package embed

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	deskcrm "hearthline/internal/desk/crm"
	view "hearthline/views/embed"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// EmbedHome redirects to the record's lead, or to its intake, or to the list of leads if there is no record. Users
// vouched for only by a CRM see the step and are asked to confirm their identity.
func (h *Handlers) EmbedHome(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	v := page.VisitOf(r)
	if !v.User.VouchedByCRM {
		claimed, err := h.Pending.ClaimPendingForm(r)
		if err != nil {
			return err
		}
		if claimed {
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
	case v.Embed.HasRecord() && d.Actor.Can(access.PrepareDraft):
		return h.redirectToIntake(w, r, record)
	default:
		return page.Redirect(w, r, v.Base.Leads(to.LeadsQuery{}))
	}
	client := v.Embed.Client
	model := view.HomeView{Page: h.Layout(r, "This record"), CRM: client.Name,
		Client: client.Key, ConnectURL: to.Connect(client.Key, v.Embed.ID), MatchCode: v.Embed.MatchCode,
		Note: "No lead is linked to this record yet."}
	if !v.Embed.HasRecord() {
		model.Page.Title, model.Note = "Confirm it’s you", "Hearthline was opened without a record."
	}
	if model.ConfirmCode, err = h.confirmCode(r); err != nil {
		return err
	}
	owner, hasOwner, err := record.LeadOwner(r.Context())
	if err != nil {
		return err
	}
	if hasOwner {
		model.Note = recordOwnerText(owner) + "."
	}
	if found {
		model.Page.NewWindowURL = to.Full.Lead(string(lead.App))
		model.Lead = view.Lead{App: string(lead.App), Name: text.FullName(lead.Name), ShortID: lead.ShortID,
			Chip: ui.StatusChip(text.LeadStatus(lead.Row)), StatusToken: page.StatusToken(lead.Row)}
	}
	return h.Render(w, r, http.StatusOK, view.Home(model))
}

// confirmCode returns the code that opens the tab for a passkey, or "" if the user has none.
func (h *Handlers) confirmCode(r *http.Request) (string, error) {
	v := page.VisitOf(r)
	factors, err := h.Accounts.Factors(r.Context(), v.User.UserID)
	if err != nil || !h.Accounts.Passkeys() || !factors.HasPasskey() {
		return "", err
	}
	return h.Embeds.NewConfirmCode(r.Context(), v.Embed.Visit)
}

// EmbedStepUpDone tells the embed whether its user has stepped up outside of it.
func (h *Handlers) EmbedStepUpDone(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	value, hash := account.NewToken()
	elevated, err := h.Embeds.FinishStepUp(r.Context(), v.Embed.Visit, hash)
	if err != nil {
		return err
	}
	if !elevated && page.IsFragment(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if elevated && v.User.VouchedByCRM {
		h.SetVisitCookie(w, v.Embed, h.Embeds.BoundToken(v.Embed.VerifiedLaunch, value))
	}
	return page.NavigateTo(w, r, v.Base.Home())
}

// redirectToIntake redirects to the intake of a record without a lead, or to the receipt of a start
// whose outcome is unknown. If a colleague has the record's lead, it shows that before the user can
// begin another inquiry.
func (h *Handlers) redirectToIntake(w http.ResponseWriter, r *http.Request, record *deskcrm.Launch) error {
	operation, err := record.PendingStart(r.Context())
	if err != nil {
		return err
	}
	if operation != "" {
		return page.Redirect(w, r, page.BaseOf(r).Operation(operation))
	}
	owner, found, err := record.LeadOwner(r.Context())
	if err != nil {
		return err
	}
	if found {
		return h.Render(w, r, http.StatusOK, view.WithColleague(view.WithColleagueView{
			Page: h.Layout(r, "This record"), Title: recordOwnerText(owner) + ".", ShortID: owner.ShortID, Ended: owner.Ended,
		}))
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(""))
}

// recordOwnerText states who has the inquiry of a record.
func recordOwnerText(owner deskcrm.LeadOwner) string {
	whose, verb := "a colleague", "is with"
	if owner.Originator != "" {
		whose = owner.Originator
	}
	if owner.Reassigned {
		verb = "was reassigned to"
	}
	return "An inquiry for this record " + verb + " " + whose
}

// LinkLeadToRecord links a lead that has the record's number to the record.
func (h *Handlers) LinkLeadToRecord(w http.ResponseWriter, r *http.Request, _ page.Desk, f *form.Form) error {
	record, err := page.LaunchedRecord(r)
	if err != nil {
		return err
	}
	app := f.Text("record.lead")
	return page.NavigateAfter(w, r, record.LinkLead(r.Context(), app), page.BaseOf(r).Lead(app))
}
