package e2e

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// checkMarkup fails for the errors that validators of HTML find and browsers hide: elements that are not closed in
// order, blocks in paragraphs, forms, links and buttons inside each other, ids that are used twice, a required select
// whose first option is not empty, labels and times without what they refer to, meta elements in the body, a reload
// without a space before its URL, autocomplete on a file, and columns of a table in which no cell begins.
func checkMarkup(t *testing.T, name string, page []byte) {
	t.Helper()
	for _, problem := range markupProblems(page) {
		t.Errorf("%s: %s", name, problem)
	}
}

// notInside lists elements that must not be inside another one, which a parser would silently move or close.
var notInside = map[atom.Atom][]atom.Atom{
	atom.A: {atom.A, atom.Button}, atom.Button: {atom.A, atom.Button}, atom.Form: {atom.Form}, atom.Label: {atom.Label},
	atom.Input: {atom.A, atom.Button}, atom.Select: {atom.A, atom.Button},
	atom.P: {atom.P, atom.Span, atom.B}, atom.Div: {atom.P, atom.Span, atom.B, atom.Label}, atom.Ul: {atom.P, atom.Span},
	atom.Table: {atom.P, atom.Span}, atom.Section: {atom.P, atom.Span}, atom.Details: {atom.P, atom.Span},
	atom.Fieldset: {atom.P, atom.Span}, atom.H2: {atom.P, atom.Span}, atom.H3: {atom.P, atom.Span},
}

var voidElements = []atom.Atom{
	atom.Area, atom.Base, atom.Br, atom.Col, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Wbr,
}

type markup struct {
	tables   []*columns // that are open
	open     []html.Token
	ids      map[string]int
	refs     []string
	problems []string
}

func (m *markup) note(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))
}

func (m *markup) inside(a atom.Atom) bool {
	return slices.ContainsFunc(m.open, func(t html.Token) bool { return t.DataAtom == a })
}

