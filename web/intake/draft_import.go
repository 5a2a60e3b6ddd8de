package intake

import (
	"net/http"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/lead"
	view "hearthline/views/intake"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// closeImportControl is the button that closes the report of an import.
const closeImportControl = "import.close"

// ImportDraft makes a draft from the loan file that the intake form was sent with, and opens it. If the file cannot be
// read, the form is shown again with everything that it contained.
func (h *Handlers) ImportDraft(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts, f *form.Form) error {
	launch, err := page.LaunchedRecord(r)
	if err != nil {
		return err
	}
	draft := form.DraftIDOrNew(f.Values.Get("draft"))
	id, err := drafts.Import(r.Context(), deskintake.LoanImport{
		File: page.UploadedFile(r), DraftID: draft, Typed: f.DraftValues(), Launch: launch, Format: shownValue,
	})
	if page.Rejected(f, err) {
		return h.renderIntake(w, r, submittedIntake(draft, f))
	}
	if err != nil {
		return redirectToSentLead(w, r, err)
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(id))
}

// presentImport maps the report of an import; nil for none.
func presentImport(report *lead.ImportReport) view.ImportReportView {
	if report == nil {
		return view.ImportReportView{}
	}
	m := view.ImportReportView{Shown: true, Filled: report.Sections, Liens: report.Liens, Unused: report.Unused,
		SavedBefore: report.SavedBefore}
	for i, control := range report.Unusable {
		text := ui.LabelOf(control)
		if i < len(report.Reasons) && report.Reasons[i] != "" {
			text += ": " + report.Reasons[i]
		}
		m.Unusable = append(m.Unusable, text)
	}
	return m
}
