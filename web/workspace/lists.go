package workspace

import (
	"slices"
	"strconv"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// rowsPerPage is the number of list rows on a page, as in the lead lists.
const rowsPerPage = 50

// Lists tracks the current page of each list on a tab. The name of a list is the id of its panel and the query
// parameter in the tab's URL that holds the key of the row after which the list starts.
type Lists struct {
	urls  to.LeadURLs
	tab   to.Tab
	names []string
	after map[string]string
}

// NewLists returns the lists of the displayed tab.
func NewLists(v text.Viewer, d *Data, names ...string) Lists {
	l := Lists{urls: d.URLs(v), tab: d.Tab, names: names, after: map[string]string{}}
	for _, name := range names {
		l.after[name] = d.Query.Get(name)
	}
	return l
}

// After returns the key after which a list starts; it is empty for its first page.
func (l Lists) After(name string) string { return l.after[name] }

// url returns the URL of the tab with one list starting after a key and the other lists unchanged.
func (l Lists) url(name, after string) string {
	var pairs []string
	for _, n := range l.names {
		if n == name {
			pairs = append(pairs, n, after)
		} else {
			pairs = append(pairs, n, l.after[n])
		}
	}
	return l.urls.Base.LeadTabLists(l.urls.App, l.tab, pairs...)
}

// UpdateURL returns the URL that a live update of the page requests, with every list on its current page.
func (l Lists) UpdateURL() string { return l.url("", "") }

// Pager returns the footer of a list with n rows on the page; next is the key of the next page, or empty. The links
// jump to the list's panel.
func (l Lists) Pager(name string, n int, one, many, next string) ui.PagerView {
	p := ui.PagerView{CountText: text.PageCount(n, one, many, l.after[name] == "", next != "")}
	if len(l.names) > 1 {
		p.Label = "Pages of " + many
	}
	p.Links(l.after[name], next, func(after string) string { return l.url(name, after) + "#" + name })
	return p
}

// Lists whose rows also have technical details.
const (
	DocumentsList = "documents"
	TransfersList = "transfers"
)

// DocumentsOf returns the page of a lead's documents, and the key of the next page.
func DocumentsOf(l Lists, s desklead.Snapshot) (rows []lead.KnownDocument, next string) {
	rows, _, next = PageOf(l, DocumentsList, s.Documents, func(i int) string { return s.Documents[i].UUID })
	return rows, next
}

// TransfersOf returns the page of a lead's transfers, the number of the first of them, and the key of the next page.
func TransfersOf(l Lists, s desklead.Snapshot) (rows []heloc.Transaction, first int, next string) {
	if s.Funding == nil {
		return nil, 0, ""
	}
	rows, start, next := PageOf(l, TransfersList, s.Funding.Transactions, Numbered)
	return rows, start + 1, next
}

// Numbered returns the key of a row in a list that the lender only appends to and whose rows have no id.
func Numbered(i int) string { return strconv.Itoa(i + 1) }

// PageOf returns one page of a list that the lender returns in full, the index of its first row, and the key of the
// next page. If the row after which the page starts is gone, it returns the first page. If several rows share a key,
// the page starts after the last of them.
func PageOf[T any](l Lists, name string, all []T, key func(i int) string) (rows []T, start int, next string) {
	after := l.after[name]
	for i := len(all) - 1; i >= 0 && after != ""; i-- {
		if key(i) == after {
			start = i + 1
			break
		}
	}
	end := min(start+rowsPerPage, len(all))
	if end < len(all) {
		next = key(end - 1)
	}
	return slices.Clip(all[start:end]), start, next
}
