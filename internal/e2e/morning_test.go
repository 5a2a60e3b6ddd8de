package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// maxMorningPresses is how many presses the first five things of a morning may take. Text typed in a field counts as
// one.
const maxMorningPresses = 20

// morning is a user who works through Today.
type morning struct {
	*window
	presses int
}

func (m *morning) pressOn(what, selector string) {
	m.t.Helper()
	m.waitUntil(what, fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
	m.click(what, selector)
	m.presses++
}

// finish does what the page of a lead asks for.
func (m *morning) finish(step string) {
	m.t.Helper()
	submit := func(form string) { m.pressOn("send "+form, "#"+form+" button[data-send], #"+form+" .btn.pri") }
	switch {
	case strings.Contains(step, "form-log-contact"):
		m.pressOn("told by phone", `#step #form-log-contact [value="call"]`)
	case strings.Contains(step, "form-asset-depletion"):
		if m.isTrue(`document.querySelector("#step .debts").compareDocumentPosition(` +
			`document.querySelector('#step [name="income.savingsAmount"]')) & Node.DOCUMENT_POSITION_FOLLOWING`) {
			m.pressOn("a debt", `#step [name="liabilityPayoff.selectedAccountsToPayoff"]`)
		} else {
			m.insert(`#step [name="income.savingsAmount"]`, "250000")
			m.presses++
		}
		submit("form-asset-depletion")
	case strings.Contains(step, "form-select-property"):
		m.pressOn("a property", `#step [name="property.propertyId"]`)
		submit("form-select-property")
	case strings.Contains(step, "select"):
		m.pressOn("an offer", `#offers-grid [name="offer.offerUuid"]`)
		m.waitUntil("the offer's figures", `!document.querySelector('#offers[aria-busy], #strip[aria-busy]')`)
		m.pressOn("select the offer", `[name="confirm.offer"]`)
	default:
		m.t.Fatalf("at %s there are the forms %q", m.path(), step)
	}
}

// TestToday_Morning_FiveThingsDone does the five most urgent things of a morning in the order of Today. Each leads to
// the next, so that the list is opened once.
func TestToday_Morning_FiveThingsDone(t *testing.T) {
	chromium(t)
	t.Parallel()
	for _, tt := range []struct {
		name  string
		width int64
		phone bool
	}{{"keyboard and mouse", 1440, false}, {"phone", 390, true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := startSeeded(t, "SANDBOX_PROCESSING=1m") // what was sent stays the lender's move
			olivia := d.signIn(t, "olivia@summit.test")
			m := &morning{window: d.openBrowser(t)}
			m.setSize(tt.width, 900, tt.phone)
			m.signIn("olivia@summit.test")
			next := func(link string) {
				t.Helper()
				m.ready()
				if tt.phone {
					m.pressOn("next", link)
				} else {
					m.press(".")
					m.presses++
				}
			}
			began := time.Now()
			m.visit("/leads?view=today")
			next(".today [data-do]")
			opened := map[string]bool{}
			for i := range 5 {
				m.waitUntil("another lead", `document.readyState === "complete" && `+
					`/^\/leads\/[0-9a-f-]{36}/.test(location.pathname) && !document.querySelector("#lead [aria-busy]")`)
				app := strings.Split(strings.Split(m.path(), "#")[0], "/")[2]
				if opened[app] {
					t.Fatalf("the lead of the thing %d was opened before: %s", i+1, m.path())
				}
				opened[app] = true
				m.ready()
				if !m.isTrue(`document.activeElement !== document.body`) {
					t.Errorf("%s: nothing has the focus", m.path())
				}
				step := evaluate[string](m.window, `[...document.querySelectorAll("#step form, #select")].map(f => f.id).join()`)
				evaluate[bool](m.window, `window.before = true`)
				m.finish(step)
				m.waitUntil("the lead after "+step, `!window.before && document.querySelector(".lead-id [data-do]")`)
				if row := olivia.get("/leads?view=today").Find("#lead-" + app); row.Length() != 0 {
					t.Errorf("after %s, the lead is still in Today: %s", step, strings.Join(strings.Fields(row.Text()), " "))
				}
				if i < 4 {
					next(".lead-id [data-do]")
					m.waitUntil("the next lead", fmt.Sprintf(`!location.pathname.includes(%q)`, app))
				}
			}
			t.Logf("%d px: five things done with %d presses in %.1f s", tt.width, m.presses, time.Since(began).Seconds())
			if m.presses > maxMorningPresses {
				t.Errorf("got %d presses, want at most %d", m.presses, maxMorningPresses)
			}
		})
	}
}
