package ui

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"hearthline/views/to"
)

// TestShortcuts_MatchScripts compares the table with the keys that the scripts act on.
func TestShortcuts_MatchScripts(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile("../../static/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var acted []string
	actions := regexp.MustCompile(`(?s)const actions = \{(.*?)\};`).FindStringSubmatch(read("keys.js"))
	if actions == nil {
		t.Fatal("keys.js has no actions")
	}
	for _, m := range regexp.MustCompile(`(?:^|[\s,])'?([^\s',:])'?:`).FindAllStringSubmatch(actions[1], -1) {
		acted = append(acted, m[1])
	}
	for _, m := range regexp.MustCompile(`e\.key === '(.)'`).FindAllStringSubmatch(read("offer_keys.js"), -1) {
		acted = append(acted, m[1])
	}
	var listed []string
	seen := map[string]bool{}
	for _, g := range Shortcuts() {
		for _, s := range g.Shortcuts {
			if s.ID != "" && seen[s.ID] {
				t.Errorf("the shortcut %q is listed twice", s.ID)
			}
			seen[s.ID] = true
			if s.ID != "" && s.Page == nil && s.Tab == "" {
				listed = append(listed, s.ID)
			}
		}
	}
	slices.Sort(acted)
	slices.Sort(listed)
	if !slices.Equal(acted, listed) {
		t.Errorf("the scripts act on %q, the table lists %q", acted, listed)
	}
}

func TestShortcutPages_HasNoSpaces(t *testing.T) {
	got := ShortcutPages(to.Embed("a b", "L 1"), "app", Shortcuts())
	for _, pair := range regexp.MustCompile(` `).Split(got, -1) {
		if !regexp.MustCompile(`^[a-z]{1,2}=/e/a%20b/L%201/[a-z#/-]*$`).MatchString(pair) {
			t.Errorf("got %q", pair)
		}
	}
}
