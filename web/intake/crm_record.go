package intake

import (
	"cmp"

	deskcrm "hearthline/internal/desk/crm"

	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// presentCRMRecord maps what is known about the record of the CRM.
func presentCRMRecord(v text.Viewer, record deskcrm.RecordIntake) view.CRMRecordView {
	recordView := view.CRMRecordView{CRM: record.CRM, LinkURL: v.Base.LinkCRMRecord(), CanLink: record.CanLink}
	if !record.Saved.IsZero() {
		recordView.DraftSavedAt = v.DateTimeInText(record.Saved)
	}
	for _, d := range record.Differences {
		if comparableValue(d.Control, d.CRM, v.Today()) == comparableValue(d.Control, d.Current, v.Today()) {
			continue // it is only written differently
		}
		recordView.Differences = append(recordView.Differences,
			view.CRMDifference{Control: d.Control, CRM: form.ShownValue(d.Control, d.CRM), Draft: cmp.Or(d.Current, "blank")})
	}
	switch record.Colleague {
	case deskcrm.ColleagueDraft:
		recordView.ColleagueNote = "A colleague started an inquiry for this record and hasn’t sent it."
	case deskcrm.ColleagueLead:
		recordView.ColleagueNote = "A colleague has this record’s inquiry. Check with your manager before you start another."
	case deskcrm.ColleagueLegacy:
		recordView.ColleagueNote = "A colleague has an inquiry for a record with this ID, " +
			"which may be this record or one of another type. Check with your manager before you start another."
	}
	if record.LegacyDraft != "" {
		recordView.PriorDraft = v.Base.NewLead(record.LegacyDraft)
	}
	for _, l := range record.UnlinkedLeads {
		recordView.OtherLeads = append(recordView.OtherLeads, view.CRMRecordLead{App: string(l.App),
			Name: text.FullName(l.Name), ShortID: l.ShortID, Chip: ui.StatusChip(text.LeadStatus(l.Row))})
	}
	return recordView
}
