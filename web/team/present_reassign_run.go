package team

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	deskreassign "hearthline/internal/desk/reassign"

	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// rowResultChips are the icons and the labels of the results; a row without one of them waits.
var rowResultChips = map[lead.RowResult]ui.ChipView{
	lead.RowMoved:      {Label: "Reassigned", Icon: "circle-check", Tone: "offers"},
	lead.RowConfirming: {Label: "Accepted", Icon: "hourglass"},
	lead.RowRejected:   {Label: "Not accepted", Icon: "octagon-alert"},
	lead.RowStopped:    {Label: "Not reassigned", Icon: "circle-x"},
	lead.RowNotSent:    {Label: "Not confirmed", Icon: "cloud-off"},
	lead.RowUnknown:    {Label: "Not confirmed yet", Icon: "circle-help"},
	lead.RowUndone:     {Label: "Undone", Icon: "undo-2"},
	lead.RowAsked:      {Label: "Manager chooses", Icon: "circle-help"},
	lead.RowChosen:     {Label: "Manager chose", Icon: "check"},
}

func rowResultChip(r lead.RowResult) ui.ChipView {
	return cmp.Or(rowResultChips[r], ui.ChipView{Label: "Waiting", Icon: "clock"})
}

func rowResultText(row deskreassign.RunRow) string {
	switch row.Result {
	case lead.RowRejected:
		if row.Messages != "" {
			return "“" + row.Messages + "”"
		}
		return "The lender didn’t accept it and gave no reason."
	case lead.RowStopped:
		reason := strings.TrimSuffix(row.Reason, ".") + "."
		if strings.Contains(reason, "Nothing") {
			return reason
		}
		return reason + " Nothing was sent."
	case lead.RowNotSent:
		switch row.Verdict {
		case lead.OpAbsent:
			return "The lender’s details don’t show it."
		case lead.OpAbandoned:
			return "Marked as not received."
		default:
			return "Nothing was sent."
		}
	case lead.RowUnknown:
		return "Sent, not confirmed. We’re checking with the lender."
	case lead.RowConfirming:
		return "The lender accepted it. Waiting for its details to show the new originator."
	default:
		return ""
	}
}

// presentBulkRun maps a run. The caller sets Page.
func presentBulkRun(v text.Viewer, run deskreassign.ReassignmentRun,
	reassignments *deskreassign.Bulk) view.ReassignmentRunView {
	model := view.ReassignmentRunView{ID: run.ID, To: runTitle(run),
		When: "Started " + v.DateTimeInText(text.TimeOfMillis(run.CreatedAt)), Undoes: run.Kind == lead.JobUndo}
	if run.ReturnAt != 0 {
		model.When += ". Leads no one else works on go back " + v.DateTime(text.TimeOfMillis(run.ReturnAt))
		if run.EndedAt != 0 {
			model.Returns = string(run.From)
		}
	}
	if model.Undoes {
		model.To = text.Pluralize(len(run.Rows), "lead", "leads")
	}
	moved, open, failed, undone := 0, 0, 0, 0
	for _, row := range run.Rows {
		switch {
		case row.Result == lead.RowMoved:
			moved++
		case row.Result == lead.RowUndone:
			undone++
		case row.Result.Pending():
			open++
		case row.Result.Retryable():
			failed++
			if row.App != "" && !model.Undoes {
				model.Failed = append(model.Failed, string(row.App))
			}
		}
		if row.Retryable() && (!model.Undoes || row.Result != lead.RowStopped) { // nothing would change what stopped an undo
			model.Retryable++
		}
		if row.ActedBy != "" {
			model.Acted++
		}
		model.Rows = append(model.Rows, presentRunRow(v, run, row, reassignments))
	}
	// What failed comes first.
	slices.SortStableFunc(model.Rows, func(a, b view.ReassignmentRunRow) int { return cmp.Compare(b.Rank, a.Rank) })
	done := " reassigned"
	if model.Undoes {
		done = " returned"
	}
	model.Outcome = strconv.Itoa(moved) + " of " + strconv.Itoa(len(run.Rows)) + done
	if undone > 0 {
		model.Outcome = strconv.Itoa(moved) + done + ", " + strconv.Itoa(undone) + " undone"
	}
	if failed > 0 {
		model.Outcome += ", " + strconv.Itoa(failed) + " not" + done
	}
	if open > 0 {
		model.Outcome += ", " + strconv.Itoa(open) + " in progress"
		model.InProgress = true
		model.Note = ui.Notice{Icon: "hourglass", Title: "In progress.",
			Text: "You can leave this page. The reassignment continues, and the results stay here."}
		if model.Undoes {
			model.Note.Text = "You can leave this page. The undo continues, and the results stay here."
		}
		model.Failed = nil
		return model
	}
	if model.Retryable > 0 {
		model.Retry = "Retry " + text.Pluralize(model.Retryable, "lead", "leads")
	}
	if run.Undoable > 0 {
		model.UndoAll = "Undo all " + strconv.Itoa(run.Undoable)
		if run.Undoable == 1 {
			model.UndoAll = "Undo 1 lead"
		}
		model.UndoUntil, model.UndoKey = "until "+v.TimeOfDay(run.UndoUntil), reassignments.NewFormKey()
		if model.Acted > 0 {
			model.UndoUntil += ", without the " + text.Pluralize(model.Acted, "lead", "leads") +
				" that others have acted on since"
		}
	}
	model.Note = ui.Notice{Kind: "ready", Icon: "circle-check", Title: "Done."}
	if failed > 0 {
		model.Note = ui.Notice{Kind: "yours", Icon: "info", Title: "Done.", Text: "See the details for each lead."}
	}
	return model
}

