package e2e

import (
	"fmt"
	"net/url"
	"testing"
)

// countUpdates counts the updates of the lead that the page has fetched and processed.
const countUpdates = `(() => {
	window.updates = 0;
	document.addEventListener("htmx:finally:request",
		e => { if (e.detail.ctx.sourceElement?.id === "lead") window.updates++; });
	return true;
})()`

// leadOf starts an inquiry as olivia in the window and waits for the selector.
func (w *window) leadOf(lastName, selector string) string {
	w.t.Helper()
	w.visit("/leads/new?sample=Rivera")
	w.fill("applicant.name.lastName", lastName)
	w.click("consent method", `input[name="consent.method"][value="recorded-call"]`)
	w.click("attest", `input[name="consent.attested"]`)
	w.click("send", `form[method="post"][action="/leads"] button.pri`)
	w.waitUntil("the lead", `/^\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	w.waitUntil(selector, fmt.Sprintf(`document.querySelector(%q)`, selector))
	return w.path()
}

// addNoteElsewhere adds a note to the lead from another session, which changes the lead on every page that shows it,
// and waits until the page has fetched the update.
func (w *window) addNoteElsewhere(elsewhere *httpUser, lead, text string) {
	w.t.Helper()
	before := evaluate[int](w, "window.updates")
	elsewhere.send(form{action: lead + "/note", values: url.Values{"note": {text}}})
	w.waitUntil("the page has received the change", fmt.Sprintf("window.updates > %d", before))
}

func (w *window) wantTrue(what, expression string) {
	w.t.Helper()
	if !evaluate[bool](w, "!!("+expression+")") {
		w.t.Errorf("not so: %s", what)
	}
}

// TestLiveUpdate_FormWithErrors_Stays submits an invalid form and then changes the lead.
func TestLiveUpdate_FormWithErrors_Stays(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	elsewhere := d.signIn(t, "olivia@summit.test")
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead := w.leadOf("Rivera-Match", `form[action$="/add-ssn"]`)
	forms := []struct{ name, control, typed, press string }{
		{"SSN", "applicant.ssn", "12345", `form[action$="/add-ssn"] button.pri`},
		{"reminder", "followUp.on", "01022020", `#form-follow-up button`},
	}
	for _, f := range forms {
		w.visit(lead)
		if f.name == "reminder" {
			w.click("add a reminder", "#reminder > summary")
		}
		w.fill(f.control, f.typed)
		w.click("send", f.press)
		w.waitUntil("the error", fmt.Sprintf(`document.querySelector('[name=%q][aria-invalid="true"]')`, f.control))
		w.waitUntil("the page is subscribed",
			`document.readyState === "complete" && document.querySelector("#lead[data-htmx-powered]")`)
		evaluate[bool](w, countUpdates)
		evaluate[bool](w, `(document.activeElement.blur(), true)`)
		w.addNoteElsewhere(elsewhere, lead, "Called the borrower about the "+f.name)
		w.wantTrue(f.name+": the error is still shown",
			fmt.Sprintf(`document.querySelector('[name=%q][aria-invalid="true"]')`, f.control))
		w.waitUntil(f.name+": the page says beside it that the lead has changed",
			`document.querySelector("#lead-changed")?.innerText.includes("This lead has changed.")`)
		w.checkAccessible("a held form: " + f.name)
		w.screenshot("held-" + f.name)
		w.click("load", `#lead-changed a`)
		w.waitForText("Called the borrower about the " + f.name)
		w.waitUntil("the form is unchanged",
			`!document.querySelector('[aria-invalid="true"]') && !document.querySelector("#lead-changed")`)
	}
	d.checkLogHasNoPII(t)
}

