package team

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// The controls of the forms that reassign many leads, besides those that the desk names.
const (
	matchControl  = "match"  // "all": every lead of the list instead of the selected ones
	listControl   = "list"   // the state of that list
	rowsControl   = "rows"   // how many rows its page had
	listedControl = "listed" // the leads that the page shows, also those that are not selected
	choicePrefix  = "assign."
)

// ReassignListPage shows the leads of a list, to be reassigned together. All of its state is in the URL.
func (h *Handlers) ReassignListPage(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk) error {
	again := reviewRequest{form: page.NewForm(r, url.Values{})}
	if r.URL.RawQuery == "" {
		return h.renderReview(w, r, reassignments, again)
	}
	q := page.ParseLeadsQuery(r.URL.Query())
	if tooMany, err := h.selectList(r, reassignments, q, &again); err != nil || tooMany > 0 {
		return h.tooMany(w, r, q, tooMany, err)
	}
	return h.renderReview(w, r, reassignments, again)
}

// selectList selects all leads of a list. If they are too many for one run, it returns their number instead.
func (h *Handlers) selectList(r *http.Request, reassignments *deskreassign.Bulk, q to.LeadsQuery,
	again *reviewRequest) (tooMany int, err error) {
	apps, total, err := reassignments.Select(r.Context(), page.LeadQuery(q, h.Viewer(r).Now), q.Q)
	if err != nil || total > lead.MaxBulkLeads {
		return total, err
	}
	again.req.Apps, again.listed = apps, apps
	if q.Only != string(lead.OnlyOverdue) && q.Q == "" {
		again.overdue = q
		again.overdue.Only = string(lead.OnlyOverdue)
	}
	return 0, nil
}

// tooMany refuses a list with more leads than one run can have.
func (h *Handlers) tooMany(w http.ResponseWriter, r *http.Request, q to.LeadsQuery, n int, err error) error {
	if err != nil {
		return err
	}
	return h.Render(w, r, http.StatusUnprocessableEntity, view.BulkReassign(view.BulkReassignView{
		Page: h.Layout(r, "Reassign leads"), TooMany: tooManyText(n), ListHref: page.BaseOf(r).Leads(q.AfterKey("")),
	}))
}

// BulkReassign reassigns the selected leads. Without an assignee, or if asked to, it shows who would get which lead;
// once confirmed, it starts the run. A fragment of the page is always a preview.
func (h *Handlers) BulkReassign(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk,
	f *form.Form) error {
	req := parseBulkReassign(f)
	again := reviewRequest{form: f, req: req, listed: listedApps(f, req.Apps)}
	if matchesAll(f, len(req.Apps)) {
		params, _ := url.ParseQuery(f.Text(listControl)) // what cannot be parsed does not narrow the list
		q := page.ParseLeadsQuery(params)
		if tooMany, err := h.selectList(r, reassignments, q, &again); err != nil || tooMany > 0 {
			return h.tooMany(w, r, q, tooMany, err)
		}
		req = again.req
	}
	_, hasAssignee := f.Values[lead.AssigneeControl]
	if !hasAssignee && !f.IsChecked("confirm.reassign") || f.IsChecked("dry") || f.IsChecked("find") ||
		page.IsFragment(r) {
		return h.renderReview(w, r, reassignments, again)
	}
	if len(req.Assignees) == 0 {
		f.AddError(lead.AssigneeControl, "Choose an originator")
	}
	f.RequireCheck("confirm.reassign", "Check this box to reassign the leads")
	if f.HasErrors() {
		return h.renderReview(w, r, reassignments, again)
	}
	if err := h.checkUnchanged(r, reassignments, req, f); page.Rejected(f, err) {
		return h.renderReview(w, r, reassignments, again)
	} else if err != nil {
		return err
	}
	if f.FormError != "" {
		return h.renderReview(w, r, reassignments, again)
	}
	id, err := reassignments.Begin(r.Context(), req)
	if page.Rejected(f, err) {
		return h.renderReview(w, r, reassignments, again)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Reassignment(id))
}

