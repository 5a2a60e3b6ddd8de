package web

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// auditPage is who did what, found by person, lead, act and day.
func (s *Server) auditPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	a, err := d.Audit()
	if err != nil {
		return err
	}
	f := &form{values: r.URL.Query(), sent: map[string]string{}}
	v := s.viewer(r)
	ask := desk.AuditAsk{Person: f.text("person"), Lead: f.text("lead"), Act: desk.Act(f.text("action"))}
	ask.From, ask.To = v.days(f, "from", 0), v.days(f, "to", 1)
	ask.Before, _ = strconv.ParseInt(f.text("before"), 10, 64)
	status := http.StatusOK
	page, err := a.Page(r.Context(), ask)
	if fault.KindOf(err) == fault.Invalid && err != nil {
		f.wrong = append(f.wrong, fault.FieldsOf(err)...)
	} else if err != nil {
		return err
	}
	if f.bad() {
		status = http.StatusUnprocessableEntity
	}
	view := v.showAudit(page, ask, f)
	view.Admin = s.admin(r, "Audit", "Who did what, and who was refused. Borrowers are named by id alone.")
	view.Admin.Form = views.Form{Wrong: wrongOf(f.wrong)}
	return s.show(w, r, status, views.Audit(view))
}

// days reads a day of the viewer's zone, plus so many; the zero time when none is typed.
func (v viewer) days(f *form, name string, plus int) time.Time {
	day, ok := f.past(name, heloc.DateOf(v.now.In(v.zone))).Time()
	if !ok {
		return time.Time{}
	}
	return time.Date(day.Year(), day.Month(), day.Day()+plus, 0, 0, 0, 0, v.zone)
}

// showAudit maps a page. Admin is the caller's.
func (v viewer) showAudit(p desk.AuditPage, ask desk.AuditAsk, f *form) views.AuditView {
	people := [][2]string{{"", "Everybody"}, {"system", "The portal itself"}, {"nobody", "Not signed in"}}
	for _, u := range p.People {
		people = append(people, [2]string{u.UserID, u.Name + ", " + u.Email})
	}
	acts := append([][2]string{{"", "Everything"}}, words.AuditActs()...)
	wrong := views.Form{Wrong: wrongOf(f.wrong)}
	view := views.AuditView{
		Action: to.Full.Admin("audit"), Heads: to.AuditHeads(),
		Fields: []ui.Field{
			{Name: "person", Label: "Person", Span: "c4", Options: ui.Choices(ask.Person, people...)},
			{Name: "action", Label: "What", Span: "c4", Options: ui.Choices(string(ask.Act), acts...)},
			{Name: "lead", Label: "Lead, by its id", Span: "c4", Value: ask.Lead, Max: "64", Error: wrong.Of("lead")},
			{Name: "from", Label: "From", Span: "c2", Value: f.text("from"), Placeholder: "mm/dd/yyyy", Max: "10", Error: wrong.Of("from")},
			{Name: "to", Label: "To", Span: "c2", Value: f.text("to"), Placeholder: "mm/dd/yyyy", Max: "10", Error: wrong.Of("to")},
		},
		Table: views.AdminTable{
			ID: "rows", Title: "What was done", Empty: "Nothing fits.",
			Columns: []ui.Column{{Label: "When"}, {Label: "Who"}, {Label: "What"}, {Label: "To what"}, {Label: "Outcome"}, {Label: "Row", Class: "num"}},
		},
		Head: []ui.Fact{{Label: "Begins", Value: words.AuditBegins(p.Base.Seq, v.exact(p.Base.CutAt))}, {Label: "Last row", Value: strconv.FormatInt(p.Head.Seq, 10)}, {Label: "Its mark", Value: words.Or(p.Head.MAC)}, {Label: "Written", Value: words.Or(v.exact(p.Head.At))}},
	}
	for _, row := range p.Rows {
		view.Table.Rows = append(view.Table.Rows, v.showAudited(row))
	}
	if n := len(p.Rows); n > 0 {
		view.Table.Pager.Shown = fmt.Sprintf("Rows %d to %d", p.Rows[n-1].Seq, p.Rows[0].Seq)
	}
	if ask.Before != 0 {
		view.Table.Pager.First = to.Audit(f.values, 0)
	}
	if p.Next != 0 {
		view.Table.Pager.Next = to.Audit(f.values, p.Next)
	}
	return view
}

// actorWords name who is no account.
var actorWords = map[string]string{"system": "The portal", "nobody": "Not signed in"}

func (v viewer) showAudited(a desk.AuditRow) []views.Cell {
	who := views.Cell{Text: a.Actor}
	if a.Actor == "" {
		who = views.Cell{Text: a.ActorID, Code: true}
		if said, ok := actorWords[a.ActorID]; ok {
			who = views.Cell{Text: said}
		}
	}
	who.Sub = a.Network
	kind, id, _ := strings.Cut(a.Object, ":")
	if len(id) > 40 { // a digest: its beginning tells it apart
		id = id[:12] + "…"
	}
	object := views.Cell{Text: words.Name(kind) + " " + id}
	if a.Subject != "" {
		object = views.Cell{Text: words.Name(kind) + " " + a.Subject, Sub: id}
	}
	return []views.Cell{
		{Text: v.exact(a.At)}, who, {Text: words.AuditAct(string(a.Action)), Sub: a.Detail}, object,
		{Text: a.Outcome, Late: a.Outcome == "refused"}, {Text: strconv.FormatInt(a.Seq, 10), Num: true},
	}
}

// auditHeads is the list of heads to be kept elsewhere: row, instant and mark, one a line.
func (s *Server) auditHeads(w http.ResponseWriter, r *http.Request, d Desk) error {
	a, err := d.Audit()
	if err != nil {
		return err
	}
	heads, err := a.Heads(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="audit-heads.txt"`)
	for _, h := range heads {
		_, _ = io.WriteString(w, fmt.Sprintf("%d %s %s\n", h.Seq, instant(h.At).Format(time.RFC3339), h.MAC)) //nolint:gosec // numbers and marks of our own
	}
	return nil
}
