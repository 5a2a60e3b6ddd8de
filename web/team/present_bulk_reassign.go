package team

import (
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	view "hearthline/views/team"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentBulkPlan maps a preview. The caller sets Page, Search and Form.
func presentBulkPlan(req desk.BulkReassignRequest, plan []desk.ReassignCheck) view.BulkReassignView {
	v := view.BulkReassignView{Key: req.FormKey, NoLeads: len(plan) == 0, Previewed: req.Assignee != ""}
	for _, p := range plan {
		v.Rows = append(v.Rows, view.BulkReassignRow{App: string(p.App), Name: format.FullName(p.Name), ShortID: p.ShortID, Owner: p.Owner, NotMovable: p.Problem, Note: plannedNote(p)})
		if p.Problem == "" {
			v.Movable++
		}
	}
	verb := " can be reassigned"
	if v.Previewed {
		verb = " ready to reassign"
	}
	v.Summary = strconv.Itoa(v.Movable) + " of " + strconv.Itoa(len(plan)) + verb + ". Nothing has been sent."
	return v
}

// plannedNote is what to know before reassigning a lead.
func plannedNote(p desk.ReassignCheck) string {
	if p.State == "" {
		return ""
	}
	return "No license on file in " + words.State(p.State) + ". Check with the originator first."
}

// rowResultChip returns the icon and the label of a row's result.
func rowResultChip(r desk.RowResult) ui.ChipView {
	switch r {
	case desk.RowMoved:
		return ui.ChipView{Label: "Reassigned", Icon: "circle-check", Tone: "offers"}
	case desk.RowConfirming:
		return ui.ChipView{Label: "Accepted", Icon: "hourglass"}
	case desk.RowRejected:
		return ui.ChipView{Label: "Not accepted", Icon: "octagon-alert"}
	case desk.RowStopped:
		return ui.ChipView{Label: "Not reassigned", Icon: "circle-x"}
	case desk.RowNotSent:
		return ui.ChipView{Label: "Not confirmed", Icon: "cloud-off"}
	case desk.RowUnknown:
		return ui.ChipView{Label: "Not confirmed yet", Icon: "circle-help"}
	case desk.RowUndone:
		return ui.ChipView{Label: "Undone", Icon: "undo-2"}
	default:
		return ui.ChipView{Label: "Waiting", Icon: "clock"}
	}
}

func rowResultText(row desk.RunRow) string {
	switch row.Result {
	case desk.RowRejected:
		if row.Messages != "" {
			return "“" + row.Messages + "”"
		}
		return "The lender didn’t accept it and gave no reason."
	case desk.RowStopped:
		reason := strings.TrimSuffix(row.Reason, ".") + "."
		if strings.Contains(reason, "Nothing") {
			return reason
		}
		return reason + " Nothing was sent."
	case desk.RowNotSent:
		switch row.Verdict {
		case lead.OpAbsent:
			return "The lender’s details don’t show it."
		case lead.OpAbandoned:
			return "Marked as not received."
		default:
			return "Nothing was sent."
		}
	case desk.RowUnknown:
		return "Sent, not confirmed. We’re checking with the lender."
	case desk.RowConfirming:
		return "The lender accepted it. Waiting for its details to show the new originator."
	default:
		return ""
	}
}

// presentBulkRun maps a run. The caller sets Page.
func presentBulkRun(v format.Viewer, run desk.ReassignmentRun, newOperationID func(heloc.AppID) string) view.ReassignmentRunView {
	model := view.ReassignmentRunView{ID: run.ID, To: format.JoinNonEmpty(", ", words.OrDash(run.ToName), format.NMLSOrUnknown(run.ToNMLS)), When: "Started " + v.DateTimeInText(format.TimeOfMillis(run.CreatedAt))}
	moved, open, failed := 0, 0, 0
	for _, row := range run.Rows {
		switch {
		case row.Result == desk.RowMoved:
			moved++
		case row.Result.Pending():
			open++
		case row.Result.Retryable():
			failed++
		}
		rowView := view.ReassignmentRunRow{
			Number: strconv.Itoa(row.N), ShortID: row.ShortID, Chip: rowResultChip(row.Result), Outcome: rowResultText(row),
		}
		if name := format.FullName(row.Name); name != "" {
			rowView.Name, rowView.Href = name, v.Base.Lead(string(row.App))
		}
		if row.Verdict != "" {
			rowView.Receipt = row.OpID
		}
		if !row.UndoUntil.IsZero() {
			rowView.Undo = pageview.UndoView{ID: row.OpID, OperationID: newOperationID(row.App), Until: "until " + v.TimeOfDay(row.UndoUntil)}
		}
		model.Rows = append(model.Rows, rowView)
	}
	model.Outcome = strconv.Itoa(moved) + " of " + strconv.Itoa(len(run.Rows)) + " reassigned"
	if failed > 0 {
		model.Outcome += ", " + strconv.Itoa(failed) + " not reassigned"
		model.Retry = "Retry " + format.Pluralize(failed, "lead", "leads")
	}
	if open > 0 {
		model.Outcome += ", " + strconv.Itoa(open) + " in progress"
		model.Retry = ""
		model.Note = ui.Notice{Icon: "hourglass", Title: "In progress.", Text: "You can leave this page. The reassignment continues, and the results stay here."}
		return model
	}
	model.Note = ui.Notice{Kind: "ready", Icon: "circle-check", Title: "Done."}
	if failed > 0 {
		model.Note = ui.Notice{Kind: "yours", Icon: "info", Title: "Done.", Text: "See the details for each lead."}
	}
	return model
}
