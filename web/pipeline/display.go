package pipeline

import (
	"net/http"
	"strings"

	pageview "hearthline/views/page"
	"hearthline/web/page"
)

// columnsCookie stores the columns of lists in the browser. A phone and a desktop may differ.
const columnsCookie = "columns"

// SetDisplay stores which columns lists have and how high their rows are, and returns to the list.
func (h *Handlers) SetDisplay(w http.ResponseWriter, r *http.Request) error {
	posted, secure := page.Posted(r), strings.HasPrefix(h.Origin, "https:")
	page.SetAppearanceCookie(w, columnsCookie, pageview.ParseLeadColumns(posted["column"]).Cookie(), secure)
	if density := posted.Get("density"); density == "compact" || density == "comfortable" {
		page.SetAppearanceCookie(w, "density", density, secure)
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Leads(ParseLeadsQuery(r)))
}

// chosenColumns returns the columns that the browser stores, or the default ones.
func chosenColumns(r *http.Request) pageview.LeadColumns {
	c, err := r.Cookie(columnsCookie)
	if err != nil {
		return pageview.DefaultLeadColumns()
	}
	return pageview.LeadColumnsOfCookie(c.Value)
}
