package workspace

import (
	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
)

// ActionUnlinkRecord is the last segment of the URL that unlinks a lead from a CRM's record.
const ActionUnlinkRecord = "take-off"

// presentCRMRecords maps the CRM records that this lead is linked to, and the form that unlinks
// one.
func presentCRMRecords(f *Data) view.CRMRecordsView {
	model := view.CRMRecordsView{Can: f.Can(access.AnnotateLead)}
	if f.IsSubmitted(ActionUnlinkRecord) {
		model.Redisplayed, model.Form = true, f.Submitted.Form.View("")
	}
	chosen := model.Form.Value("record.mark")
	for _, r := range f.View.CRMRecords {
		model.Records = append(model.Records, ui.Option{Value: r.BlindIndex, Label: recordLabel(r), Note: recordSentText(r),
			Selected: r.BlindIndex == chosen})
	}
	return model
}

// recordLabel describes a record in words that users know.
func recordLabel(r desklead.CRMRecord) string {
	location := " in " + r.CRM
	if r.Type != "" {
		location = " (" + r.Type + ")" + location
	}
	if r.Number == "" {
		return "A record" + location
	}
	return "Record " + r.Number + location
}

// recordSentText describes what the lender has of a record.
func recordSentText(r desklead.CRMRecord) string {
	switch {
	case r.Number == "":
		return "If the record’s ID was sent to the lender with the inquiry, unlinking doesn’t change that."
	case r.Customer:
		return "Its ID was sent to the lender as your customer number. Unlinking doesn’t change that."
	default:
		return "Its ID was sent to the lender as your reference. Unlinking doesn’t change that."
	}
}
