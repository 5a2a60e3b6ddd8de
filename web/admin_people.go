package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// peoplePage are the accounts.
func (s *Server) peoplePage(w http.ResponseWriter, r *http.Request, d Desk) error {
	people, err := d.People()
	if err != nil {
		return err
	}
	all, err := people.List(r.Context())
	if err != nil {
		return err
	}
	view := s.viewer(r).showPeople(all)
	view.Admin = s.admin(r, "People", "Everybody who has an account, and what they may do.")
	return s.show(w, r, http.StatusOK, views.People(view))
}

func (v viewer) showPeople(all []desk.Staff) views.PeopleView {
	view := views.PeopleView{Table: views.AdminTable{
		ID: "people", Title: "Accounts", Sub: counted(len(all), "person", "people"),
		Columns: []ui.Column{{Label: "Name"}, {Label: "Role"}, {Label: "Company"}, {Label: "Signed in"}, {Label: "Account"}},
	}}
	var lost []string
	for _, p := range all {
		account := views.Cell{Text: "open"}
		switch {
		case p.Disabled:
			account = views.Cell{Text: "closed", Sub: v.moment(instant(p.DisabledAt))}
		case p.Gone:
			account = views.Cell{Text: "left the directory", Late: true}
			lost = append(lost, p.Name)
		}
		view.Table.Rows = append(view.Table.Rows, []views.Cell{
			{Text: p.Name, Sub: p.Email, Href: to.Person(p.UserID)}, {Text: words.Role(string(p.Role)), Sub: nmlsLine(p.NMLS)},
			{Text: companyOf(p.Actor)}, {Text: v.seen(p.SeenAt)}, account,
		})
	}
	view.Lost = strings.Join(lost, ", ")
	return view
}

func nmlsLine(number string) string {
	if number == "" {
		return ""
	}
	return "NMLS " + number
}

func companyOf(a access.Actor) string {
	if a.BrokerName != "" {
		return a.BrokerName
	}
	return a.Organization
}

func (v viewer) seen(ms int64) string {
	if ms == 0 {
		return "not signed in"
	}
	return v.age(instant(ms))
}

// personPage is one account, and what would be left behind if it were closed.
func (s *Server) personPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showPerson(w, r, d, &form{})
}

func (s *Server) showPerson(w http.ResponseWriter, r *http.Request, d Desk, f *form) error {
	people, err := d.People()
	if err != nil {
		return err
	}
	one, err := people.Open(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	crms, err := people.CRMs(r.Context(), one.UserID)
	if err != nil {
		return err
	}
	v := s.viewer(r)
	view := v.showStaff(one, f)
	view.CRMs = v.showCRMs(crms, func(embed.Link) string { return to.PersonAct(one.UserID, "disconnect") })
	view.Admin = s.admin(r, one.Name, "One account.")
	view.Admin.Form = views.Form{Wrong: wrongOf(f.wrong), Refused: f.refused}
	status := http.StatusOK
	if f.bad() || f.refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return s.show(w, r, status, views.Person(view))
}

func (v viewer) showStaff(p desk.Person, f *form) views.PersonView {
	view := views.PersonView{
		ID: p.UserID, Self: p.UserID == v.who.UserID, Closed: p.Disabled, Seen: v.seen(p.SeenAt),
		Facts: []ui.Fact{
			{Label: "E-mail", Value: p.Email}, {Label: "Role", Value: words.Role(string(p.Role))}, {Label: "Company", Value: words.Or(companyOf(p.Actor))},
			{Label: "NMLS", Value: words.Or(p.NMLS)}, {Label: "Account since", Value: v.moment(instant(p.CreatedAt))}, {Label: "Last seen", Value: v.seen(p.SeenAt)},
		},
		Roles: ui.Choices(string(p.Role), words.Roles()...),
	}
	if view.Email = f.text("email"); view.Email == "" {
		view.Email = p.Listed
	}
	view.Originator, view.Listed, view.Offered = p.OriginatorUUID != "", p.Listed, v.offerWords(p.Offered)
	view.Left = leftWords(p.Leads, p.Drafts)
	choices := [][2]string{{"", "Nobody yet: a manager hands them over"}}
	for _, t := range p.Takers {
		note := ", leads and drafts"
		if t.UserID == "" {
			note = ", leads alone: no account"
		}
		choices = append(choices, [2]string{string(t.UUID), t.Name() + note})
	}
	view.Takers = ui.Choices(f.text("newLoanOriginatorUuid"), choices...)
	for _, run := range p.Runs {
		view.Runs = append(view.Runs, departingWords(run))
	}
	return view
}

// offerWords say that an address waits for its person; "" for none.
func (v viewer) offerWords(o account.Offer) string {
	if o.Email == "" {
		return ""
	}
	return o.Email + ". The link that was mailed there works once, until " + v.moment(o.Ends) + "."
}

func departingWords(d desk.Departing) string {
	text := counted(d.Sent, "lead is", "leads are") + " sent"
	if d.Waiting > 0 {
		text += ", " + counted(d.Waiting, "waits", "wait")
	}
	if d.Stopped > 0 {
		text += ", " + counted(d.Stopped, "could not go", "could not go")
	}
	return text + "."
}

// giveRole gives somebody another role.
func (s *Server) giveRole(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form, id string) error {
		return p.GiveRole(r.Context(), id, access.Role(f.text("role")))
	})
}

// offerEmail offers somebody another e-mail for their account.
func (s *Server) offerEmail(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form, id string) error {
		return p.OfferEmail(r.Context(), id, f.text("email"))
	})
}

// resetPerson mails somebody a link with which they set up anew how they sign in.
func (s *Server) resetPerson(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form, id string) error {
		if !f.checked("confirm.reset") {
			return fault.InvalidFields(fault.Field{Name: "confirm.reset", Message: "Confirm that they are to begin anew"})
		}
		return p.Reset(r.Context(), id, f.checked("shut"))
	})
}

// signPersonOut ends somebody's sessions.
func (s *Server) signPersonOut(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, _ *form, id string) error { return p.SignOut(r.Context(), id) })
}

// closePerson closes an account, and says to whom the work goes.
func (s *Server) closePerson(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form, id string) error {
		if !f.checked("confirm.close") {
			return fault.InvalidFields(fault.Field{Name: "confirm.close", Message: "Confirm that the account is to be closed"})
		}
		return p.Close(r.Context(), id, desk.Leave{To: f.text("newLoanOriginatorUuid")})
	})
}

// reopenPerson opens a closed account again.
func (s *Server) reopenPerson(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, _ *form, id string) error { return p.Reopen(r.Context(), id) })
}

// disconnectPerson takes a CRM's log-in from somebody's account.
func (s *Server) disconnectPerson(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form, id string) error {
		return p.DisconnectCRM(r.Context(), id, f.text("link"))
	})
}

// changePerson is the one road of a form about an account: done, or handed back.
func (s *Server) changePerson(w http.ResponseWriter, r *http.Request, d Desk, deed func(p *desk.People, f *form, id string) error) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	people, err := d.People()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	err = deed(people, f, id)
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		if f.wrong = append(f.wrong, fault.FieldsOf(err)...); !f.bad() {
			f.refused = fault.Public(err)
		}
		return s.showPerson(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return onward(w, r, to.Person(id))
}