// checkUnchanged rejects a form whose preview promised something else than what would happen now, although the user has
// changed nothing since. A form without a preview, or with other choices than in its preview, promised nothing.
func (h *Handlers) checkUnchanged(r *http.Request, reassignments *deskreassign.Bulk,
	req deskreassign.BulkReassignRequest, f *form.Form) error {
	if f.Text("plan.request") == "" {
		return nil
	}
	plan, err := reassignments.Plan(r.Context(), req)
	if err != nil {
		return err
	}
	if request, outcome := plan.Fingerprints(); request == f.Text("plan.request") && outcome != f.Text("plan.outcome") {
		if started, err := reassignments.Started(r.Context(), req.FormKey); err != nil || started {
			return err // the same form sent again
		}
		f.FormError = "Something changed since this preview. Check who gets which lead, then reassign."
		f.ErrorStatus = http.StatusConflict
	}
	return nil
}

// matchesAll reports whether the form selects all leads of its list. Without script, a row can be unchecked while that
// choice is still checked: then only the selected rows count.
func matchesAll(f *form.Form, selected int) bool {
	rows := f.Text(rowsControl)
	return f.Text(matchControl) == "all" && (rows == "" || rows == strconv.Itoa(selected))
}

// parseBulkReassign reads the form.
func parseBulkReassign(f *form.Form) deskreassign.BulkReassignRequest {
	req := deskreassign.BulkReassignRequest{
		FormKey: f.Text("run"), Apps: SelectedApps(f), Assignees: f.UniqueValues(lead.AssigneeControl),
		Split: deskreassign.Split(f.Text("split")), Choices: map[string]string{},
		Note: f.Text(deskreassign.ReassignNoteControl),
	}
	for name := range f.Values {
		if app, ok := strings.CutPrefix(name, choicePrefix); ok {
			req.Choices[app] = f.Text(name)
		}
	}
	return req
}

// MaxSelectedApps is more than a run accepts, so that a selection that is too large is rejected
// instead of truncated.
const MaxSelectedApps = 500

// SelectedApps returns the selected leads without duplicates.
func SelectedApps(f *form.Form) []string { return uniqueApps(f.Values["app"]) }

// listedApps returns the leads that the page shows: those that it showed before, and the selected ones.
func listedApps(f *form.Form, selected []string) []string {
	return uniqueApps(append(append([]string{}, f.Values[listedControl]...), selected...))
}

func uniqueApps(values []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, app := range values {
		if app != "" && !seen[app] && len(app) <= 64 && len(all) < MaxSelectedApps {
			seen[app] = true
			all = append(all, app)
		}
	}
	return all
}

// reviewRequest is what renderReview shows again.
type reviewRequest struct {
	form    *form.Form
	req     deskreassign.BulkReassignRequest
	listed  []string
	overdue to.LeadsQuery // the overdue leads of the list; zero for no list
}

func (h *Handlers) renderReview(w http.ResponseWriter, r *http.Request, reassignments *deskreassign.Bulk,
	again reviewRequest) error {
	f, req, v := again.form, again.req, h.Viewer(r)
	plan, err := reassignments.Plan(r.Context(), req)
	if page.Rejected(f, err) {
		req.Assignees = nil
		plan, err = reassignments.Plan(r.Context(), req)
	}
	if err != nil {
		return err
	}
	all := plan.Leads
	if len(again.listed) > len(req.Apps) {
		listed, err := reassignments.Plan(r.Context(), deskreassign.BulkReassignRequest{Apps: again.listed})
		if err != nil {
			return err
		}
		all = listed.Leads
	}
	found, err := reassignments.Targets(r.Context(), f.Text("q"), plan)
	if err != nil {
		return err
	}
	req.FormKey = cmp.Or(req.FormKey, reassignments.NewFormKey())
	model := presentReview(v, review{req: req, plan: plan, all: all, targets: found, typed: f.Text("q")})
	if n := overdueLeads(plan, lead.Millis(v.Now)); again.overdue != (to.LeadsQuery{}) && n > 0 && n < len(plan.Leads) {
		model.Overdue = ui.Action{Label: overdueLabel(n), Href: to.ReassignList(again.overdue)}
	}
	model.Page, model.Form = h.Layout(r, "Reassign leads"), f.View("")
	model.Page.Notices = append(model.Page.Notices, worksForNotices(v.Who)...)
	return h.Render(w, r, page.FormStatus(f), page.PartOrWhole(r, view.BulkReassignPart(model), view.BulkReassign(model)))
}
