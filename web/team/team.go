package team

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// unassignedPage is the queue of the company's leads that are nobody's.
func (s *Handlers) UnassignedPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.showUnassigned(w, r, d, &form.Form{})
}

// giveOn gives what somebody left to a colleague, and leads to the run of it.
func (s *Handlers) GiveOn(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	team, err := d.Team()
	if err != nil {
		return err
	}
	run, err := team.GiveOn(r.Context(), chi.URLParam(r, "id"), f.Text(desk.TakerControl))
	switch {
	case fault.KindOf(err) == fault.Invalid && err != nil:
		f.Wrong = append(f.Wrong, fault.FieldsOf(err)...)
		return s.showUnassigned(w, r, d, f)
	case err != nil:
		return err
	case run != "":
		return page.Onward(w, r, to.Full.Reassignment(run))
	}
	return page.Onward(w, r, to.Full.TeamPart("unassigned"))
}

func (s *Handlers) showUnassigned(w http.ResponseWriter, r *http.Request, d page.Desk, f *form.Form) error {
	team, err := d.Team()
	if err != nil {
		return err
	}
	after := r.URL.Query().Get("after")
	shown, err := team.Unassigned(r.Context(), after)
	if err != nil {
		return err
	}
	n, err := team.Waiting(r.Context())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	view := views.UnassignedView{Page: s.Frame(r, "Unassigned"), Says: format.UpTo(n) + " without an originator"}
	view.Page.List = true
	for _, row := range shown.Rows {
		shown := page.ShowRow(v, row, nil)
		shown.Pick, shown.Owner = true, "nobody"
		view.Rows = append(view.Rows, shown)
	}
	view.Pager = ui.PagerView{Shown: format.Counted(len(shown.Rows), "lead", "leads")}
	if after != "" {
		view.Pager.First = to.Full.TeamPart("unassigned")
	}
	if shown.Next != "" {
		view.Pager.Next = to.Unassigned(shown.Next)
	}
	gone, takers, err := team.Left(r.Context())
	if err != nil {
		return err
	}
	view.Left = showLeft(gone, takers, chi.URLParam(r, "id"), f)
	status := http.StatusOK
	if f.Bad() {
		status = http.StatusUnprocessableEntity
	}
	return s.Show(w, r, status, views.Unassigned(view))
}

// showLeft maps who has gone and what they left; a complaint stands at the form it is of.
func showLeft(gone []desk.Left, takers []desk.Taker, asked string, f *form.Form) []views.LeftRow {
	var rows []views.LeftRow
	for _, l := range gone {
		choices := [][2]string{{"", "Choose…"}}
		for _, t := range takers {
			if name := t.Name(); t.UserID != "" || l.Drafts == 0 {
				choices = append(choices, [2]string{string(t.UUID), name})
			}
		}
		row := views.LeftRow{Key: l.Key, Title: words.Or(l.Name) + " has left", Text: format.LeftWords(l.Leads, l.Drafts), Takers: ui.Choices("", choices...)}
		if l.Here {
			row.Title = words.Or(l.Name) + " works on no drafts any more"
		}
		if l.Key == asked && len(f.Wrong) > 0 {
			row.Error = f.Wrong[0].Message
		}
		rows = append(rows, row)
	}
	return rows
}
