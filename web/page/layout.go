package page

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// Layout returns the layout of a desk page: the signed-in user, the navigation, and the URL for
// live updates. It omits links without a route and links that the user may not open.
func (rs *Responder) Layout(r *http.Request, title string) ui.Page {
	p := rs.BasicLayout(r, title)
	if !p.Bell.Visible {
		return p
	}
	ofTeam := slices.IndexFunc(p.Nav, func(l ui.NavLink) bool { return l.Of != "" })
	counts, visible := rs.headerCounts(r, ofTeam >= 0)
	if p.Bell.Visible = visible; counts.Unread > 0 {
		p.Bell.Unread = UnreadText(counts.Unread)
	}
	if ofTeam >= 0 && counts.Unassigned > 0 {
		p.Nav[ofTeam].Count = strconv.Itoa(counts.Unassigned)
	}
	for i, l := range p.Menu {
		if l.Href == to.Full.Notifications("") {
			p.Menu[i].Count = p.Bell.Unread
		}
	}
	return p
}

// BasicLayout returns the layout without data that would need a query. Error pages use it, because
// that query may be what failed.
func (rs *Responder) BasicLayout(r *http.Request, title string) ui.Page {
	p := ui.Page{Title: title, Theme: appearanceCookie(r, "theme"), Density: appearanceCookie(r, "density")}
	v := VisitOf(r)
	if v == nil {
		return p
	}
	who := v.User.Actor
	p.Base, p.JustSaved = v.Base, isJustSaved(r)
	p.LenderDownSince = rs.lenderDownSince(r)
	p.Person = ui.Person{Name: who.Name, Initials: Initials(who.Name), Subtitle: PersonSubtitle(who)}
	p.EventsURL = p.Base.Events()
	p.Now = strconv.FormatInt(rs.Now().UnixMilli(), 10)
	p.SessionExpires = strconv.FormatInt(v.ExpiresAt.UnixMilli(), 10)
	rs.addShortcuts(r, &p)
	if v.Embed != nil {
		p.Embedded, p.HostOrigin, p.SessionEndedURL, p.Nav = true, v.Embed.Origin, p.Base.Home(), rs.embedNav(v, r.URL.Path)
		p.Bell.Visible = who.Can(access.UseAccount)
		p.NewWindowURL = rs.fullDeskURL(r, v)
		if home := v.Base.Home(); who.VouchedByCRM && r.URL.Path != home {
			p.Notices = []ui.Notice{{Kind: "yours", Icon: "shield-check", Title: "Names and figures are hidden.",
				Actions: []ui.Action{{Label: "Confirm it’s you", Href: home}}}}
		}
		return p
	}
	rs.addDemoBar(r, &p)
	p.Nav = rs.permittedLinks(who, r.URL.Path, []ui.NavLink{
		{Label: "Leads", Href: to.Full.Leads(to.LeadsQuery{})},
		{Label: "Team", Href: to.Full.Team(), Of: "unassigned", CountURL: to.Full.TeamPart("unassigned")},
		{Label: "Reports", Href: to.Full.Reports()},
		{Label: "Quick estimate", Href: to.Full.Prequalify()},
	})
	if tabs := rs.AdminTabs(r); len(tabs) > 0 {
		p.Nav = append(p.Nav, ui.NavLink{Label: "Administration", Href: tabs[0].Href,
			Current: strings.HasPrefix(r.URL.Path, "/admin/")})
	}
	need, exists := rs.pages[to.Full.Notifications("")]
	p.Bell.Visible = exists && who.Can(need)
	p.Menu = rs.permittedLinks(who, r.URL.Path, []ui.NavLink{
		{Label: "Notifications", Href: to.Full.Notifications(""), Icon: "bell"},
		{Label: "Drafts", Href: to.Full.Drafts(), Icon: "file-text"},
		{Label: "Originators", Href: to.Full.Originators(), Icon: "users"},
		{Label: "Absences", Href: to.Full.TeamPart("absences"), Icon: "calendar"},
		{Label: "Invite a user", Href: to.Full.Invite(), Icon: "mail"},
		{Label: "Account and sign-in", Href: to.Full.Account(), Icon: "settings"},
	})
	p.Menu = append(p.Menu, ui.NavLink{Label: "Help", Href: to.Full.Help("start"), Icon: "circle-help",
		Current: strings.HasPrefix(r.URL.Path, "/help/")})
	return p
}

