package samplecrm

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

//go:embed pages
var pages embed.FS

// pageFiles are the style sheet and the script of the pages.
func pageFiles() fs.FS {
	files, err := fs.Sub(pages, "pages")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return files
}

// visit is what a request says about its user and record. A real CRM takes the user from its session, and launches in
// one way.
type visit struct {
	Person   string // "olivia" or "marcus"
	Record   contact
	Kind     string // of launch
	Approved bool   // the portal counts the CRM's sign-in as a second factor
}

// readVisit returns false if there is no such record.
func readVisit(r *http.Request) (v visit, ok bool) {
	q := r.URL.Query()
	v = visit{Person: "olivia", Kind: "jwt", Approved: q.Get("mfa") == "yes"}
	if q.Get("person") == "marcus" {
		v.Person = "marcus"
	}
	if kind := q.Get("kind"); slices.Contains(Kinds(), kind) {
		v.Kind = kind
	}
	v.Record, ok = findContact(q.Get("record"))
	return v, ok
}

func (v visit) email() string { return v.Person + "@summit.test" }

// Query returns the visit's part of a URL.
func (v visit) Query() string {
	q := url.Values{"record": {v.Record.ID}, "kind": {v.Kind}, "person": {v.Person}}
	if v.Approved {
		q.Set("mfa", "yes")
	}
	return "?" + q.Encode()
}

func (c *CRM) launchURL(v visit) string {
	return c.Portal + "/launch/" + v.Kind + "/" + ClientKey(v.Kind, v.Approved)
}

// claims returns what the CRM asserts about the user and the record.
func (c *CRM) claims(v visit) LaunchClaims {
	return LaunchClaims{
		Subject: "crm-" + v.Person, Name: strings.ToUpper(v.Person[:1]) + v.Person[1:], Email: v.email(), Origin: c.Origin,
		RecordType: v.Record.Type, RecordID: v.Record.ID, Prefill: v.Record.Prefill,
	}
}

// row is a contact in the list, with its leads: the open ones first, then the newest.
type row struct {
	contact

	Leads []lead
}

// rows joins contacts and leads. A lead without a contact here has its row too.
func (s *state) rows() (all []row) {
	leads := slices.Collect(maps.Values(s.Leads))
	slices.SortFunc(leads, func(a, b lead) int {
		if a.Ended() != b.Ended() {
			if a.Ended() {
				return 1
			}
			return -1
		}
		return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(a.Application, b.Application))
	})
	for _, one := range contacts() {
		all = append(all, row{contact: one})
	}
	for _, l := range leads {
		i := slices.IndexFunc(all, func(r row) bool { return r.ID == l.Record })
		if i < 0 {
			i = len(all)
			all = append(all, row{contact: contact{ID: l.Record}})
		}
		all[i].Leads = append(all[i].Leads, l)
	}
	return all
}

func (c *CRM) serveList(w http.ResponseWriter, _ *http.Request) {
	s, err := c.list.read()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	tasks := slices.DeleteFunc(s.Tasks, func(t task) bool { return t.Done })
	c.render(w, "list.html", map[string]any{"Rows": s.rows(), "Tasks": tasks})
}

func (c *CRM) serveLog(w http.ResponseWriter, _ *http.Request) {
	s, err := c.list.read()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	c.render(w, "log.html", s.Log)
}

// recordPage is the page of a record.
type recordPage struct {
	visit

	CRM    *CRM
	Launch string // where the desk is launched
	Token  string // for <hearthline-desk>
	Other  otherLaunch
	Card   card
	Failed error
}

func (c *CRM) serveRecord(w http.ResponseWriter, r *http.Request) {
	v, ok := readVisit(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	p := recordPage{visit: v, CRM: c, Launch: c.launchURL(v), Card: c.cardOf(r, v)}
	if v.Kind == "jwt" {
		p.Token, p.Failed = Token(c.SigningKey, c.Origin, p.Launch, c.claims(v))
	} else {
		p.Other, p.Failed = c.signOther(r.Context(), v)
	}
	c.render(w, "record.html", p)
}

// card is what the page of a record shows beside the desk, and without it: the portal's own words.
type card struct {
	Found   bool      `json:"found"`
	ShortID string    `json:"shortId"`
	Step    string    `json:"step"`
	Changed time.Time `json:"changed"`
	Failed  error     `json:"-"`
}

// cardOf asks the portal, with a signature as for launches.
func (c *CRM) cardOf(r *http.Request, v visit) (answer card) {
	address := c.Portal + "/api/embed/" + ClientKey(v.Kind, v.Approved) + "/records/" + url.PathEscape(v.Record.ID) +
		"?type=" + v.Record.Type
	switch v.Kind {
	case "canvas":
		answer.Failed = c.callSigned(r.Context(), http.MethodGet, address, nil, &answer)
	case "hubspot":
		answer.Failed = c.callSigned(r.Context(), http.MethodGet, HubSpotURL(address, hubSpotUserOf(v)), nil, &answer)
	default:
		answer.Failed = c.callWithToken(r.Context(), address, &answer)
	}
	return answer
}

// serveCard is called by the page of a record when its lead has changed.
func (c *CRM) serveCard(w http.ResponseWriter, r *http.Request) {
	v, ok := readVisit(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	c.render(w, "card", c.cardOf(r, v))
}

// parsePages parses the templates of the pages.
func (c *CRM) parsePages() (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{
		"word": c.word, "clock": func(t time.Time) string { return t.Local().Format("Jan 2, 3:04 PM MST") },
	}).ParseFS(pages, "pages/*.html")
}

// render writes a page only if all of it could be made.
func (c *CRM) render(w http.ResponseWriter, name string, data any) {
	var page bytes.Buffer
	if err := c.templates.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(page.Bytes())
}