func markupProblems(page []byte) []string {
	m, tokens := &markup{ids: map[string]int{}}, html.NewTokenizer(bytes.NewReader(page))
	for {
		switch kind := tokens.Next(); kind {
		case html.ErrorToken:
			return m.end()
		case html.StartTagToken, html.SelfClosingTagToken:
			m.start(tokens.Token(), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			m.close(tokens.Token())
		}
	}
}

func (m *markup) start(t html.Token, closed bool) {
	for _, outer := range notInside[t.DataAtom] {
		if m.inside(outer) {
			m.note("%s is inside %s", t, outer)
		}
	}
	m.attributes(t)
	m.table(t)
	if kind, _ := attribute(t, "type"); t.DataAtom == atom.Input && kind == "file" {
		if _, has := attribute(t, "autocomplete"); has {
			m.note("%s has autocomplete", t)
		}
	}
	if content, _ := attribute(t, "content"); t.DataAtom == atom.Meta && strings.Contains(content, ";url=") {
		m.note("%s has no space before its URL", t)
	}
	if t.DataAtom == atom.Meta && m.inside(atom.Body) {
		m.note("%s is in the body", t)
	}
	if t.DataAtom == atom.Option && len(m.open) > 0 {
		m.option(m.open[len(m.open)-1], t)
	}
	if !closed && !slices.Contains(voidElements, t.DataAtom) {
		m.open = append(m.open, t)
	}
}

// columns are those of a table.
type columns struct {
	begins      map[int]bool // columns in which a cell begins
	at, most    int          // the column of the next cell of the row, and of all rows
	severalRows bool         // a cell spans rows, so that the positions of others are unknown
	widest      string
}

// table notes in which column a cell begins.
func (m *markup) table(t html.Token) {
	switch t.DataAtom {
	case atom.Table:
		m.tables = append(m.tables, &columns{begins: map[int]bool{}})
	case atom.Tr:
		if n := len(m.tables); n > 0 {
			m.tables[n-1].at = 0
		}
	case atom.Td, atom.Th:
		if len(m.tables) == 0 {
			return
		}
		c, span := m.tables[len(m.tables)-1], 1
		if text, has := attribute(t, "colspan"); has {
			span, _ = strconv.Atoi(text)
		}
		if _, has := attribute(t, "rowspan"); has {
			c.severalRows = true
		}
		c.begins[c.at] = true
		c.at += span
		if c.at > c.most {
			c.most, c.widest = c.at, t.String()
		}
	}
}

// closeTable checks the columns of the table that ends.
func (m *markup) closeTable() {
	c := m.tables[len(m.tables)-1]
	m.tables = m.tables[:len(m.tables)-1]
	for n := range c.most {
		if !c.begins[n] && !c.severalRows {
			m.note("%s spans column %d, in which no cell begins", c.widest, n+1)
		}
	}
}

// option checks the first option of a required select.
func (m *markup) option(parent, t html.Token) {
	value, _ := attribute(t, "value")
	if _, required := attribute(parent, "required"); parent.DataAtom == atom.Select && required && value != "" {
		m.note("%s is required, and its first option is not empty", parent)
	}
	for i := range parent.Attr { // only the first option counts
		if parent.Attr[i].Key == "required" {
			parent.Attr[i].Key = "was-required"
		}
	}
}

func (m *markup) attributes(t html.Token) {
	for _, a := range t.Attr {
		switch {
		case a.Key == "id":
			m.ids[a.Val]++
			if a.Val == "" || strings.ContainsAny(a.Val, " \t\n") || m.ids[a.Val] == 2 {
				m.note("the id %q is empty, has a space, or is used twice", a.Val)
			}
		case a.Key == "for", a.Key == "aria-describedby", a.Key == "aria-labelledby", a.Key == "popovertarget",
			a.Key == "form", a.Key == "list":
			m.refs = append(m.refs, strings.Fields(a.Val)...)
		case a.Key == "datetime" && a.Val == "":
			m.note("%s has no time", t)
		}
	}
}

func (m *markup) close(t html.Token) {
	if len(m.open) == 0 || m.open[len(m.open)-1].DataAtom != t.DataAtom || m.open[len(m.open)-1].Data != t.Data {
		m.note("%s closes nothing that is open: %v", t, m.open[max(0, len(m.open)-3):])
		return
	}
	m.open = m.open[:len(m.open)-1]
	if t.DataAtom == atom.Table {
		m.closeTable()
	}
}

func (m *markup) end() []string {
	for _, t := range m.open {
		m.note("%s is not closed", t)
	}
	for _, id := range m.refs {
		if m.ids[id] == 0 {
			m.note("something refers to #%s, which does not exist", id)
		}
	}
	return m.problems
}

func attribute(t html.Token, name string) (string, bool) {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func TestMarkupProblems_FindsEachKind(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		`<p><div></div></p>`:                                     "is inside p",
		`<a href="/"><button>x</button></a>`:                     "is inside a",
		`<form><form></form></form>`:                             "is inside form",
		`<i id="a"></i><i id="a"></i>`:                           "used twice",
		`<select required><option value="x">x</option></select>`: "first option is not empty",
		`<body><meta charset="utf-8"></body>`:                    "in the body",
		`<label for="nowhere">x</label>`:                         "refers to #nowhere",
		`<time datetime="">x</time>`:                             "has no time",
		`<div><b></div></b>`:                                     "closes nothing",
		`<ul><li>x`:                                              "is not closed",
		`<input type="file" autocomplete="off">`:                 "has autocomplete",
		`<meta http-equiv="refresh" content="9;url=/x">`:         "no space before its URL",
		`<table><tr><td></td><td colspan="2"></td></tr></table>`: "in which no cell begins",
	} {
		if got := strings.Join(markupProblems([]byte(page)), "; "); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", page, got, want)
		}
	}
	sound := `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"></head><body><p id="a">x<br>y <b>z</b></p>` +
		`<select required aria-describedby="a"><option value="">Choose</option><option value="x">x</option></select>` +
		`</body></html>`
	if got := markupProblems([]byte(sound)); len(got) > 0 {
		t.Errorf("got %q for a sound page", got)
	}
}
