package pipeline

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// Search answers what a user can jump to: the results alone for the dialog, or the whole page. What was typed may be a
// borrower's name, so both send it in the body of a POST, where no log and no history keeps it.
func (h *Handlers) Search(w http.ResponseWriter, r *http.Request, search *deskpipeline.Search) error {
	posted := page.Posted(r)
	typed := page.SearchText(posted.Get("q"))
	found, err := search.Find(r.Context(), deskpipeline.SearchRequest{Typed: typed, App: posted.Get("lead"),
		Documents: len(matching([]page.Destination{downloadDocuments}, typed)) > 0})
	if err != nil {
		return err
	}
	model := presentSearch(h.Viewer(r), typed, found, h.Destinations(r))
	if page.IsFragment(r) {
		return h.Render(w, r, http.StatusOK, view.SearchResults(model))
	}
	model.Page = h.Layout(r, "Search")
	return h.Render(w, r, http.StatusOK, view.Search(model))
}

// presentSearch maps what a search found, and adds the actions and pages that match. The caller sets Page.
func presentSearch(v text.Viewer, typed string, found deskpipeline.SearchResult,
	pages []page.Destination) *view.SearchView {
	s := &view.SearchView{Query: typed}
	s.Add("leads", "Leads", presentFoundLeads(v, typed, found))
	if l := found.TopLead; l != nil && (found.PageLead == nil || found.PageLead.App() != l.App()) {
		actions := leadActions(v, l, false)
		s.Add("top", "On "+leadName(l), hitsOf(actions[:min(len(actions), 3)], ""))
	}
	if l := found.PageLead; l != nil {
		s.Add("lead", "On this lead: "+leadName(l), hitsOf(matching(leadActions(v, l, found.Documents), typed), typed))
	}
	s.Add("people", "People", presentFoundPeople(v, typed, found.People))
	var views []view.Hit
	for _, one := range found.Views {
		hit := view.Hit{Href: v.Base.Leads(savedQuery(one.Query)), Icon: "list-filter", Text: highlight(one.Name, typed),
			Sub: listText(savedQuery(one.Query))}
		if one.Owner != "" {
			hit.Sub = text.JoinNonEmpty(" · ", hit.Sub, "shared by "+one.Owner)
		}
		views = append(views, hit)
	}
	s.Add("views", "Saved views", views)
	s.Add("pages", "Actions", hitsOf(matching(pages, typed), typed))
	if found.Masked && typed != "" {
		s.Note = "Confirm who you are to search leads by name."
	}
	for i := range s.Groups {
		for j := range s.Groups[i].Hits {
			s.Groups[i].Hits[j].ID = "found-" + s.Groups[i].ID + "-" + strconv.Itoa(j)
		}
	}
	return s
}

func presentFoundLeads(v text.Viewer, typed string, found deskpipeline.SearchResult) []view.Hit {
	var hits []view.Hit
	for _, row := range found.Leads {
		name := text.OrDash(text.BorrowerName(row.Borrower, row.Name))
		sub := text.JoinNonEmpty(" · ", text.ShortID(row.Row), text.CityState(row.City, row.State))
		if string(row.Row.Originator) != v.Who.OriginatorUUID {
			sub = text.JoinNonEmpty(" · ", sub, row.Originator)
		}
		hits = append(hits, view.Hit{
			Href: v.Base.Lead(string(row.App)), Icon: "user-round", Text: highlight(name, typed), Sub: sub,
			Chip: ui.StatusChip(text.LeadStatus(row.Row)),
		})
	}
	if found.MoreLeads {
		hits = append(hits, view.Hit{
			Href: v.Base.Leads(to.LeadsQuery{View: "all", Q: typed}), Icon: "list-filter",
			Text: highlight("See all matching leads", ""),
		})
	}
	return hits
}

// presentFoundPeople links users who see a company's leads to those of the originator, and everybody else to the
// directory.
func presentFoundPeople(v text.Viewer, typed string, people []lead.Originator) []view.Hit {
	var hits []view.Hit
	for _, o := range people {
		hit := view.Hit{Icon: "users", Text: highlight(o.Name(), typed),
			Sub: text.JoinNonEmpty(" · ", text.NMLSOrUnknown(o.NMLS), o.Company())}
		if hit.Href = v.Base.OriginatorsNamed(o.Name()); v.Who.Can(access.SeePipeline) && v.Who.Scope().Covers(o.Owner()) &&
			v.Who.Scope().OriginatorUUID == "" {
			hit.Href, hit.Sub = v.Base.Leads(to.LeadsQuery{View: "all", Originator: string(o.UUID)}), hit.Sub+" · their leads"
		}
		hits = append(hits, hit)
	}
	return hits
}

