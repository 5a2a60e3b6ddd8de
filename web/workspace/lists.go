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

// rowsPerPage is how many rows of a list a page has, as in the lists of leads.
const rowsPerPage = 50

// Lists are the lists of a tab, each with its pages. The name of a list is the id of its panel, and the parameter of
// the tab's URL with the key of the row after which the list starts.
type Lists struct {
	urls  to.LeadURLs
	tab   to.Tab
	names []string
	after map[string]string
}

// NewLists returns the lists of the tab that is shown.
func NewLists(v text.Viewer, d *Data, names ...string) Lists {
	l := Lists{urls: d.URLs(v), tab: d.Tab, names: names, after: map[string]string{}}
	for _, name := range names {
		l.after[name] = d.Query.Get(name)
	}
	return l
}

// After returns the key after which a list starts; it is empty for its first page.
func (l Lists) After(name string) string { return l.after[name] }

// url returns the tab with a list that starts after a key, and the others where they are.
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

// UpdateURL returns what an update of the page requests: the lists as they are displayed.
func (l Lists) UpdateURL() string { return l.url("", "") }

// Pager returns the footer of a list with n rows on the page; next is the key of the next page, or empty. The links
// lead to the panel of the list.
func (l Lists) Pager(name string, n int, one, many, next string) ui.PagerView {
	p := ui.PagerView{CountText: text.PageCount(n, one, many, l.after[name] == "", next != "")}
	if len(l.names) > 1 {
		p.Label = "Pages of " + many
	}
	if l.after[name] != "" {
		p.First = l.url(name, "") + "#" + name
	}
	if next != "" {
		p.Next = l.url(name, next) + "#" + name
	}
	return p
}

// The lists of which each row has technical details too.
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

// Numbered is the key of a row of a list that the lender only appends to, and whose rows have no id.
func Numbered(i int) string { return strconv.Itoa(i + 1) }

// PageOf returns the page of a list that the lender returns as a whole, the index of its first row, and the key of the
// next page. If the row after which the page starts is gone, it returns the first page. A key that several rows have
// is that of the last one.
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
