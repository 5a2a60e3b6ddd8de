package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// unassignedPage is the queue of the company's leads that are nobody's.
func (s *Server) unassignedPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showUnassigned(w, r, d, &form{})
}

// giveOn gives what somebody left to a colleague, and leads to the run of it.
func (s *Server) giveOn(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	team, err := d.Team()
	if err != nil {
		return err
	}
	run, err := team.GiveOn(r.Context(), chi.URLParam(r, "id"), f.text(desk.TakerControl))
	switch {
	case fault.KindOf(err) == fault.Invalid && err != nil:
		f.wrong = append(f.wrong, fault.FieldsOf(err)...)
		return s.showUnassigned(w, r, d, f)
	case err != nil:
		return err
	case run != "":
		return onward(w, r, to.Full.Reassignment(run))
	}
	return onward(w, r, to.Full.TeamPart("unassigned"))
}

func (s *Server) showUnassigned(w http.ResponseWriter, r *http.Request, d Desk, f *form) error {
	team, err := d.Team()
	if err != nil {
		return err
	}
	after := r.URL.Query().Get("after")
	page, err := team.Unassigned(r.Context(), after)
	if err != nil {
		return err
	}
	n, err := team.Waiting(r.Context())
	if err != nil {
		return err
	}
	v := s.viewer(r)
	view := views.UnassignedView{Page: s.frame(r, "Unassigned"), Says: upTo(n) + " without an originator"}
	view.Page.List = true
	for _, row := range page.Rows {
		shown := v.showRow(row, nil)
		shown.Pick, shown.Owner = true, "nobody"
		view.Rows = append(view.Rows, shown)
	}
	view.Pager = ui.PagerView{Shown: counted(len(page.Rows), "lead", "leads")}
	if after != "" {
		view.Pager.First = to.Full.TeamPart("unassigned")
	}
	if page.Next != "" {
		view.Pager.Next = to.Unassigned(page.Next)
	}
	gone, takers, err := team.Left(r.Context())
	if err != nil {
		return err
	}
	view.Left = showLeft(gone, takers, chi.URLParam(r, "id"), f)
	status := http.StatusOK
	if f.bad() {
		status = http.StatusUnprocessableEntity
	}
	return s.show(w, r, status, views.Unassigned(view))
}

// showLeft maps who has gone and what they left; a complaint stands at the form it is of.
func showLeft(gone []desk.Left, takers []desk.Taker, asked string, f *form) []views.LeftRow {
	var rows []views.LeftRow
	for _, l := range gone {
		choices := [][2]string{{"", "Choose…"}}
		for _, t := range takers {
			if name := t.Name(); t.UserID != "" || l.Drafts == 0 {
				choices = append(choices, [2]string{string(t.UUID), name})
			}
		}
		row := views.LeftRow{Key: l.Key, Title: words.Or(l.Name) + " has left", Text: leftWords(l.Leads, l.Drafts), Takers: ui.Choices("", choices...)}
		if l.Here {
			row.Title = words.Or(l.Name) + " works on no drafts any more"
		}
		if l.Key == asked && len(f.wrong) > 0 {
			row.Error = f.wrong[0].Message
		}
		rows = append(rows, row)
	}
	return rows
}

// leftWords are "3 open leads and 1 draft".
func leftWords(leads, drafts int) string {
	var left []string
	if leads > 0 {
		left = append(left, counted(leads, "open lead", "open leads"))
	}
	if drafts > 0 {
		left = append(left, counted(drafts, "draft", "drafts"))
	}
	return strings.Join(left, " and ")
}