// TestLiveUpdate_WorkBegun_Stays types, checks boxes, opens details and reads, and then changes the lead.
func TestLiveUpdate_WorkBegun_Stays(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	elsewhere := d.signIn(t, "olivia@summit.test")
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead := w.leadOf("Rivera-Match", `form[action$="/add-ssn"]`)
	ready := func() {
		t.Helper()
		w.visit(lead)
		w.waitUntil("the page is subscribed",
			`document.readyState === "complete" && document.querySelector("#lead[data-htmx-powered]")`)
		evaluate[bool](w, countUpdates)
	}

	ready()
	w.fill("note", "The borrower asked to be ca")
	evaluate[bool](w, `(document.getElementById("note").setSelectionRange(4, 12), true)`)
	w.addNoteElsewhere(elsewhere, lead, "first")
	w.wantTrue("text, focus and caret are unchanged",
		`document.activeElement.id === "note" && document.activeElement.value === "The borrower asked to be ca" &&
		document.activeElement.selectionStart === 4 && document.activeElement.selectionEnd === 12`)
	w.waitForText("first")
	w.waitUntil("the page shows beside the form that the lead has changed",
		`document.querySelector("#lead-changed")?.nextElementSibling?.id === "form-note"`)
	evaluate[bool](w, `(document.activeElement.blur(), true)`)
	w.addNoteElsewhere(elsewhere, lead, "second")
	w.wantTrue("the text remains without the focus",
		`document.getElementById("note").value === "The borrower asked to be ca"`)

	// The lead moves on: the form stays although the new step does not need it.
	ready()
	w.fill("applicant.ssn", "123-45")
	f := elsewhere.get(lead).form(`form[action$="/add-ssn"]`)
	f.values.Set("applicant.ssn", "123-45-6789")
	elsewhere.send(f)
	w.waitUntil("the page shows that the lead has changed", `document.querySelector("#lead-changed")`)
	w.wantTrue("the typed text is there", `document.querySelector('[name="applicant.ssn"]').value === "123-45"`)
	w.click("load", `#lead-changed a`)
	w.waitUntil("offers are ready", `document.title.startsWith("Offers ready")`)

	ready()
	w.click("the menu", `[popovertarget="lead-menu"]`)
	w.click("cancel", `#lead-menu [popovertarget="cancel"]`)
	w.waitUntil("the dialog", `document.querySelector("#cancel:popover-open")`)
	w.click("confirm", `[name="confirm.cancel"]`)
	evaluate[bool](w, `(document.activeElement.blur(), true)`)
	w.addNoteElsewhere(elsewhere, lead, "third")
	w.wantTrue("the dialog remains open, with its box checked",
		`document.querySelector("#cancel:popover-open") && document.querySelector('[name="confirm.cancel"]').checked`)

	// A form that was kept for its focus alone, or whose text was removed again, is fetched again
	// afterwards: otherwise it would be sent for a step that has passed.
	for name, typed := range map[string]string{"Brook-Match": "", "Stone-Match": "1"} {
		lead := w.leadOf(name, `form[action$="/add-ssn"]`)
		w.visit(lead)
		w.waitUntil("the page listens",
			`document.readyState === "complete" && document.querySelector("#lead[data-htmx-powered]")`)
		const operation = `document.querySelector('form[action$="/add-ssn"] [name="operation"]')?.value`
		before := evaluate[string](w, operation)
		evaluate[bool](w, `(document.querySelector('[name="applicant.ssn"]').focus(), true)`)
		if typed != "" {
			w.fill("applicant.ssn", typed)
		}
		f := elsewhere.get(lead).form(`form[action$="/add-ssn"]`)
		f.values.Set("applicant.ssn", "123-45-0000")
		elsewhere.send(f)
		w.waitUntil(name+": the page says that the lead has changed",
			`document.querySelector("#lead-changed")?.nextElementSibling?.action.endsWith("/add-ssn")`)
		w.waitUntil(name+": the lender has answered", `document.querySelector("#lead").innerText.includes("Still no match")`)
		evaluate[bool](w, `(() => { const el = document.querySelector('[name="applicant.ssn"]'); el.value = ""; `+
			`el.dispatchEvent(new Event("input", {bubbles: true})); el.blur(); return true })()`)
		w.waitUntil(name+": the form is that of the second attempt",
			fmt.Sprintf(`%s && %s !== %q`, operation, operation, before))
		w.waitUntil(name+": nothing is said any more", `!document.querySelector("#lead-changed, #lead [hx-morph-skip]")`)
	}

	// A focus that held the update up lets it through when it leaves with nothing entered.
	ready()
	evaluate[bool](w, `(document.getElementById("note").focus(), true)`)
	w.addNoteElsewhere(elsewhere, lead, "fourth")
	w.wantTrue("the focus remains", `document.activeElement.id === "note"`)
	evaluate[bool](w, `(document.activeElement.blur(), true)`)
	w.waitForText("fourth")
	w.waitUntil("the message is gone", `!document.querySelector("#lead-changed")`)
	d.checkLogHasNoPII(t)
}

