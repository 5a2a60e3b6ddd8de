package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestPeople_FromInvitationToOffboarding follows an originator of the demo's company through everything that a manager
// does with people. At every stage somebody who works sees the originator's lead.
func TestPeople_FromInvitationToOffboarding(t *testing.T) {
	chromium(t)
	t.Parallel()
	const email, name = "felix.farrow5@summit.test", "Felix Farrow"
	d := startSeeded(t, "SANDBOX_PROCESSING=300ms")

	// The originator activates their account by the link that is mailed to the address in the directory.
	felix := d.openBrowser(t)
	felix.visit("/activate")
	felix.typeInto(`#ask input[name="email"]`, email+"\r")
	felix.waitForText("Check your email")
	waitFor(t, stepTimeout, "the mail", func() bool {
		felix.visit("/outbox")
		return felix.isTrue(`!!document.querySelector('.outbox a[href^="/activate#"]')`)
	})
	felix.click("the link", `.outbox a[href^="/activate#"]`)
	felix.typeInto(`#set-up input[name="password"]`, password+"\r")
	felix.waitUntil("the account is set up", `location.pathname !== "/activate" && document.readyState === "complete"`)
	lead := d.signIn(t, email).startSample("Rivera").path
	everybody, sessions := []string{email, "olivia@summit.test", "marcus@summit.test", "maya@summit.test"},
		map[string]*httpUser{}
	for _, one := range everybody { // one session each: many would end those of the browsers
		sessions[one] = d.signIn(t, one)
	}
	wantSees := func(when string, want ...string) {
		t.Helper()
		var got []string
		for _, one := range everybody {
			if sessions[one].get(lead).status == http.StatusOK {
				got = append(got, one)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v see the lead, want %v", when, got, want)
		}
	}
	wantSees("before the absence", email, "maya@summit.test")

	// The manager invites an assistant, too, and finds both on the page of people. The assistant activates the account by
	// the mailed link and sees the lead.
	maya := felix.incognito(t)
	maya.signIn("maya@summit.test")
	maya.visit("/invite")
	maya.typeInto(`#form-invite input[name="name"]`, "Nora Newhire")
	maya.choose("role", "assistant")
	maya.click("all originators", `#form-invite input[name="worksFor"][value="*"]`)
	maya.typeInto(`#form-invite input[name="email"]`, "nora@hire.test\r")
	maya.waitForText("Nora Newhire")
	maya.visit("/team/people")
	maya.waitForText("by Maya Lindqvist")
	checkScreen(maya, "team-people", "/team/people")
	maya.setSize(1440, 1000, false)
	nora := felix.incognito(t)
	waitFor(t, stepTimeout, "the invitation", func() bool {
		nora.visit("/outbox")
		return nora.isTrue(`document.body.innerText.includes("nora@hire.test")`)
	})
	nora.click("the invitation", `.outbox a[href^="/activate#"]`)
	nora.typeInto(`#set-up input[name="password"]`, password+"\r")
	nora.waitUntil("the invited account is set up",
		`location.pathname !== "/activate" && document.readyState === "complete"`)
	if !seesLead(d, t, "nora@hire.test", lead) {
		t.Error("the invited assistant does not see the lead")
	}
	person := evaluate[string](maya, fmt.Sprintf(`[...document.querySelectorAll('table.people a.nm')].find(a => `+
		`a.textContent === %q)?.getAttribute('href') || ''`, name))
	if person == "" {
		t.Fatalf("%s is not on the page of people", name)
	}
	checkScreen(maya, "team-person", person)
	maya.setSize(1440, 1000, false)

	// The originator falls ill, and a colleague covers.
	olivia := felix.incognito(t)
	olivia.signIn("olivia@summit.test")
	maya.visit(person)
	maya.click("enter an absence", `a.btn[href^="/team/absences?"]`)
	maya.waitUntil("the form", `document.querySelector('#form-absence select[name="deputy"]')`)
	evaluate[bool](maya, `(() => {
		const form = document.querySelector('#form-absence'), today = new Date();
		form.deputy.value = [...form.deputy.options].find(o => o.text.startsWith('Olivia Bennett · ')).value;
		const later = new Date(today.getTime() + 3 * 86400000);
		// in the browser's time zone, which the account took when it was activated
		const days = new Intl.DateTimeFormat('en-CA');
		form.firstDay.value = days.format(today);
		form.lastDay.value = days.format(later);
		form.requestSubmit();
		return true;
	})()`)
	maya.waitForText("Absent now")
	wantSees("during the absence", email, "olivia@summit.test", "maya@summit.test")
	checkScreen(maya, "team-absences", "/team/absences")
	maya.setSize(1440, 1000, false)
	maya.visit("/team")
	maya.waitForText("covered by Olivia Bennett")
	checkScreen(maya, "team-absent", "/team")
	maya.setSize(1440, 1000, false)
	olivia.visit("/leads")
	olivia.waitForText("You’re covering for " + name)
	olivia.click("the covered list", `main .note a[href*="only=open"]`)
	olivia.waitForText("This list shows " + name + "’s leads.")
	checkScreen(olivia, "covered-list", olivia.path())
	olivia.setSize(1440, 1000, false)
	checkScreen(olivia, "covered-lead", lead)
	olivia.setSize(1440, 1000, false)
	olivia.visit(lead + "/activity")
	olivia.typeInto(`form[action$="/note"] textarea`, "The borrower asked about the rate")
	olivia.click("save the note", `form[action$="/note"] button`)
	olivia.waitForText("covering for " + name)

	// The originator returns, and reads what was done.
	felix.visit("/team/absences")
	felix.click("the absence", `main a.btn[href^="/team/absences/"]`)
	felix.waitForText("Olivia Bennett worked on 1 lead.")
	checkScreen(felix, "team-absence", felix.path())
	felix.setSize(1440, 1000, false)
	absence := felix.path()
	felix.visit(absence + "?did=note")
	felix.waitForText("1 lead matches the filters.")
	felix.visit(absence + "?did=contact")
	felix.waitForText("0 leads match the filters.")
	felix.visit(absence)
	felix.click("end it", `form[action$="/end"] button`)
	felix.waitForText("Ended early")
	wantSees("after the absence", email, "maya@summit.test")
	felix.visit("/leads")
	felix.waitForText("While you were away")
	checkScreen(felix, "returned", "/leads")
	felix.setSize(1440, 1000, false)
	felix.visit("/leads")
	felix.click("got it", `#returned form button`)
	felix.waitUntil("it is dismissed",
		`document.readyState === "complete" && location.pathname === "/leads" && !document.querySelector("#returned")`)

	// The originator leaves. The account does not close while the lead would be with nobody.
	maya.visit(person)
	maya.check(`input[name="confirm.close"]`)
	maya.click("disable", `#form-close button`)
	maya.waitForText("Reassign the open leads first, or leave them unassigned")
	wantSees("while the account cannot be disabled", email, "maya@summit.test")
	maya.check(`input[name="leave.unassigned"]`)
	if !maya.isTrue(`document.querySelector('input[name="confirm.close"]').checked`) {
		maya.check(`input[name="confirm.close"]`)
	}
	maya.click("disable", `#form-close button`)
	maya.waitUntil("the queue", `location.pathname === "/team/unassigned" && document.readyState === "complete"`)
	if !maya.isTrue(fmt.Sprintf(`document.querySelector('table.leads a[href=%q]')`, lead)) {
		t.Errorf("the lead is not in the queue: %s", excerpt(maya.text()))
	}
	felix.visit("/leads")
	if !strings.HasPrefix(felix.path(), "/login") {
		t.Errorf("the closed account is at %s", felix.path())
	}
	everybody = everybody[1:] // a closed account cannot sign in
	wantSees("after the originator has left", "maya@summit.test")
	maya.visit("/team/people?show=disabled")
	maya.waitForText(name)
	checkScreen(maya, "team-disabled", "/team/people?show=disabled")
	maya.setSize(1440, 1000, false)
	assignByRule(maya, d, lead)
}

// assignByRule lets rules assign a lead of the queue to Olivia, and reads what the pages say.
func assignByRule(maya *window, d *demo, lead string) {
	t := maya.t
	t.Helper()
	maya.visit("/team/rules")
	maya.waitForText("Unassigned leads wait until someone assigns them.")
	checkScreen(maya, "team-rules-off", "/team/rules")
	maya.setSize(1440, 1000, false)
	maya.visit("/team/rules")
	maya.check(`#form-rules input[name="active"]`)
	evaluate[bool](maya, `(() => { [...document.querySelectorAll('#form-rules label')].find(l => `+
		`l.textContent.includes("Olivia Bennett")).control.selectedIndex = 1; return true; })()`)
	maya.click("save", `#form-rules button`)
	maya.waitForText("in your name")
	waitFor(t, stepTimeout, "the rules assign the lead", func() bool {
		maya.visit("/team/rules")
		return maya.isTrue(fmt.Sprintf(`[...document.querySelectorAll('#log tbody tr')].some(r => `+
			`r.querySelector('a[href=%q]') && r.textContent.includes("Assigned") && r.textContent.includes("Olivia Bennett"))`,
			lead))
	})
	checkScreen(maya, "team-rules", "/team/rules")
	maya.setSize(1440, 1000, false)
	if !seesLead(d, t, "olivia@summit.test", lead) || !seesLead(d, t, "maya@summit.test", lead) {
		t.Error("the originator who got the lead and the manager do not both see it")
	}
	if inbox := d.signIn(t, "olivia@summit.test").get("/notifications").
		Text(); !strings.Contains(inbox, "By Maya Lindqvist’s assignment rules.") {
		t.Errorf("the notification does not say who assigned the lead: %s", excerpt(inbox))
	}
	maya.visit("/team/rules")
	maya.click("pause", `#status form button`)
	maya.waitForText("Paused since")
	checkScreen(maya, "team-rules-paused", "/team/rules")
}

// seesLead reports whether a user can open a lead now.
func seesLead(d *demo, t *testing.T, email, lead string) bool {
	t.Helper()
	return d.signIn(t, email).get(lead).status == http.StatusOK
}
