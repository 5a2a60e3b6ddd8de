package lead

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/page"
)

// SetAttributions patches where a lead came from: a control that is absent or as it was
// changes nothing, one that was emptied or ticked un-sets.
func (s *Handlers) SetAttributions(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	patch := Attributions(f, desk.AttributionValues(view.Details.App))
	return s.Submit(w, r, l, page.SubmittedForm{Action: string(heloc.OpSetAttributions), Form: f}, func() (desk.Operation, error) {
		return l.SetAttributions(r.Context(), f.OperationID, patch)
	})
}

// Attributions reads the patch. What a field was is what the form was made with; a
// program that sends no such thing is held against what the lender says now.
func Attributions(f *form.Form, now []string) heloc.Attributions {
	var patch heloc.Attributions
	names := desk.AttributionNames()
	for i, field := range desk.AttributionFields(&patch) {
		name, was := names[i], now[i]
		if _, told := f.Values["was."+name]; told {
			was = f.Text("was." + name)
		}
		_, sent := f.Values[name]
		typed, unset := f.Text(name), f.IsChecked("unset."+name)
		switch {
		case unset && typed != "" && typed != was:
			f.AddError(name, "Either type a new value or tick to remove it")
		case len(typed) > maxAttributionLength:
			f.AddError(name, "This is too long")
		case unset && was != "", sent && typed == "" && was != "":
			field.Change = true
		case sent && typed != was:
			field.Change, field.Value = true, typed
		}
	}
	return patch
}

const maxAttributionLength = 200

// presentAttributions maps the form, filled with what the lender says.
func presentAttributions(f Data, own string, takes func(string) bool) views.AttributionsView {
	v := views.AttributionsView{
		Can:         f.Can(access.ActOnLead) && !f.View.DetailsAt.IsZero(),
		Redisplayed: f.submitted != nil && f.submitted.Action == string(heloc.OpSetAttributions),
	}
	if !v.Can {
		return v
	}
	known := map[string][]string{}
	values := desk.AttributionValues(f.View.Details.App)
	for i, name := range desk.AttributionNames() {
		was := values[i]
		if name == own {
			v.Unchanged = append(v.Unchanged, ui.Fact{Label: "Kept: the portal’s own number", Value: words.OrDash(was)})
		}
		if !takes(name) {
			continue
		}
		if v.Redisplayed {
			if _, told := f.submitted.Form.Values["was."+name]; told {
				was = f.submitted.Form.Text("was." + name)
			}
		}
		v.Rows = append(v.Rows, views.AttributionRow{Name: name, Previous: was, ClearControl: "unset." + name})
		known[name] = []string{was}
	}
	v.Form = f.operationForm(heloc.OpSetAttributions, known)
	return v
}