// PublicLayout returns the layout of a page before sign-in.
func (rs *Responder) PublicLayout(r *http.Request, title string) ui.Page {
	return ui.Page{Title: title, Theme: appearanceCookie(r, "theme"), Density: appearanceCookie(r, "density")}
}

// fullDeskURL returns the URL that opens an embedded page in its own window: the lead, or the same
// page of the full desk.
func (rs *Responder) fullDeskURL(r *http.Request, v *Visit) string {
	switch route := RequestLogOf(r).Route; {
	case v.Lead != nil:
		return to.Full.Lead(string(v.Lead.App()))
	case route == nil || !route.Embedded:
		return to.Full.Home()
	case route.Method == http.MethodGet:
		return strings.TrimPrefix(r.URL.RequestURI(), string(v.Base))
	default:
		path := strings.TrimPrefix(r.URL.Path, string(v.Base))
		if _, exists := rs.pages[path]; exists {
			return path
		}
		return to.Full.Home()
	}
}

// permittedLinks returns the links whose page exists and is permitted for this user.
func (rs *Responder) permittedLinks(who access.Actor, here string, links []ui.NavLink) []ui.NavLink {
	permitted := slices.DeleteFunc(links, func(l ui.NavLink) bool {
		need, exists := rs.pages[l.Href]
		return !exists || !who.Can(need)
	})
	for i, l := range permitted {
		permitted[i].Current = here == l.Href || strings.HasPrefix(here, l.Href+"/")
	}
	return permitted
}

// pagePermissionsOf maps the path after a prefix of each page that has no other URL parameters to its permission.
func pagePermissionsOf(routes []Route, prefix string) map[string]access.Permission {
	pages := map[string]access.Permission{}
	for _, route := range routes {
		path, found := strings.CutPrefix(route.Pattern, prefix)
		if found && route.Method == http.MethodGet && route.Class == Page && !route.Public && !strings.Contains(path, "{") {
			pages[path] = route.Permission
		}
	}
	return pages
}

// PersonSubtitle returns the caption under a user's name: the license, or the role.
func PersonSubtitle(who access.Actor) string {
	if who.NMLS != "" {
		return "NMLS " + who.NMLS
	}
	return text.Role(string(who.Role))
}

// Initials returns the initials of the first and the last word of a name.
func Initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return ""
	}
	first := string([]rune(words[0])[:1])
	if len(words) == 1 {
		return strings.ToUpper(first)
	}
	return strings.ToUpper(first + string([]rune(words[len(words)-1])[:1]))
}

// SetAppearanceCookie stores a choice about the appearance of pages for a year, as the browser's script does. It says
// nothing about the user, and the script may read and replace it.
func SetAppearanceCookie(w http.ResponseWriter, name, value string, secure bool) {
	//nolint:gosec // the script sets it too
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 365 * 24 * 60 * 60,
		SameSite: http.SameSiteLaxMode, Secure: secure})
}

// appearanceCookie reads a cookie for the appearance of pages. The browser's script sets it, so its
// value may be anything; only known values are returned.
func appearanceCookie(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil || !slices.Contains([]string{"light", "dark", "compact"}, c.Value) {
		return ""
	}
	return c.Value
}

// embedNav returns the few navigation links inside an embed.
func (rs *Responder) embedNav(v *Visit, here string) []ui.NavLink {
	home, leads := v.Base.Home(), v.Base.Leads(to.LeadsQuery{})
	links := []ui.NavLink{{Label: "This record", Href: home, Current: here == home},
		{Label: "My leads", Href: leads, Current: here == leads}}
	if !v.Embed.HasRecord() {
		return links[1:]
	}
	return links
}

