package team

import (
	"strconv"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showMany maps a dry run. Page, search and form are the caller's.
func showMany(m desk.Many, plan []desk.Planned) views.ManyView {
	v := views.ManyView{Key: m.Key, NoLead: len(plan) == 0, Tried: m.To != ""}
	for _, p := range plan {
		v.Rows = append(v.Rows, views.PlannedRow{App: string(p.App), Name: format.NameOf(p.Name), ShortID: p.ShortID, Owner: p.Owner, Why: p.Why, Note: noteOf(p)})
		if p.Why == "" {
			v.Go++
		}
	}
	verb := " can be handed over"
	if v.Tried {
		verb = " would move"
	}
	v.Says = strconv.Itoa(v.Go) + " of " + strconv.Itoa(len(plan)) + verb + ". Nothing has been sent."
	return v
}

// noteOf is what to know before a lead goes to somebody.
func noteOf(p desk.Planned) string {
	if p.State == "" {
		return ""
	}
	return "They are not known to be licensed in " + words.State(p.State) + ". Ask before you hand it over."
}

// runChips are the results of a row: icon and words.
func runChips(r desk.RowResult) ui.ChipView {
	switch r {
	case desk.RowMoved:
		return ui.ChipView{Label: "Moved", Icon: "circle-check", Tone: "offers"}
	case desk.RowConfirming:
		return ui.ChipView{Label: "Accepted", Icon: "hourglass"}
	case desk.RowRefused:
		return ui.ChipView{Label: "Refused by the lender", Icon: "octagon-alert"}
	case desk.RowStopped:
		return ui.ChipView{Label: "Not handed over", Icon: "circle-x"}
	case desk.RowNotSent:
		return ui.ChipView{Label: "Not confirmed", Icon: "cloud-off"}
	case desk.RowUnknown:
		return ui.ChipView{Label: "Not known yet", Icon: "circle-help"}
	case desk.RowTakenBack:
		return ui.ChipView{Label: "Taken back", Icon: "undo-2"}
	default:
		return ui.ChipView{Label: "Waiting", Icon: "clock"}
	}
}

func runSays(row desk.RunRow) string {
	switch row.Result {
	case desk.RowRefused:
		if row.Messages != "" {
			return "“" + row.Messages + "”"
		}
		return "The lender gave no reason."
	case desk.RowStopped:
		return row.Reason + ". Nothing was sent."
	case desk.RowNotSent:
		switch row.Verdict {
		case desk.OpAbsent:
			return "The lender shows no sign of it."
		case desk.OpAbandoned:
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

// showRun maps a run. Page is the caller's.
func showRun(v format.Viewer, run desk.Run, ticket func(heloc.AppID) string) views.RunView {
	view := views.RunView{ID: run.ID, To: format.Joined(", ", words.Or(run.ToName), format.NmlsOf(run.ToNMLS)), When: "Begun " + v.Within(format.Instant(run.CreatedAt))}
	moved, open, failed := 0, 0, 0
	for _, row := range run.Rows {
		switch {
		case row.Result == desk.RowMoved:
			moved++
		case row.Result.Open():
			open++
		case row.Result.Again():
			failed++
		}
		shown := views.RunRowView{
			N: strconv.Itoa(row.N), ShortID: row.ShortID, Chip: runChips(row.Result), Says: runSays(row),
		}
		if name := format.NameOf(row.Name); name != "" {
			shown.Name, shown.Href = name, v.Base.Lead(string(row.App))
		}
		if row.Verdict != "" {
			shown.Receipt = row.OpID
		}
		if !row.Undo.IsZero() {
			shown.Undo = views.UndoView{ID: row.OpID, Ticket: ticket(row.App), Until: "until " + v.Clock(row.Undo)}
		}
		view.Rows = append(view.Rows, shown)
	}
	view.Says = strconv.Itoa(moved) + " of " + strconv.Itoa(len(run.Rows)) + " moved"
	if failed > 0 {
		view.Says += ", " + strconv.Itoa(failed) + " not"
		view.Retry = "Try " + format.Counted(failed, "lead", "leads") + " again"
	}
	if open > 0 {
		view.Says += ", " + strconv.Itoa(open) + " open"
		view.Retry = ""
		view.Note = ui.Notice{Icon: "hourglass", Title: "Under way.", Text: "You can leave this page; it goes on, and stays here."}
		return view
	}
	view.Note = ui.Notice{Kind: "ready", Icon: "circle-check", Title: "Done.", Text: view.Says + "."}
	if failed > 0 {
		view.Note = ui.Notice{Kind: "yours", Icon: "info", Title: "Done.", Text: view.Says + ": each row says why."}
	}
	return view
}
