package lead

import (
	"net/http"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// SetAttributions changes where a lead came from: a control that is absent or unchanged changes
// nothing, and one that is emptied or whose removal is ticked unsets the value.
func (h *Handlers) SetAttributions(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	model, err := l.Snapshot(r.Context())
	if err != nil {
		return err
	}
	patch := Attributions(f, desklead.AttributionValues(model.Details.App))
	return h.workspace.Submit(w, r, l, page.SubmittedForm{Action: string(heloc.OpSetAttributions), Form: f},
		func() (lead.Operation, error) {
			return l.SetAttributions(r.Context(), f.OperationID, patch)
		})
}

// Attributions parses the patch. The previous values are those that the form was rendered with; for
// an API client that does not send them, they are what the lender has now.
func Attributions(f *form.Form, now []string) heloc.Attributions {
	var patch heloc.Attributions
	names := desklead.AttributionNames()
	for i, field := range desklead.AttributionFields(&patch) {
		name, previous := names[i], now[i]
		if _, hasPrevious := f.Values["was."+name]; hasPrevious {
			previous = f.Text("was." + name)
		}
		_, sent := f.Values[name]
		typed, remove := f.Text(name), f.IsChecked("unset."+name)
		switch {
		case remove && typed != "" && typed != previous:
			f.AddError(name, "Enter a new value or check the box to remove it")
		case len(typed) > maxAttributionLength:
			f.AddError(name, "This is too long")
		case remove && previous != "", sent && typed == "" && previous != "":
			field.Change = true
		case sent && typed != previous:
			field.Change, field.Value = true, typed
		}
	}
	return patch
}

// maxAttributionLength is the maximum length of a value in bytes.
const maxAttributionLength = 200

// presentAttributions maps the form, filled with the lender's values; it is nil for users who may not change them.
// own is the attribution that holds the portal's number, and accepts reports which ones the lender takes.
func presentAttributions(f *workspace.Data, urls to.LeadURLs, accepts func(string) bool) *view.AttributionsView {
	if !f.Can(access.ActOnLead) || f.View.DetailsAt.IsZero() {
		return nil
	}
	v := &view.AttributionsView{URLs: urls, Redisplayed: f.IsSubmitted(string(heloc.OpSetAttributions))}
	initial := map[string][]string{}
	values := desklead.AttributionValues(f.View.Details.App)
	for i, name := range desklead.AttributionNames() {
		previous := values[i]
		if !accepts(name) {
			continue
		}
		if v.Redisplayed {
			if _, hasPrevious := f.Submitted.Form.Values["was."+name]; hasPrevious {
				previous = f.Submitted.Form.Text("was." + name)
			}
		}
		v.Rows = append(v.Rows, view.AttributionRow{Name: name, Previous: previous, ClearControl: "unset." + name})
		initial[name] = []string{previous}
	}
	v.Form = f.OperationForm(heloc.OpSetAttributions, initial)
	return v
}
