package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
)

// runExpression runs an expression for its side effects.
func runExpression(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[chromedp.Void]("{"+expression+"};undefined")(ctx, t)
		return err
	})
}

// TestInjectedMarkup_HasNoEffect injects markup into a page: neither htmx nor the browser acts on it, and no text
// becomes markup or code.
func TestInjectedMarkup_HasNoEffect(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads")
	refused := evaluate[string](w, `(() => {
		const tried = [];
		for (const [name, deed] of Object.entries({
			innerHTML: () => { document.body.innerHTML = "<p>planted</p>" },
			insertAdjacentHTML: () => document.body.insertAdjacentHTML("beforeend", "<p>planted</p>"),
			script: () => { const s = document.createElement("script"); s.textContent = "window.planted = true";
				document.body.append(s) },
			handler: () => document.body.setAttribute("onclick", "window.planted = true"),
			policy: () => trustedTypes.createPolicy("mine", {createHTML: s => s}),
		})) {
			try { deed(); tried.push(name) } catch {}
		}
		// Only what the page does by itself is held to the policy: this call is the test's.
		setTimeout(() => { try { (0, eval)("window.planted = true") } catch { window.evalRefused = true } });
		return tried.join(" ");
	})()`)
	if refused != "" {
		t.Errorf("these were not blocked: %s", refused)
	}
	w.run("plant", runExpression(`(() => {
		const img = document.createElement("img");
		for (const [k, v] of [["hx-get", "/stolen"], ["hx-trigger", "load"], ["id", "strange"]]) img.setAttribute(k, v);
		document.querySelector("main").append(img);
		htmx.process(img);
	})()`))
	w.waitUntil("htmx removed it", `!document.querySelector("#strange").hasAttribute("hx-get")`)
	w.waitUntil("eval was blocked", `window.evalRefused`)
	if evaluate[bool](w, `!!window.planted || performance.getEntriesByName(location.origin + "/stolen").length > 0`) {
		t.Error("injected markup ran, or made a request")
	}
	if !evaluate[bool](w, `sessionStorage.broken.includes("trusted-types-policy") && `+
		`sessionStorage.broken.includes("require-trusted-types-for")`) {
		t.Error("the browser reported no violation")
	}
	w.run("clear what this test tried", runExpression(`delete sessionStorage.broken`))
}
