package lead

import (
	"net/http"

	desklead "hearthline/internal/desk/lead"
	deskreassign "hearthline/internal/desk/reassign"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/workspace"
)

// registerTabs tells the workspace how to present the tabs of this area.
func (h *Handlers) registerTabs() {
	h.workspace.Register(to.Overview, h.presentOverview)
	h.workspace.Register(to.Property, func(_ *http.Request, _ text.Viewer, d *workspace.Data) (workspace.Content, error) {
		return workspace.Content{Body: view.Property(presentProperty(d.View.Details, d.View.Properties))}, nil
	})
	h.workspace.Register(to.Underwriting, func(_ *http.Request, _ text.Viewer,
		d *workspace.Data) (workspace.Content, error) {
		return workspace.Content{Body: view.Underwriting(presentUnderwriting(d.View.Details))}, nil
	})
	h.workspace.Register(to.Documents, func(_ *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
		lists := workspace.NewLists(v, d, workspace.DocumentsList)
		return workspace.Content{Body: view.Documents(presentDocuments(v, d, lists)), UpdateURL: lists.UpdateURL()}, nil
	})
	h.workspace.Register(to.Funding, func(_ *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
		lists := workspace.NewLists(v, d, conditionsList, workspace.TransfersList)
		return workspace.Content{Body: view.Funding(presentFunding(v, d.View, lists)), UpdateURL: lists.UpdateURL()}, nil
	})
	h.workspace.Register(to.History, func(_ *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
		lists := workspace.NewLists(v, d, statusesList)
		shown := presentHistory(v, d, lists)
		shown.Attributions = presentAttributions(d, d.URLs(v), d.Lead.AcceptsAttribution)
		return workspace.Content{Body: view.History(shown), UpdateURL: lists.UpdateURL()}, nil
	})
	h.workspace.Register(to.Activity, presentActivityTab)
}

// presentOverview maps the next step with what belongs to it: the offers, the notes and how the lead was received.
func (h *Handlers) presentOverview(r *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
	var received *deskreassign.ReassignmentDetails
	if d.View.MayBeReassigned() {
		var err error
		if received, err = d.Lead.Received(r.Context()); err != nil {
			return workspace.Content{}, err
		}
	}
	if d.Can(access.ActOnLead) {
		var err error
		if d.IncomeSent, err = d.Lead.IncomeSent(r.Context()); err != nil {
			return workspace.Content{}, err
		}
	}
	if opensLink(r, v, d) {
		openLink(r, d)
	}
	content, err := h.workspace.OverviewOffers(r, v, d)
	if err != nil {
		return content, err
	}
	model := &view.OverviewView{
		URLs: d.URLs(v), Step: PresentNextStep(v, d), Offers: content.Body, Notes: presentNotes(v, d),
	}
	model.Step.Due, model.Notes.FollowUps = splitDue(model.Notes.FollowUps)
	model.Step.Notices, model.Step.CanNote = workspace.StepNotices(v, d), model.Notes.Can
	if content.StepNote != nil && !workspace.IsSetAsideUnanswered(d.View.Row) {
		model.Step.Body = content.StepNote
	}
	if received != nil {
		model.Received = presentReceived(v, received, d.NewOperationID(heloc.OpReassign))
	}
	content.Body = view.Overview(model)
	return content, nil
}

// The lists of the activity tab.
const (
	activityList = "activity"
	notesList    = "notes"
)

// presentActivityTab maps everything that happened, and to users who may see it, who looked at it.
func presentActivityTab(r *http.Request, v text.Viewer, d *workspace.Data) (workspace.Content, error) {
	var log desklead.AccessLog
	if d.Can(access.SeeAccessLog) {
		var err error
		if log, err = d.Lead.AccessLog(r.Context()); err != nil {
			return workspace.Content{}, err
		}
	}
	lists := workspace.NewLists(v, d, activityList, notesList)
	page, next, err := d.Lead.ActivityPage(r.Context(), d.View, lists.After(activityList))
	if err != nil {
		return workspace.Content{}, err
	}
	d.Activity = page.Events
	model := &view.ActivityView{
		Base: v.Base, Items: workspace.PresentActivity(v, page, len(page.Events)), Notes: presentNotes(v, d),
		AccessLog: presentAccessLog(v, log, d.View.Documents),
	}
	if next != "" || lists.After(activityList) != "" {
		model.Pager = lists.Pager(activityList, len(page.Events), "event", "events", next)
	}
	if after := lists.After(notesList); after != "" {
		notes, next, err := d.Lead.NotesPage(r.Context(), after)
		if err != nil {
			return workspace.Content{}, err
		}
		model.Notes.Notes = presentNoteRows(v, notes)
		model.Notes.Pager = lists.Pager(notesList, len(notes), "note", "notes", next)
	} else if d.View.OlderNotes != "" {
		model.Notes.Pager = lists.Pager(notesList, len(d.View.Notes), "note", "notes", d.View.OlderNotes)
	}
	return workspace.Content{Body: view.Activity(model), UpdateURL: lists.UpdateURL()}, nil
}
