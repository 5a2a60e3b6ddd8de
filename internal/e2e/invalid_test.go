package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestInvalid_OwnMessageAtTheControl sends forms that lack something, with JavaScript and without: the message is
// ours and at the control, which has the focus; and what was typed stays.
func TestInvalid_OwnMessageAtTheControl(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	pages := screens(t, d)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")

	w.visit("/leads/new?sample=Rivera")
	w.insert(`[name="applicant.ssn"]`, "666-12-3456")
	w.click("send without consent", `form[method="post"][action="/leads"] button.pri`)
	w.wantTrue("no form is left to the browser", `[...document.forms].every(f => f.method !== "post" || f.noValidate || `+
		`f.querySelector("[type=date], [type=datetime-local]"))`)
	w.wantMissing("consent.method", "Choose one.")
	w.wantMissing("consent.attested", "Check this box to continue.")
	w.waitUntil("the first has the focus", `document.activeElement.name === "consent.method"`)
	w.wantTrue("the SSN is still there", `document.querySelector('[name="applicant.ssn"]').value === "666-12-3456"`)
	w.screenshot("missing-consent")
	w.click("how they agreed", `input[name="consent.method"][value="recorded-call"]`)
	w.wantTrue("the message is gone",
		`!document.getElementById("consent.method-e") && !document.querySelector('fieldset[aria-invalid]')`)

	lead := leadWith(t, pages, "borrower-sign-in")
	w.visit(lead)
	w.click("log a contact", `#log-contact summary`)
	w.click("log without a method", `#form-contact [type="submit"]`)
	w.wantMissing("contact.how", "Choose one.")
	w.screenshot("missing-contact")

	w.visit(leadWith(t, pages, "property-value"))
	const value, send = "propertyEstimate.borrowerEstimatedValue", "#form-add-property-estimate .btn.pri"
	w.fill(value, kb.Delete)
	w.click("send without a value", send)
	w.wantMissing(value, "Fill in this field.")
	w.insert(`[name="`+value+`"]`, "a lot")
	w.click("send what the server refuses", send)
	w.waitUntil("the server's message", fmt.Sprintf(`document.querySelector("#complaints") && document.getElementById(%q)`,
		value+"-e"))
	const said = `document.getElementById("` + value + `-e").textContent`
	refused := evaluate[string](w, said)
	w.fill(value, "610,000")
	w.keys(kb.Tab)
	w.wantTrue("the server's message stays until the server has answered", fmt.Sprintf(`%s === %q`, said, refused))
	w.click("send the value", send)
	w.waitUntil("the value is sent", `!document.querySelector("#form-add-property-estimate")`)

	w.enableScripts(false)
	w.visit(lead)
	w.click("log a contact", `#log-contact summary`)
	w.insert(`#form-contact [name="contact.note"]`, "Left a message")
	w.click("log without a method", `#form-contact [type="submit"]`)
	w.waitForText("Choose a contact method")
	w.wantMissing("contact.how", "Choose a contact method")
	w.wantTrue("the note stays",
		`document.querySelector('#form-contact [name="contact.note"]').value === "Left a message"`)
}

// wantMissing fails unless the message of a control is at it.
func (w *window) wantMissing(name, want string) {
	w.t.Helper()
	got := evaluate[string](w, fmt.Sprintf(`(() => {
		const el = document.querySelector('[name="%s"]'), group = el.closest("fieldset") ?? el,
			note = document.getElementById((el.type === "radio" ? group.id : el.id) + "-e");
		if (!note) return "no message";
		if ((el.type === "radio" ? group : el).getAttribute("aria-invalid") !== "true") return "not marked";
		const a = group.getBoundingClientRect(), b = note.getBoundingClientRect();
		return b.top - a.bottom > 60 ? "far away" : note.textContent.trim();
	})()`, name))
	if got != want {
		w.t.Errorf("%s: got %q, want %q", name, got, want)
	}
}
