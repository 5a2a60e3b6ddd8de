package admin

import (
	"net/http"

	"hearthline/internal/access"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// PolicyPage shows who may do what, from the table that decides it.
func (h *Handlers) PolicyPage(w http.ResponseWriter, r *http.Request) error {
	model := view.PolicyView{
		Admin: h.layout(r, "Roles and permissions", "The rules that Hearthline enforces on every page and action."),
		Table: presentPolicy(), PublicRoutes: h.presentRouteTable(),
	}
	return h.Render(w, r, http.StatusOK, view.Policy(model))
}

func presentPolicy() view.Table {
	t := view.Table{ID: "roles", Title: "Roles", Columns: []ui.Column{{Label: "Permission"}}}
	for _, role := range access.Roles() {
		t.Columns = append(t.Columns, ui.Column{Label: text.Role(string(role))})
	}
	for _, p := range access.Permissions() {
		row := []view.Cell{{Text: text.Permission(string(p)), Sub: string(p)}}
		if p.NeedsStepUp() {
			row[0].Sub += ", requires a recent identity confirmation"
		}
		for _, role := range access.Roles() {
			row = append(row, view.Cell{Text: allowedText(role, p)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func allowedText(role access.Role, p access.Permission) string {
	switch {
	case !role.Can(p):
		return "No"
	case p.NeedsOriginator():
		return "Yes, if linked to an originator in the lender’s directory"
	case p.ChosenFor(role):
		return "Only if it is allowed for that user"
	default:
		return "Yes"
	}
}

// presentRouteTable lists every route with its permission and step-up.
func (h *Handlers) presentRouteTable() view.Table {
	t := view.Table{
		ID: "doors", Title: "Routes",
		Columns: []ui.Column{{Label: "Route"}, {Label: "Purpose"}, {Label: "Permission"}, {Label: "Identity confirmation"}},
	}
	for _, route := range h.RouteTable() {
		permission, stepUp := text.Permission(string(route.Permission)), "No"
		if route.Public {
			permission = "Public"
		}
		switch route.StepUp {
		case page.StepUpAlways:
			stepUp = "Yes"
		case page.StepUpWithSSN:
			stepUp = "If it contains an SSN"
		}
		t.Rows = append(t.Rows, []view.Cell{{Text: route.Method + " " + route.Pattern, Code: true},
			{Text: text.RouteName(route.Name)}, {Text: permission}, {Text: stepUp}})
	}
	return t
}
