package pipeline

import (
	"cmp"
	"strings"

	deskpipeline "hearthline/internal/desk/pipeline"

	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// presentViewsMenu maps the menu of saved views on a list. It marks the view whose list is shown.
func presentViewsMenu(v text.Viewer, q to.LeadsQuery, all deskpipeline.SavedViews) view.ViewsMenu {
	if v.Base.Embedded() {
		return view.ViewsMenu{}
	}
	m := view.ViewsMenu{Visible: true, Title: "Views"}
	here := to.Full.Leads(q.Saved())
	for _, one := range append(all.Own, all.Shared...) {
		item := viewRow(one)
		if item.Href == here && q.Q == "" && m.Title == "Views" {
			item.Current, m.Title = true, item.Name
		}
		m.Links = append(m.Links, item)
	}
	m.Text = listText(q)
	return m
}

// unnamedView is the name of a view whose name cannot be decrypted.
const unnamedView = "Unnamed view"

// listText says in words which leads a list contains and in which order.
func listText(q to.LeadsQuery) string {
	originator := ""
	switch q.Originator {
	case "":
	case to.NoOriginator:
		originator = "Unassigned"
	default:
		originator = "One originator"
	}
	step, state, only, sort := "", "", "", ""
	if q.Step != "" {
		step = text.StatusOf(q.Step, q.Step).Chip
	}
	if q.State != "" && q.State != to.NoState {
		state = q.State
	}
	if q.Only != "" {
		only = text.OptionText(text.Narrowings(), q.Only)
	}
	if q.Sort != "" {
		sort = "Sorted by " + text.LowerFirst(cmp.Or(text.OptionText(text.Sorts(), q.Sort), q.Sort))
	}
	return text.JoinNonEmpty(" · ", text.LaneOf(q.View).Label, step, state, originator, only, page.CohortText(q), sort)
}

// presentViews maps the page of saved views; id is the view of a rejected form.
func presentViews(all deskpipeline.SavedViews, id string, outcome viewsOutcome) view.ViewsView {
	model := view.ViewsView{OpensFirst: all.OpensFirst}
	formView := outcome.form.View("")
	model.Form = formView
	if outcome.save != nil {
		model.Save = &view.SaveViewForm{
			Action: to.Full.SaveView(*outcome.save), Text: listText(*outcome.save),
			Name: viewNameField("view-name", "Name", outcome.form.Text("name")),
		}
		model.Save.Name.Error = formView.ErrorOf("name")
		model.Form.FieldErrors = form.LabeledErrors(outcome.form.FieldErrors, []ui.Field{model.Save.Name})
	}
	for i, one := range all.Own {
		row := viewRow(one)
		row.First, row.Rename = i == 0, viewNameField("name-"+one.ID, "Name for "+row.Name, one.Name)
		if one.ID == id && len(outcome.form.FieldErrors) > 0 {
			row.Rename.Value, row.Rename.Error = outcome.form.Text("name"), formView.ErrorOf("name")
			model.Form.FieldErrors = form.LabeledErrors(outcome.form.FieldErrors, []ui.Field{row.Rename})
		}
		model.Own = append(model.Own, row)
	}
	for _, one := range all.Shared {
		row := viewRow(one)
		row.MayUnshare = all.MayUnshare
		model.Shared = append(model.Shared, row)
	}
	return model
}

func viewNameField(id, label, value string) ui.Field {
	return ui.Field{Name: "name", ID: id, Label: label, Value: strings.TrimSpace(value), Max: "60", Required: true,
		Autocomplete: "off"}
}

func viewRow(one deskpipeline.SavedView) view.ViewRow {
	q := savedQuery(one.Query)
	return view.ViewRow{ID: one.ID, Name: cmp.Or(one.Name, unnamedView), Href: to.Full.Leads(q), Text: listText(q),
		Shared: one.Shared, Owner: one.Owner}
}
