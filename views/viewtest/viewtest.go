// Package viewtest checks rendered screens in tests of the views: the rules that every screen follows, whichever
// area it belongs to.
package viewtest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/static"
	"hearthline/views/ui"
)

// Render returns the document that a component renders.
func Render(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Page returns the layout's data for a signed-in user.
func Page(title string) ui.Page {
	return ui.Page{Title: title, Person: ui.Person{Name: "Olivia Bennett", Initials: "OB", Subtitle: "NMLS 1847220"},
		EventsURL: "/events",
		Nav:       []ui.NavLink{{Label: "Leads", Href: "/leads", Current: true}},
		Menu:      []ui.NavLink{{Label: "Account", Href: "/account", Icon: "settings"}}}
}

// CheckScreens checks the rules for every screen: no inline styles or scripts, one h1, no duplicate id, no reference to
// an id that does not exist, a label for every control, a value for every option, every icon in the sprite, no panel
// inside a panel, and no SSN. With HEARTHLINE_DRAW set to a folder it also writes the screens there.
func CheckScreens(t *testing.T, screens map[string]templ.Component) {
	t.Helper()
	for name, screen := range screens {
		doc := Render(t, screen)
		write(t, name, doc)
		checkReferences(t, name, doc)
		checkControls(t, name, doc)
		doc.Find("use").Each(func(_ int, s *goquery.Selection) {
			if _, icon, _ := strings.Cut(s.AttrOr("href", ""), "#"); !static.HasIcon(icon) {
				t.Errorf("%s: no icon %q", name, icon)
			}
		})
		if doc.Find("[style], style, script:not([src]), [onclick]").Length() > 0 {
			t.Errorf("%s: the page has an inline style or script", name)
		}
		if n := doc.Find("h1").Length(); n != 1 {
			t.Errorf("%s: got %d h1, want 1", name, n)
		}
		if doc.Find("main").Length() != 1 || doc.Find("html[lang]").Length() != 1 {
			t.Errorf("%s: main or lang is missing", name)
		}
		if html, _ := doc.Html(); strings.Contains(html, "6789") {
			t.Errorf("%s: an SSN is on the page", name)
		}
		if doc.Find(".panel .panel").Length() > 0 {
			t.Errorf("%s: a panel is inside a panel", name)
		}
	}
}

// CheckPlaceholderIcon checks that the icon for what nobody expected appears in chips and notices only. A lead with
// an unknown step shows it elsewhere too.
func CheckPlaceholderIcon(t *testing.T, screens map[string]templ.Component) {
	t.Helper()
	for name, screen := range screens {
		if Render(t, screen).Find(`use[href$="#circle-help"]`).FilterFunction(func(_ int, s *goquery.Selection) bool {
			return s.Closest(".chip, .note").Length() == 0
		}).Length() > 0 {
			t.Errorf("%s: the placeholder icon is outside a chip or notice", name)
		}
	}
}

// CheckLinksAndForms checks that no id is empty, that every link inside a page has its target, and that every form has
// an action and a button.
func CheckLinksAndForms(t *testing.T, screens map[string]templ.Component) {
	t.Helper()
	for name, screen := range screens {
		doc := Render(t, screen)
		if doc.Find(`[id=""]`).Length() > 0 {
			t.Errorf("%s: an id is empty", name)
		}
		doc.Find(`a[href^="#"]`).Each(func(_ int, s *goquery.Selection) {
			if id := strings.TrimPrefix(s.AttrOr("href", ""), "#"); doc.Find(`[id="`+id+`"]`).Length() == 0 {
				t.Errorf("%s: a link refers to #%s, which does not exist", name, id)
			}
		})
		doc.Find(`form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
			if s.AttrOr("action", "") == "" || s.Find(`button[type="submit"]`).Length() == 0 {
				t.Errorf("%s: a form has no action or no button", name)
			}
		})
	}
}

// CheckConfirmations checks that every confirmation of a page is required and unchecked, and that there are at least
// two.
func CheckConfirmations(t *testing.T, name string, screen templ.Component) {
	t.Helper()
	boxes := Render(t, screen).Find(`[name^="confirm."], [name="consent.attested"]`)
	if boxes.Length() < 2 {
		t.Errorf("%s: got %d checkboxes, want at least 2", name, boxes.Length())
	}
	boxes.Each(func(_ int, s *goquery.Selection) {
		_, required := s.Attr("required")
		_, checked := s.Attr("checked")
		if !required || checked {
			t.Errorf("%s: %s required %v, checked %v", name, s.AttrOr("name", ""), required, checked)
		}
	})
}

func checkReferences(t *testing.T, name string, doc *goquery.Document) {
	t.Helper()
	ids := map[string]int{}
	doc.Find("[id]").Each(func(_ int, s *goquery.Selection) { ids[s.AttrOr("id", "")]++ })
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%s: id %q is used %d times", name, id, n)
		}
	}
	doc.Find("[aria-describedby], [aria-labelledby], [popovertarget]").Each(func(_ int, s *goquery.Selection) {
		for _, a := range []string{"aria-describedby", "aria-labelledby", "popovertarget"} {
			for _, id := range strings.Fields(s.AttrOr(a, "")) {
				if ids[id] == 0 {
					t.Errorf("%s: %s refers to %q, which does not exist", name, a, id)
				}
			}
		}
	})
}

func checkControls(t *testing.T, name string, doc *goquery.Document) {
	t.Helper()
	doc.Find("input:not([type=hidden]), select, textarea").Each(func(_ int, s *goquery.Selection) {
		id := s.AttrOr("id", "")
		if s.Closest("label").Length() == 0 && doc.Find(`label[for="`+id+`"]`).Length() == 0 {
			t.Errorf("%s: control %q has no visible label", name, s.AttrOr("name", id))
		}
	})
	doc.Find("option").Each(func(_ int, s *goquery.Selection) {
		if _, ok := s.Attr("value"); !ok {
			t.Errorf("%s: option %q has no value", name, s.Text())
		}
	})
}

// write saves a screen, so that somebody can look at it without starting the portal.
func write(t *testing.T, name string, doc *goquery.Document) {
	t.Helper()
	dir := os.Getenv("HEARTHLINE_DRAW")
	if dir == "" {
		return
	}
	html, _ := doc.Html()
	file := strings.NewReplacer(" ", "-", ",", "").Replace(name) + ".html"
	//nolint:gosec // the developer names the folder
	if err := os.WriteFile(filepath.Join(dir, file), []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
}