// runTitle says who gets the leads of a run: one originator with their NMLS ID, or how many.
func runTitle(run deskreassign.ReassignmentRun) string {
	switch {
	case len(run.People) > 1:
		return strconv.Itoa(len(run.People)) + " originators"
	case len(run.People) == 1:
		return text.JoinNonEmpty(", ", text.OrDash(run.People[0].Name()), text.NMLSOrUnknown(run.People[0].NMLS))
	default:
		return text.OrDash("")
	}
}

func presentRunRow(v text.Viewer, run deskreassign.ReassignmentRun, row deskreassign.RunRow,
	reassignments *deskreassign.Bulk) view.ReassignmentRunRow {
	shown := view.ReassignmentRunRow{
		Number: strconv.Itoa(row.N), ShortID: row.ShortID, Chip: rowResultChip(row.Result), Outcome: rowResultText(row),
		To: text.OrDash(row.ToName),
	}
	if row.Result.Retryable() {
		shown.Rank = 1
	}
	if run.Kind == lead.JobUndo && row.Result == lead.RowMoved {
		shown.Chip = ui.ChipView{Label: "Returned", Icon: "undo-2"}
	}
	if run.Kind == lead.JobUndo && row.Result == lead.RowStopped {
		shown.Chip.Label = "Not returned"
	}
	if row.ActedBy != "" {
		shown.Outcome = text.JoinNonEmpty(" ", shown.Outcome, row.ActedBy+" has acted on it since.")
	}
	if name := text.FullName(row.Name); name != "" {
		shown.Name, shown.Href = name, v.Base.Lead(string(row.App))
	}
	if row.Verdict != "" {
		shown.Receipt = row.OpID
	}
	if !row.UndoUntil.IsZero() {
		shown.Undo = pageview.UndoView{ID: row.OpID, OperationID: reassignments.NewUndoOperationID(row.App),
			Until: "Possible until " + v.TimeOfDay(row.UndoUntil)}
	}
	return shown
}

// presentReceived maps what an originator received from a run. The caller sets Page.
func presentReceived(v text.Viewer, r deskreassign.ReceivedLeads) view.ReceivedView {
	done := " assigned to you"
	if r.Undone {
		done = " returned to you"
	}
	model := view.ReceivedView{
		Title: text.Pluralize(len(r.Leads), "lead", "leads") + done, Note: r.Note,
		When: text.JoinNonEmpty(", ", "By "+text.OrDash(r.ByName), v.DateTimeInText(text.TimeOfMillis(r.At))),
	}
	if gone := r.Assigned - len(r.Leads); gone > 0 {
		model.Title = strconv.Itoa(len(r.Leads)) + " of " + text.Pluralize(r.Assigned, "lead", "leads") + done
		model.Gone = text.Pluralize(gone, "lead is no longer with you.", "leads are no longer with you.")
	}
	for _, row := range r.Leads {
		model.Rows = append(model.Rows, page.PresentRow(v, &row, nil))
	}
	return model
}
