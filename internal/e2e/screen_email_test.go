package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAnotherEMailOpensByItsLink is an administrator who offers a colleague another e-mail, and
// the colleague, who reads the mail in a browser that is not signed in.
func TestAnotherEMailOpensByItsLink(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	add := exec.CommandContext(t.Context(), path, "user", "add", "rea@hearthline.test", "--name", "Rea Lind", "--role", "admin", "--password-stdin", "--data", d.dir)
	add.Stdin = strings.NewReader(password + "\n")
	if said, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	w := d.open(t)
	w.signIn("admin@hearthline.test")
	href, _ := d.signIn(t, "admin@hearthline.test").get("/admin/users").Find(`#people a:contains("Rea Lind")`).Attr("href")
	w.visit(href)
	w.do("offer it", chromedp.SendKeys(chromedp.CSS(`#email-panel input[name="email"]`), "rea.married@hearthline.test\r"))
	w.says("Waits for them:")
	w.accessible("admin-person-offered")
	w.shot("admin-person-offered")

	reader := w.stranger(t)
	within(t, step, "the mail", func() bool {
		reader.visit("/outbox")
		return reader.holds(`!!document.querySelector('.outbox a[href^="/activate#"]')`)
	})
	reader.click("the link", `.outbox a[href^="/activate#"]`)
	reader.until("the log-in", `location.pathname === "/login" && location.hash === "" && document.readyState === "complete"`)
	reader.do("log in",
		chromedp.SendKeys(chromedp.CSS(`input[name="email"]`), "rea@hearthline.test"),
		chromedp.SendKeys(chromedp.CSS(`input[name="password"]`), password+"\r"),
	)
	reader.until("the question", `location.pathname === "/account/email" && document.querySelector('form[action="/account/email"] button')`)
	reader.accessible("account-email-offered")
	reader.size(320, 800, true)
	reader.fits("account-email-offered-320")
	reader.shot("account-email-offered")
	reader.click("take it", `form[action="/account/email"] button`)
	reader.until("the account", `location.pathname === "/account" && document.querySelector(".head")?.innerText.includes("rea.married@hearthline.test")`)
}
