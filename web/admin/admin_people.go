package admin

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
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// peoplePage are the accounts.
func (s *Handlers) PeoplePage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	people, err := d.People()
	if err != nil {
		return err
	}
	all, err := people.List(r.Context())
	if err != nil {
		return err
	}
	view := showPeople(s.Viewer(r), all)
	view.Admin = s.Admin(r, "People", "Everybody who has an account, and what they may do.")
	return s.Show(w, r, http.StatusOK, views.People(view))
}

func showPeople(v format.Viewer, all []desk.Staff) views.PeopleView {
	view := views.PeopleView{Table: views.AdminTable{
		ID: "people", Title: "Accounts", Sub: format.Counted(len(all), "person", "people"),
		Columns: []ui.Column{{Label: "Name"}, {Label: "Role"}, {Label: "Company"}, {Label: "Signed in"}, {Label: "Account"}},
	}}
	var lost []string
	for _, p := range all {
		account := views.Cell{Text: "open"}
		switch {
		case p.Disabled:
			account = views.Cell{Text: "closed", Sub: v.Moment(format.Instant(p.DisabledAt))}
		case p.Gone:
			account = views.Cell{Text: "left the directory", Late: true}
			lost = append(lost, p.Name)
		}
		view.Table.Rows = append(view.Table.Rows, []views.Cell{
			{Text: p.Name, Sub: p.Email, Href: to.Person(p.UserID)}, {Text: words.Role(string(p.Role)), Sub: nmlsLine(p.NMLS)},
			{Text: companyOf(p.Actor)}, {Text: seen(v, p.SeenAt)}, account,
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

func seen(v format.Viewer, ms int64) string {
	if ms == 0 {
		return "not signed in"
	}
	return v.Age(format.Instant(ms))
}

// personPage is one account, and what would be left behind if it were closed.
func (s *Handlers) PersonPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.showPerson(w, r, d, &form.Form{})
}

func (s *Handlers) showPerson(w http.ResponseWriter, r *http.Request, d page.Desk, f *form.Form) error {
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
	v := s.Viewer(r)
	view := showStaff(v, one, f)
	view.CRMs = page.ShowCRMs(v, crms, func(embed.Link) string { return to.PersonAct(one.UserID, "disconnect") })
	view.Admin = s.Admin(r, one.Name, "One account.")
	view.Admin.Form = views.Form{Wrong: form.WrongOf(f.Wrong), Refused: f.Refused}
	status := http.StatusOK
	if f.Bad() || f.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return s.Show(w, r, status, views.Person(view))
}

func showStaff(v format.Viewer, p desk.Person, f *form.Form) views.PersonView {
	view := views.PersonView{
		ID: p.UserID, Self: p.UserID == v.Who.UserID, Closed: p.Disabled, Seen: seen(v, p.SeenAt),
		Facts: []ui.Fact{
			{Label: "E-mail", Value: p.Email}, {Label: "Role", Value: words.Role(string(p.Role))}, {Label: "Company", Value: words.Or(companyOf(p.Actor))},
			{Label: "NMLS", Value: words.Or(p.NMLS)}, {Label: "Account since", Value: v.Moment(format.Instant(p.CreatedAt))}, {Label: "Last seen", Value: seen(v, p.SeenAt)},
		},
		Roles: ui.Choices(string(p.Role), words.Roles()...),
	}
	if view.Email = f.Text("email"); view.Email == "" {
		view.Email = p.Listed
	}
	view.Originator, view.Listed, view.Offered = p.OriginatorUUID != "", p.Listed, offerWords(v, p.Offered)
	view.Left = format.LeftWords(p.Leads, p.Drafts)
	choices := [][2]string{{"", "Nobody yet: a manager hands them over"}}
	for _, t := range p.Takers {
		note := ", leads and drafts"
		if t.UserID == "" {
			note = ", leads alone: no account"
		}
		choices = append(choices, [2]string{string(t.UUID), t.Name() + note})
	}
	view.Takers = ui.Choices(f.Text("newLoanOriginatorUuid"), choices...)
	for _, run := range p.Runs {
		view.Runs = append(view.Runs, departingWords(run))
	}
	return view
}

// offerWords say that an address waits for its person; "" for none.
func offerWords(v format.Viewer, o account.Offer) string {
	if o.Email == "" {
		return ""
	}
	return o.Email + ". The link that was mailed there works once, until " + v.Moment(o.Ends) + "."
}

func departingWords(d desk.Departing) string {
	text := format.Counted(d.Sent, "lead is", "leads are") + " sent"
	if d.Waiting > 0 {
		text += ", " + format.Counted(d.Waiting, "waits", "wait")
	}
	if d.Stopped > 0 {
		text += ", " + format.Counted(d.Stopped, "could not go", "could not go")
	}
	return text + "."
}

// giveRole gives somebody another role.
func (s *Handlers) GiveRole(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form.Form, id string) error {
		return p.GiveRole(r.Context(), id, access.Role(f.Text("role")))
	})
}

// offerEmail offers somebody another e-mail for their account.
func (s *Handlers) OfferEmail(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form.Form, id string) error {
		return p.OfferEmail(r.Context(), id, f.Text("email"))
	})
}

// resetPerson mails somebody a link with which they set up anew how they sign in.
func (s *Handlers) ResetPerson(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form.Form, id string) error {
		if !f.Checked("confirm.reset") {
			return fault.InvalidFields(fault.Field{Name: "confirm.reset", Message: "Confirm that they are to begin anew"})
		}
		return p.Reset(r.Context(), id, f.Checked("shut"))
	})
}

// signPersonOut ends somebody's sessions.
func (s *Handlers) SignPersonOut(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, _ *form.Form, id string) error { return p.SignOut(r.Context(), id) })
}

// closePerson closes an account, and says to whom the work goes.
func (s *Handlers) ClosePerson(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form.Form, id string) error {
		if !f.Checked("confirm.close") {
			return fault.InvalidFields(fault.Field{Name: "confirm.close", Message: "Confirm that the account is to be closed"})
		}
		return p.Close(r.Context(), id, desk.Leave{To: f.Text("newLoanOriginatorUuid")})
	})
}

// reopenPerson opens a closed account again.
func (s *Handlers) ReopenPerson(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, _ *form.Form, id string) error { return p.Reopen(r.Context(), id) })
}

// disconnectPerson takes a CRM's log-in from somebody's account.
func (s *Handlers) DisconnectPerson(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	return s.changePerson(w, r, d, func(p *desk.People, f *form.Form, id string) error {
		return p.DisconnectCRM(r.Context(), id, f.Text("link"))
	})
}

// changePerson is the one road of a form about an account: done, or handed back.
func (s *Handlers) changePerson(w http.ResponseWriter, r *http.Request, d page.Desk, deed func(p *desk.People, f *form.Form, id string) error) error {
	f, err := page.ReadForm(r)
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
		if f.Wrong = append(f.Wrong, fault.FieldsOf(err)...); !f.Bad() {
			f.Refused = fault.Public(err)
		}
		return s.showPerson(w, r, d, f)
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, to.Person(id))
}
