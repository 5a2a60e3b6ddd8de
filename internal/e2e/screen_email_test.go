package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

// TestEmailChange_ByLink: an administrator offers a colleague another email, and the colleague opens the mail in a
// browser that is not signed in.
func TestEmailChange_ByLink(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	add := exec.CommandContext(t.Context(), path, "user", "add", "rea@hearthline.test", "--name", "Rea Lind", "--role",
		"admin", "--password-stdin", "--data", d.dir)
	add.Stdin = strings.NewReader(password + "\n")
	if output, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	w := d.openBrowser(t)
	w.signIn("admin@hearthline.test")
	href, _ := d.signIn(t, "admin@hearthline.test").get("/admin/users").Find(`#people a:contains("Rea Lind")`).Attr("href")
	w.visit(href)
	w.typeInto(`#email-panel input[name="email"]`, "rea.married@hearthline.test\r")
	w.waitForText("Waiting for confirmation:")
	w.checkAccessible("admin-person-offered")
	w.screenshot("admin-person-offered")

	reader := w.incognito(t)
	waitFor(t, stepTimeout, "the mail", func() bool {
		reader.visit("/outbox")
		return reader.isTrue(`!!document.querySelector('.outbox a[href^="/activate#"]')`)
	})
	reader.click("the link", `.outbox a[href^="/activate#"]`)
	reader.waitUntil("the sign-in page",
		`location.pathname === "/login" && location.hash === "" && document.readyState === "complete"`)
	reader.typeInto(`input[name="email"]`, "rea@hearthline.test")
	reader.typeInto(`input[name="password"]`, password+"\r")
	reader.waitUntil("the confirmation",
		`location.pathname === "/account/email" && document.querySelector('form[action="/account/email"] button')`)
	reader.checkAccessible("account-email-offered")
	reader.setSize(320, 800, true)
	reader.checkNoOverflow("account-email-offered-320")
	reader.screenshot("account-email-offered")
	reader.click("accept the email", `form[action="/account/email"] button`)
	reader.waitUntil("the account", `location.pathname === "/account" && `+
		`document.querySelector(".head")?.innerText.includes("rea.married@hearthline.test")`)
}