// TestLiveUpdate_FormBusy_Postponed lets the lead change while a form is being submitted.
func TestLiveUpdate_FormBusy_Postponed(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	elsewhere := d.signIn(t, "olivia@summit.test")
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead := w.leadOf("Rivera-Match", `form[action$="/add-ssn"]`)
	w.visit(lead)
	w.waitUntil("the page listens",
		`document.readyState === "complete" && document.querySelector("#lead[data-htmx-powered]")`)
	// The probe is told of a change at the same moment as the lead.
	evaluate[bool](w, `(() => {
		document.querySelector("#form-note").setAttribute("aria-busy", "true");
		const probe = document.createElement("i");
		probe.dataset.live = document.querySelector("#lead").dataset.live;
		probe.addEventListener("live", () => { window.probed = true; });
		document.body.append(probe);
		return true;
	})()`)
	elsewhere.send(form{action: lead + "/note", values: url.Values{"note": {"written meanwhile"}}})
	w.waitUntil("the page has heard of the change", "window.probed")
	w.wantTrue("the lead is not updated while its form is busy",
		`!document.querySelector("#lead").innerText.includes("written meanwhile")`)
	evaluate[bool](w, `(document.querySelector("#form-note").removeAttribute("aria-busy"), true)`)
	w.waitForText("written meanwhile")
	d.checkLogHasNoPII(t)
}

// TestLiveUpdate_Said checks what the live region announces for updates of a lead, of a lead with a half-filled form,
// and of a list.
func TestLiveUpdate_Said(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	maya := d.signIn(t, "maya@summit.test")
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	said := func(what, text string) {
		t.Helper()
		w.waitUntil(what, fmt.Sprintf(`document.querySelector("#said").textContent.startsWith(%q)`, text))
	}
	lead := w.leadOf("Rivera-Match", `form[action$="/add-ssn"]`)
	said("the step", "SSN needed. The bureau couldn’t find the borrower by name and address. Your move, due in ")

	w.visit(lead)
	w.ready()
	w.wantTrue("updates are counted", countUpdates)
	w.fill("applicant.ssn", "51244")
	w.addNoteElsewhere(maya, lead, "call back")
	said("a change beside a form", "This lead has changed. Note added by Maya Lindqvist.")
	w.waitForText("Note added by Maya Lindqvist. Loading the latest version clears this form.")

	// Offers arrive while an open dialog and then a half-typed note hold the page; each event is said once.
	for name, held := range map[string]string{
		"Moreno": `(e => { e.className = "dialog"; e.popover = "auto"; e.append(document.createElement("p"));
			document.querySelector("#lead").append(e); e.showPopover(); })(document.createElement("div")) ?? true`,
		"Okafor": `(e => { e.focus(); e.value = "half"; return true })(` +
			`document.querySelector('#lead textarea[name="note"]'))`,
	} {
		priced := w.leadOf(name, "#lead")
		w.ready()
		w.wantTrue("updates are counted", countUpdates)
		w.wantTrue("what is said is recorded", `window.allSaid = [document.querySelector("#said").textContent],
			new MutationObserver(() => allSaid.push(document.querySelector("#said").textContent))
				.observe(document.querySelector("#said"), {childList: true})`+" ?? true")
		w.wantTrue("the page is held", held)
		const offers = `allSaid.filter(text => text.includes("Offers are ready")).length`
		w.waitUntil("the offers", offers)
		w.addNoteElsewhere(maya, priced, "one")
		w.addNoteElsewhere(maya, priced, "two")
		if got := evaluate[[]string](w, "allSaid"); evaluate[int](w, offers) != 1 {
			t.Errorf("the offers are not said once: %q", got)
		}
	}

	w.visit("/leads?view=blocked")
	w.ready()
	maya.send(form{action: lead + "/note", values: url.Values{"note": {"again"}}})
	said("a row of the list", "Elena Rivera-Match: SSN needed")
}
