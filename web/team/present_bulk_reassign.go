package team

import (
	"strconv"

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
	verb := " can be handed over"
	if v.Previewed {
		verb = " would move"
	}
	v.Summary = strconv.Itoa(v.Movable) + " of " + strconv.Itoa(len(plan)) + verb + ". Nothing has been sent."
	return v
}

// plannedNote is what to know before reassigning a lead.
func plannedNote(p desk.ReassignCheck) string {
	if p.State == "" {
		return ""
	}
	return "They are not known to be licensed in " + words.State(p.State) + ". Ask before you hand it over."
}

// rowResultChip returns the icon and the label of a row's result.
func rowResultChip(r desk.RowResult) ui.ChipView {
	switch r {
	case desk.RowMoved:
		return ui.ChipView{Label: "Moved", Icon: "circle-check", Tone: "offers"}
	case desk.RowConfirming:
		return ui.ChipView{Label: "Accepted", Icon: "hourglass"}
	case desk.RowRejected:
		return ui.ChipView{Label: "Refused by the lender", Icon: "octagon-alert"}
	case desk.RowStopped:
		return ui.ChipView{Label: "Not handed over", Icon: "circle-x"}
	case desk.RowNotSent:
		return ui.ChipView{Label: "Not confirmed", Icon: "cloud-off"}
	case desk.RowUnknown:
		return ui.ChipView{Label: "Not known yet", Icon: "circle-help"}
	case desk.RowUndone:
		return ui.ChipView{Label: "Taken back", Icon: "undo-2"}
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
		return "The lender gave no reason."
	case desk.RowStopped:
		return row.Reason + ". Nothing was sent."
	case desk.RowNotSent:
		switch row.Verdict {
		case lead.OpAbsent:
			return "The lender shows no sign of it."
		case lead.OpAbandoned:
			return "Given up. What became of it is not known."
		default:
			return "Nothing was sent."
		}
	case desk.RowUnknown:
		return "Sent; we ask the lender whether it arrived. It is not sent again meanwhile."
	case desk.RowConfirming:
		return "The lender took it; its details are read again."
	default:
		return ""
	}
}

// presentBulkRun maps a run. The caller sets Page.
func presentBulkRun(v format.Viewer, run desk.ReassignmentRun, newOperationID func(heloc.AppID) string) view.ReassignmentRunView {
	model := view.ReassignmentRunView{ID: run.ID, To: format.JoinNonEmpty(", ", words.OrDash(run.ToName), format.NMLSOrUnknown(run.ToNMLS)), When: "Begun " + v.DateTimeInText(format.TimeOfMillis(run.CreatedAt))}
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
	model.Outcome = strconv.Itoa(moved) + " of " + strconv.Itoa(len(run.Rows)) + " moved"
	if failed > 0 {
		model.Outcome += ", " + strconv.Itoa(failed) + " not"
		model.Retry = "Try " + format.Pluralize(failed, "lead", "leads") + " again"
	}
	if open > 0 {
		model.Outcome += ", " + strconv.Itoa(open) + " open"
		model.Retry = ""
		model.Note = ui.Notice{Icon: "hourglass", Title: "Under way.", Text: "You can leave this page; it goes on, and stays here."}
		return model
	}
	model.Note = ui.Notice{Kind: "ready", Icon: "circle-check", Title: "Done.", Text: model.Outcome + "."}
	if failed > 0 {
		model.Note = ui.Notice{Kind: "yours", Icon: "info", Title: "Done.", Text: model.Outcome + ": each row says why."}
	}
	return model
}
