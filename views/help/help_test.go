package help

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func TestScreens_MeetPageRules(t *testing.T) {
	screens := map[string]templ.Component{
		"help": Help(View{Page: viewtest.Page("Help"), Title: "Help",
			Pages: []ui.NavLink{{Label: "Start", Href: "/help/start", Current: true}},
			Sections: []Section{{ID: "a", Title: "Words", Text: []string{"x"},
				Terms: []ui.Fact{{Label: "Lead", Value: "A person"}}}}}),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckLinksAndForms(t, screens)
}

func TestHelp_EveryPageHasContent(t *testing.T) {
	for _, l := range Pages(to.Full, "") {
		v, ok := Page(to.Full, strings.TrimPrefix(l.Href, "/help/"))
		if !ok || len(v.Sections) == 0 || v.Title == "" {
			t.Errorf("%s has no content", l.Href)
		}
	}
	if _, ok := Page(to.Full, "nonsense"); ok {
		t.Error("an unknown key has a help page")
	}
}

// TestHelp_EveryBlockedStep_HasSection checks that the link from a lead's card leads to a section about its step.
func TestHelp_EveryBlockedStep_HasSection(t *testing.T) {
	v, _ := Page(to.Full, "steps")
	sections := map[string]bool{}
	for _, s := range v.Sections {
		sections[s.ID] = true
	}
	for _, key := range text.StatusKeys() {
		if text.HasStepHelp(key) != sections[key] {
			t.Errorf("%s: linked %v, section %v", key, text.HasStepHelp(key), sections[key])
		}
	}
}