// downloadDocuments is offered only for a lead with documents.
var downloadDocuments = page.Destination{Label: "Download documents", Icon: "file-text", Keywords: "zip files"}

// leadActions lists what the user can do with a lead by going somewhere: the most frequent first, then the tabs.
func leadActions(v text.Viewer, l *desklead.Lead, documents bool) []page.Destination {
	app, row := string(l.App()), l.Row()
	var all []page.Destination
	add := func(allowed bool, d page.Destination) {
		if allowed {
			all = append(all, d)
		}
	}
	tab := func(t to.Tab, icon string) page.Destination {
		return page.Destination{Label: "Go to " + text.LowerFirst(text.LeadTab(string(t))),
			Href: v.Base.LeadTab(app, t), Icon: icon}
	}
	hasOffers := row.StatusKey == heloc.StatusOffers
	add(hasOffers, tab(to.Offers, "calculator"))
	add(hasOffers, page.Destination{Label: "Show the borrower", Href: v.Base.LeadRead(app, "show"), Icon: "presentation"})
	add(hasOffers && l.Can(access.ActOnLead), page.Destination{Label: "Send link", Href: v.Base.Share(app), Icon: "link",
		Keywords: "share quote offers text email"})
	logForm := "#form-log-contact" // in the borrower's panel, or in the card of the steps at which the borrower acts
	if slices.Contains([]heloc.StatusKey{heloc.StatusBorrowerSignIn, heloc.StatusFollowUpSignIn, heloc.StatusBrokerDocs,
		heloc.StatusFollowUpDocs}, row.StatusKey) {
		logForm = "#form-contact"
		add(l.Can(access.ContactBorrower), page.Destination{Label: "Send link", Href: v.Base.Lead(app) + "#step",
			Icon: "link", Keywords: "share borrower sign-in text email"})
	}
	add(l.Can(access.AnnotateLead), page.Destination{Label: "Log call", Href: v.Base.Lead(app) + logForm, Icon: "phone",
		Keywords: "contact text email"})
	add(l.Can(access.AnnotateLead), page.Destination{Label: "Add note", Href: v.Base.Lead(app) + "#form-note",
		Icon: "sticky-note", Keywords: "follow-up reminder"})
	if download := downloadDocuments; documents {
		download.Href = v.Base.DocumentsZip(app)
		all = append(all, download)
	}
	add(l.Can(access.ReassignLead), page.Destination{Label: "Reassign",
		Href: v.Base.LeadAction(app, string(heloc.OpReassign)), Icon: "users", Keywords: "transfer move"})
	add(l.Can(access.ContactBorrower), page.Destination{Label: "Contact the borrower",
		Href: v.Base.Lead(app) + "#borrower", Icon: "user-round", Keywords: "call text email phone copy link"})
	add(true, tab(to.Overview, "house"))
	add(!hasOffers, tab(to.Offers, "calculator"))
	for _, t := range []to.Tab{to.Documents, to.Property, to.Underwriting, to.Funding, to.History, to.Activity} {
		add(true, tab(t, "file-text"))
	}
	return all
}

// matching returns the entries of which every typed word starts a word.
func matching(all []page.Destination, typed string) []page.Destination {
	return slices.DeleteFunc(slices.Clone(all), func(d page.Destination) bool {
		known := strings.Fields(heloc.FoldForSearch(d.Label + " " + d.Keywords))
		return slices.ContainsFunc(strings.Fields(heloc.FoldForSearch(typed)), func(word string) bool {
			return !slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(k, word) })
		})
	})
}

func hitsOf(all []page.Destination, typed string) []view.Hit {
	hits := make([]view.Hit, len(all))
	for i, d := range all {
		hits[i] = view.Hit{Href: d.Href, Icon: d.Icon, Text: highlight(d.Label, typed), Keys: d.Keys}
	}
	return hits
}

// highlight marks the starts of words that the user typed. It compares letter by letter, so a letter that folds to
// two is not marked.
func highlight(words, typed string) []view.HitWord {
	wanted := strings.Fields(heloc.FoldForSearch(typed))
	var all []view.HitWord
	for _, word := range strings.Fields(words) {
		letters, marked := []rune(word), 0
		for _, w := range wanted {
			if n := len([]rune(w)); n <= len(letters) && heloc.FoldForSearch(string(letters[:n])) == w {
				marked = max(marked, n)
			}
		}
		all = append(all, view.HitWord{Typed: string(letters[:marked]), Rest: string(letters[marked:])})
	}
	return all
}

func leadName(l *desklead.Lead) string {
	row := l.Row()
	return text.OrDash(text.BorrowerName(row.Borrower, l.Name))
}
