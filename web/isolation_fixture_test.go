package web_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/guard"
	"hearthline/web/webtest"
)

// companyFixture is one of everything that a company has, with words that occur nowhere else.
type companyFixture struct {
	users         companyUsers
	browser       *webtest.Browser  // the originator's
	path          string            // a lead with offers, a quote, a note, a follow-up and documents
	app           heloc.AppID       // the id of the same lead
	apps          []heloc.AppID     // all leads of the company
	doc           string            // a document of the lead
	quote         string            // a quote of the lead
	frozen        heloc.AppID       // a lead with a planned re-pull
	draft         string            // created by the originator
	receivedDraft string            // prepared by the assistant, transferred to the originator
	review        string            // of a loan file, by the originator
	receipts      []string          // operations: a start, a reassignment, a start whose outcome is unknown
	run           string            // a bulk reassignment
	back          string            // a return, which asks about a lead
	notice        string            // in the originator's inbox
	invited       string            // an invitation by the manager
	absence       string            // a coming absence of the originator
	view          string            // a saved view of the originator
	searches      []string          // queries that find the lead
	secrets       []string          // what nobody else may see
	borrowers     []string          // the secrets that are borrower data
	countAll      func() []string   // the counts that its users see
	form          map[string]string // an inquiry for the same borrower and property
}

// companyUsers are the first names of a company's users.
type companyUsers struct{ originator, colleague, manager, assistant string }

func summitUsers() companyUsers   { return companyUsers{"olivia", "marcus", "maya", "ada"} }
func lakesideUsers() companyUsers { return companyUsers{"piotr", "lena", "lars", "lina"} }

// addLakesideUsers gives piotr colleagues, so that both companies have every role.
func addLakesideUsers(h *webtest.Harness) {
	h.T.Helper()
	piotr := h.People["piotr"].Actor
	all, err := h.Store.OriginatorsOf(h.T.Context(), access.Scope{BrokerID: piotr.BrokerID})
	h.Must(err)
	for _, o := range all {
		if string(o.UUID) != piotr.OriginatorUUID {
			h.AddUser("lena", access.Actor{Name: o.Name(), Email: o.Email, Role: access.Originator,
				OriginatorUUID: string(o.UUID), BrokerID: o.BrokerID, Organization: o.Organization})
			break
		}
	}
	h.AddUser("lars", access.Actor{Name: "Lars Keeper", Email: "lars@lakeside.test", Role: access.Manager,
		BrokerID: piotr.BrokerID, Organization: piotr.Organization})
	h.AddUser("lina", access.Actor{Name: "Lina Helper", Email: "lina@lakeside.test", Role: access.Assistant,
		BrokerID: piotr.BrokerID, Organization: piotr.Organization, WorksFor: access.AllOriginators, Reassigns: true})
}