// LenderState renders the part of every page that says whether the lender responds. Pages fetch it again when that
// changes.
func (rs *Responder) LenderState(w http.ResponseWriter, r *http.Request) error {
	return rs.Render(w, r, http.StatusOK, ui.LenderState(rs.BasicLayout(r, "")))
}

// lenderDownSince returns since when the lender has not responded, as text; "" while it responds.
func (rs *Responder) lenderDownSince(r *http.Request) string {
	if !isSendingPaused(r) {
		return ""
	}
	v := rs.Viewer(r)
	return v.SinceText(VisitOf(r).Desk.LenderDownSince())
}

// isSendingPaused reports whether the lender is known to be down, on the pages of signed-in users.
func isSendingPaused(r *http.Request) bool {
	v := VisitOf(r)
	return v != nil && v.Desk != nil && !v.Desk.LenderDownSince().IsZero()
}

// noRefresh is the parameter of a page's URL that stops the refreshes.
const noRefresh = "stay"

// How often, and how long, a browser without JavaScript loads a page again that waits for something.
const (
	soonRefresh    = 5 * time.Second
	laterRefresh   = 20 * time.Second
	soonUntil      = time.Minute
	refreshesUntil = 10 * time.Minute
)

// RefreshWithoutScript lets browsers without JavaScript load a page again while it waits for something that began at a
// time. A new load discards what is typed, so the page says that it reloads and links to itself without (WCAG 2.2.1).
func (rs *Responder) RefreshWithoutScript(r *http.Request, p *ui.Page, began time.Time) {
	switch waited := rs.Now().Sub(began); {
	case r.Method != http.MethodGet || r.URL.Query().Has(noRefresh):
	case began.IsZero() || waited < 0 || waited >= refreshesUntil:
	case waited < soonUntil:
		p.RefreshSeconds = seconds(soonRefresh)
	default:
		p.RefreshSeconds = seconds(laterRefresh)
	}
	if p.RefreshSeconds != "" {
		p.NoRefreshURL = "?" + noRefresh + "=true"
	}
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// headerCounts counts what the header shows. A page does not fail if the count does.
func (rs *Responder) headerCounts(r *http.Request, team bool) (counts deskpipeline.HeaderCounts, visible bool) {
	inbox, err := VisitOf(r).Desk.Inbox()
	if err != nil {
		return counts, false
	}
	if counted := VisitOf(r).Unread; counted != nil && !team {
		counts.Unread = *counted
	} else if counts, err = inbox.HeaderCounts(r.Context()); err != nil {
		RequestLogOf(r).AddAttr("header", "not counted")
	}
	return counts, true
}

// UnreadText formats a number of unread notifications.
func UnreadText(n int) string {
	if n >= lead.UnreadLimit {
		return strconv.Itoa(lead.UnreadLimit-1) + "+"
	}
	return strconv.Itoa(n)
}

// NavCountOf returns the navigation link whose count a request fetches alone, and the id of the count; false if it
// fetches something else.
func NavCountOf(r *http.Request, layout ui.Page) (link ui.NavLink, id string, ok bool) {
	if !IsFragment(r) {
		return link, "", false
	}
	_, id, _ = strings.Cut(r.Header.Get("HX-Target"), "#")
	for _, l := range layout.Nav {
		if l.Of != "" && strings.TrimSuffix(id, "-menu") == ui.NavCountID(l.Of) {
			return l, id, true
		}
	}
	return link, "", false
}

// savedCookie makes the next page of this browser confirm that settings were saved. It is deleted with that page. A
// browser that rejects it on plain http shows no confirmation.
const savedCookie = "__Host-saved"

// setSavedCookie sets the cookie for some seconds, or deletes it if seconds is negative.
func setSavedCookie(w http.ResponseWriter, seconds int) {
	http.SetCookie(w, &http.Cookie{Name: savedCookie, Value: "1", Path: "/", MaxAge: seconds, HttpOnly: true, Secure: true,
		SameSite: http.SameSiteStrictMode})
}

// isJustSaved reports whether a page must confirm that settings were saved.
func isJustSaved(r *http.Request) bool {
	_, err := r.Cookie(savedCookie)
	return err == nil && r.Method == http.MethodGet && !IsFragment(r)
}
