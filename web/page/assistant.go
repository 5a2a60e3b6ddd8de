package page

import (
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/lead"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// AssistantChoice reads for whom an assistant works from a form.
func AssistantChoice(f *form.Form) desk.AssistantChoice {
	return desk.AssistantChoice{Originators: f.UniqueValues("worksFor"), Reassigns: f.IsChecked("reassigns")}
}

// PresentAssistant maps for whom an assistant works to a form. It is what was submitted, if that was refused.
func PresentAssistant(who access.Actor, all []lead.Originator, f *form.Form) view.AssistantView {
	names := []string{}
	for _, o := range all {
		if who.WorksFor.Has(string(o.UUID)) {
			names = append(names, o.Name())
		}
	}
	model := view.AssistantView{Summary: text.WorksFor(who, names), Reassigns: who.Reassigns, Form: f.View(""),
		Hint: "An assistant sees the leads of the originators you check, and no others. " +
			"With none checked, they see no leads."}
	chosen := who.WorksFor.All()
	if f.HasErrors() {
		chosen, model.Reassigns = f.UniqueValues("worksFor"), f.IsChecked("reassigns")
	}
	option := func(value access.Covers, label, note string) ui.Option {
		return ui.Option{Value: string(value), Label: label, Note: note, Selected: slices.Contains(chosen, string(value))}
	}
	model.Originators = []ui.Option{option(access.AllOriginators, "All originators of the company",
		"and its unassigned leads")}
	for _, o := range all {
		model.Originators = append(model.Originators, option(access.Covers(o.UUID), o.Name(), text.NMLSOrUnknown(o.NMLS)))
	}
	return model
}