// newCompanyFixture creates the fixture with the forms that users fill in. Every name and note begins with word.
func newCompanyFixture(h *webtest.Harness, c companyUsers, prefix string) companyFixture {
	h.T.Helper()
	v, colleague, assistant := h.SignedInBrowser(c.originator), h.SignedInBrowser(c.colleague),
		h.SignedInBrowser(c.assistant)
	b := companyFixture{users: c, browser: v, form: map[string]string{
		"applicant.name.firstName": prefix + "ine", "applicant.name.lastName": prefix + "feather",
		"applicant.phone": "(208) 555-01" + strconv.Itoa(len(prefix)*7%90+10),
		"applicant.email": prefix + "@borrower.test", "property.address.street1": strconv.Itoa(len(prefix)*1013) + " " +
			prefix + " Way", "property.address.city": prefix + "ville",
	}}
	typed := func(more ...string) []string {
		var pairs []string
		for name, value := range b.form {
			pairs = append(pairs, name, value)
		}
		return append(pairs, more...)
	}
	b.path = v.StartLead(prefix+"feather", typed()...)
	b.app = heloc.AppID(strings.TrimPrefix(b.path, "/leads/"))
	v.WaitFor(b.path, `input[name="offer.offerUuid"]`)
	quoted := v.Post(b.path+"/calculate-offers", url.Values{"amount": {"45,000"}})
	b.quote = strings.TrimPrefix(quoted.Find("#kept a").First().AttrOr("href", ""), b.path+"/offers?quote=")
	v.Post(b.path+"/note", url.Values{"note": {prefix + " note"}})
	v.Post(b.path+"/follow-up", url.Values{"followUp.on": {time.Now().AddDate(0, 0, 2).Format(time.DateOnly)},
		"followUp.time": {"09:00"}, "followUp.note": {prefix + " reminder"}})
	papers, err := h.DeskDeps.Lender.Documents(h.T.Context(), b.app)
	h.Must(err)
	b.doc = papers.Value[0].UUID

	path, frozen := v.StartLeadAt(prefix+"bergh-Frozen", heloc.StepUnfreezeCredit)
	v.PlanRepull(path, time.Now().Add(time.Hour))
	b.frozen = frozen

	started := v.StartLead(prefix + "given")
	v.WaitFor(started, `input[name="offer.offerUuid"]`)
	v.Send(v.ReassignForm(started, c.colleague))
	taken := colleague.StartLead(prefix + "taken")
	colleague.WaitFor(taken, `input[name="offer.offerUuid"]`)
	colleague.Send(colleague.ReassignForm(taken, c.originator))
	many := v.StartLead(prefix + "many")
	v.WaitFor(many, `input[name="offer.offerUuid"]`)
	run := v.Post("/reassignments", url.Values{"app": {strings.TrimPrefix(many, "/leads/")},
		"newLoanOriginatorUuid": {h.People[c.colleague].OriginatorUUID}, "confirm.reassign": {"true"}})
	b.run = strings.TrimPrefix(run.Path, "/reassignments/")
	h.WaitUntil("the run has ended", func() bool {
		return string(h.LeadRow(heloc.AppID(strings.TrimPrefix(many, "/leads/"))).Originator) ==
			h.People[c.colleague].OriginatorUUID
	})

	form := v.IntakeForm(prefix+"draft", typed("applicant.name.lastName", prefix+"draft")...)
	b.draft = form.Values.Get("draft")
	v.Post("/drafts/"+b.draft, form.Values)
	form = assistant.IntakeForm(prefix+"prepared", typed("applicant.name.lastName", prefix+"prepared")...)
	b.receivedDraft = form.Values.Get("draft")
	assistant.Send(webtest.Form{Action: "/drafts/" + b.receivedDraft + "/hand",
		Values: form.With("draft.originator", h.People[c.originator].OriginatorUUID).Values})
	file, err := os.ReadFile("../internal/mismo/testdata/encompass.xml")
	h.Must(err)
	file = bytes.ReplaceAll(file, []byte(">Rivera<"), []byte(">"+prefix+"reviewed<"))
	b.review = strings.TrimPrefix(v.PostLoanFile("/leads/import", nil, file).Path, "/leads/import/")
	lost := v.Send(v.IntakeForm(prefix + "stray-Lost"))
	b.receipts = append(b.receipts, strings.TrimPrefix(lost.Path, "/operations/"))

	h.SignedInBrowser(c.manager).Post("/invite",
		url.Values{"name": {prefix + " Newhire"}, "email": {prefix + "new@hire.test"}, "role": {"assistant"}})
	absence := h.SignedInBrowser(c.manager).Get("/team/absences").Form("#form-absence")
	day := time.Now().AddDate(0, 0, 9).Format(time.DateOnly)
	h.SignedInBrowser(c.manager).Send(absence.With("person", h.People[c.originator].UserID,
		"deputy", h.People[c.colleague].UserID, "firstDay", day, "lastDay", day, "note", prefix+" absence"))
	// The rules are off, because those of a probe would assign leads.
	h.SignedInBrowser(c.manager).Post("/team/rules",
		url.Values{"rule.0.person": {h.People[c.originator].UserID + " 1"}, "limit": {"7"}})
	addRuleDecision(h, c, heloc.AppID(strings.TrimPrefix(many, "/leads/")))
	b.back = addReturn(h, c, heloc.AppID(strings.TrimPrefix(many, "/leads/")))
	v.Post("/views?view=all&sort=amount", url.Values{"name": {prefix + " view"}})
	b.loadIDs(h, c, prefix)
	return b
}

// addRuleDecision stores what assignment rules decided about a lead.
func addRuleDecision(h *webtest.Harness, c companyUsers, app heloc.AppID) {
	h.T.Helper()
	manager, to := h.People[c.manager], h.People[c.originator]
	company, id := store.UserScopeOf(manager.Actor).Company, "rule-"+c.manager
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		row := lead.JobRow{JobID: id, App: app, ShortID: "1-1", State: lead.JobRowStopped,
			Target: heloc.OriginatorID(to.OriginatorUUID)}
		if err := tx.AddJob(h.T.Context(), lead.Job{ID: id, Kind: lead.JobRule, ActorID: manager.UserID, Company: company,
			Sealed: []byte{}, EndedAt: 1}, []lead.JobRow{row}); err != nil {
			return err
		}
		return tx.AddRuleAssignment(h.T.Context(), lead.RuleAssignment{ID: id, Company: company, App: app, UserID: to.UserID,
			Originator: row.Target, JobID: id, SetBy: manager.UserID, Why: "{}", At: 1})
	}))
}

// addReturn stores a return that asks about a lead.
func addReturn(h *webtest.Harness, c companyUsers, app heloc.AppID) (id string) {
	h.T.Helper()
	manager := h.People[c.manager]
	id = "return-" + c.manager
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		return tx.AddJob(h.T.Context(), lead.Job{ID: id, Kind: lead.JobReturn, ActorID: manager.UserID,
			Company: store.UserScopeOf(manager.Actor).Company, Sealed: []byte{}, EndedAt: 1,
			Target: heloc.OriginatorID(h.People[c.originator].OriginatorUUID)},
			[]lead.JobRow{{JobID: id, App: app, ShortID: "1-1", State: lead.JobRowAsked}})
	}))
	return id
}

// loadIDs reads the ids of the fixture's data.
func (f *companyFixture) loadIDs(h *webtest.Harness, c companyUsers, prefix string) {
	h.T.Helper()
	ctx, who := h.T.Context(), h.People[c.originator]
	inbox, err := h.Store.Notices(ctx, store.UserScopeOf(who.Actor), "")
	h.Must(err)
	if len(inbox.Notices) > 0 {
		f.notice = inbox.Notices[0].ID
	}
	views, err := h.Store.SavedViews(ctx, store.UserScopeOf(who.Actor), 9)
	h.Must(err)
	f.view = views[0].ID
	waiting, err := h.Store.PendingInvitations(ctx, "invite", who.BrokerID, time.Now())
	h.Must(err)
	if len(waiting) > 0 {
		f.invited = waiting[0].ID
	}
	absences, err := h.Store.OpenAbsences(ctx, who.BrokerID)
	h.Must(err)
	if len(absences) > 0 {
		f.absence = absences[0].ID
	}
	leads, err := h.Store.Leads(ctx, access.Scope{BrokerID: who.BrokerID}, lead.Query{})
	h.Must(err)
	f.secrets = []string{prefix, f.draft, f.receivedDraft, f.review, f.quote, f.doc, f.run, f.back, f.view}
	for _, l := range leads.Leads {
		f.apps, f.secrets = append(f.apps, l.App), append(f.secrets, string(l.App), l.ShortID)
		ops, err := h.Store.Operations(ctx, l.App, 9)
		h.Must(err)
		for _, op := range ops {
			f.receipts = append(f.receipts, op.ID)
		}
	}
	f.secrets = append(f.secrets, f.receipts...)
	for _, s := range f.secrets {
		if len(s) < 5 {
			h.T.Fatalf("%s: one of the secrets is %q, which is too common", prefix, s)
		}
	}
	f.borrowers = []string{prefix + "feather", prefix + " note", prefix + "draft", f.form["applicant.email"],
		f.form["applicant.phone"], prefix + " Way"}
	f.searches = []string{prefix, prefix + "feather", f.form["applicant.phone"], f.form["applicant.email"],
		prefix + "ine " + strings.Fields(f.form["property.address.street1"])[0], h.LeadRow(f.app).ShortID}
	f.countAll = func() []string { return companyCounts(h, c) }
}

// companyCounts returns what each of a company's users sees as counts: leads by lane, due items, drafts, unread
// notifications, and unassigned leads.
func companyCounts(h *webtest.Harness, c companyUsers) []string {
	h.T.Helper()
	var all []string
	for _, first := range []string{c.originator, c.colleague, c.manager, c.assistant} {
		v := h.SignedInBrowser(first)
		page := v.Get("/leads?view=all")
		page.Find(".head .meta span").Last().Remove() // the age of the list
		text := fmt.Sprint(first, ": ", page.Find(".lanes").Text(), page.Find(".head .meta").Text(),
			page.Find("#bell").Text(), page.Find("table.leads tbody tr").Length(),
			" ", v.Get("/team/rules").Find("#form-rules .field option[selected], #log tbody tr").Length(), " ",
			v.Get("/drafts").Find("tbody tr").Length(), " ", v.Get("/team/unassigned").Find("tbody tr").Length(), " ",
			len(v.NotificationTitles()))
		all = append(all, strings.Join(strings.Fields(text), " "))
	}
	return all
}

// pageKey returns the key of the page after a lead, for any sort order.
func pageKey(value int64, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(value, 36) + "." + id))
}

// wantNoSecrets fails for each secret that a response contains. A search text that is redisplayed in its own control
// does not count.
func wantNoSecrets(h *webtest.Harness, who string, asked probe, got *webtest.Response, secrets []string) {
	h.T.Helper()
	typed := asked.path + " " + asked.form.Encode()
	if unescaped, err := url.QueryUnescape(typed); err == nil {
		typed += " " + unescaped
	}
	for _, secret := range secrets {
		if secret != "" && strings.Contains(got.Body, secret) && !strings.Contains(typed, secret) {
			at := strings.Index(got.Body, secret)
			h.T.Errorf("%s at %s %v (%d) reads %q: …%s…", who, asked.path, asked.form, got.Status, secret,
				got.Body[max(0, at-120):min(len(got.Body), at+40)])
			return
		}
	}
}

// probe is one request with which a user looks for data of another company; with a form it is a POST.
type probe struct {
	path string
	form url.Values
}

func sendProbe(v *webtest.Browser, l probe) *webtest.Response {
	v.H.T.Helper()
	v.H.Guard().Denials = guard.Denials{}
	method := http.MethodGet
	if l.form != nil {
		method = http.MethodPost
	}
	return v.Do(v.Request(method, l.path, l.form, nil))
}

// userTexts returns the names and email addresses of the company's users.
func (f companyFixture) userTexts() []string {
	var all []string
	for _, first := range []string{f.users.originator, f.users.colleague, f.users.manager, f.users.assistant} {
		u := f.browser.H.People[first]
		all = append(all, u.Email, u.Name)
	}
	return all
}
