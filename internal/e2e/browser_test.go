package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "embed"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe.min.js
var axeScript string

// window is a tab of a browser.
type window struct {
	t       *testing.T
	demo    *demo
	ctx     context.Context
	size    windowSize
	scripts bool // pages run JavaScript
	dark    bool // the color scheme
}

// windowSize is the size of a window in CSS pixels. A phone has a touch screen and obeys the page's viewport.
type windowSize struct {
	width, height int64
	phone         bool
}

// chromium checks that there is a browser. If there is none, the test is skipped, or fails when PORTAL_TEST_REQUIRE
// includes the browser.
func chromium(t *testing.T) {
	t.Helper()
	if _, err := findChromium(); err == nil {
		return
	}
	if strings.Contains(os.Getenv("PORTAL_TEST_REQUIRE"), "browser") {
		t.Fatal("PORTAL_TEST_REQUIRE includes the browser, but there is no Chromium")
	}
	t.Skip("there is no Chromium")
}

func findChromium() (path string, err error) {
	return findProgram("chromium", "chromium-browser", "google-chrome")
}

// findHeadless prefers Chromium's shell without a user interface: it renders the same with two thirds of the work. It
// ignores preferences.
func findHeadless() (path string, err error) {
	if path, err = findProgram("chromium-headless-shell"); err == nil {
		return path, nil
	}
	return findChromium()
}

// findProgram returns the path of the first of these programs that is installed.
func findProgram(names ...string) (path string, err error) {
	for _, name := range names {
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}

// stepTimeout limits every single browser action. It is generous because other tests use the same processors.
const stepTimeout = time.Minute

// sharedBrowser is the browser of all tests that need no preferences or flags. The first of them starts it, and
// TestMain closes it.
var sharedBrowser = sync.OnceValues(func() (*browserProcess, error) {
	path, err := findHeadless()
	if err != nil {
		return nil, err
	}
	b, err := startBrowser(path, "")
	startedBrowser.Store(b)
	return b, err
})

// startedBrowser is nil until a test uses sharedBrowser.
var startedBrowser atomic.Pointer[browserProcess]

// openBrowser opens a window with an empty profile. Its cookies and storage are shared with no other window.
func (d *demo) openBrowser(t *testing.T) *window {
	t.Helper()
	chromium(t)
	shared, err := sharedBrowser()
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := chromedp.NewContext(shared.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(leave)
	w := d.newWindow(ctx, t)
	w.emulateFocus()
	return w
}

// openOwnBrowser starts a browser whose profile has these preferences, in Chromium's format, and ends it with the test.
func (d *demo) openOwnBrowser(t *testing.T, find func() (string, error), preferences string,
	more ...chromedp.ExecAllocatorOption) *window {
	t.Helper()
	chromium(t)
	path, err := find()
	if err != nil {
		t.Fatal(err)
	}
	own, err := startBrowser(path, preferences, more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(own.close)
	return d.newWindow(own.ctx, t)
}

// browserProcess is a running Chromium with its profile.
type browserProcess struct {
	ctx   context.Context // of its first tab
	close func()          // ends it and deletes its profile
}

// startBrowser starts the browser at path with a new profile. What it writes elsewhere goes into the profile too,
// because it deletes nothing when its process is ended. JavaScript is not optimized: pages live too briefly for that
// to pay.
func startBrowser(path, preferences string, more ...chromedp.ExecAllocatorOption) (*browserProcess, error) {
	profile, err := os.MkdirTemp("", "hearthline-profile-")
	temporary := filepath.Join(profile, "tmp")
	if err == nil {
		err = os.Mkdir(temporary, 0o700)
	}
	if err == nil && preferences != "" {
		err = os.Mkdir(filepath.Join(profile, "Default"), 0o700)
	}
	if err == nil && preferences != "" {
		err = os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(preferences), 0o600)
	}
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.Flag("no-sandbox", true),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("js-flags", "--no-opt --no-maglev"), chromedp.Env("TMPDIR="+temporary),
	)
	options = append(options, more...)
	allocated, free := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(allocated)
	b := &browserProcess{ctx, func() {
		leave()
		free()
		_ = os.RemoveAll(profile) // only after the browser has ended
	}}
	// The first run starts the browser, and has no timeout because its context would end the browser.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// newWindow returns the window for a context: a new browser, or a tab of an existing one.
func (d *demo) newWindow(ctx context.Context, t *testing.T) *window {
	t.Helper()
	w := &window{t: t, demo: d, ctx: ctx, scripts: true}
	// The first run owns the tab, so it has no timeout.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	w.watchPolicy()
	w.setSize(1440, 1000, false)
	return w
}

// newTab opens another tab of the same browser and profile.
func (w *window) newTab(t *testing.T) *window {
	t.Helper()
	ctx, leave := chromedp.NewContext(w.ctx)
	t.Cleanup(leave)
	return w.demo.newWindow(ctx, t)
}

// incognito opens a tab of the same browser in an empty profile that is deleted with it.
func (w *window) incognito(t *testing.T) *window {
	t.Helper()
	ctx, leave := chromedp.NewContext(w.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(leave)
	return w.demo.newWindow(ctx, t)
}

// waitForTab calls press, waits for the tab that it opens, and returns the tab.
func (w *window) waitForTab(what string, press func()) *window {
	w.t.Helper()
	ids := chromedp.WaitNewTarget(w.ctx, func(info *target.Info) bool { return info.Type == "page" })
	press()
	select {
	case id := <-ids:
		ctx, leave := chromedp.NewContext(w.ctx, chromedp.WithTargetID(id))
		w.t.Cleanup(leave)
		tab := &window{t: w.t, demo: w.demo, ctx: ctx, scripts: true}
		if err := chromedp.Do(ctx, chromedp.Func(func(context.Context, *chromedp.Target) error { return nil })); err != nil {
			w.t.Fatalf("%s: %v", what, err)
		}
		return tab
	case <-time.After(stepTimeout):
		w.t.Fatalf("%s: no tab opens", what)
		return nil
	}
}

// watchPolicy records every violation of the content security policy on any page of this window, and fails the test
// at its end. Violations by axe, which is injected, do not count.
func (w *window) watchPolicy() {
	w.t.Helper()
	w.run("watch the policy", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
			Source: `addEventListener("securitypolicyviolation", e => { if (!window.axe) sessionStorage.broken =
				(sessionStorage.broken || "") + location.pathname + ": " + e.effectiveDirective + " " + e.blockedURI + " " +
					e.sample + "\n" })`,
		})
		return err
	}))
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
		defer cancel()
		broken, err := chromedp.Run(ctx, chromedp.Evaluate[string](
			`location.protocol === "http:" ? sessionStorage.broken || "" : ""`))
		if err != nil || broken != "" {
			w.t.Errorf("the content security policy was violated: %v\n%s", err, broken)
		}
	})
}

func (w *window) run(what string, steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	defer w.logIfSlow(what, time.Now())
	if err := chromedp.Do(ctx, steps...); err != nil {
		w.t.Fatalf("%s: %v\nat %s: %s", what, err, w.path(), excerpt(w.text()))
	}
}

// logIfSlow logs an action that took so long that something else than the portal may have held it up.
func (w *window) logIfSlow(what string, began time.Time) {
	w.t.Helper()
	if took := time.Since(began); took > stepTimeout/6 {
		w.t.Logf("%s took %s", what, took.Round(time.Second))
	}
}

// evaluate runs an expression in the page.
func evaluate[T any](w *window, expression string) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// setSize sets the size of the window. The kind of screen is set only when it changes, because the browser applies all
// styles again each time.
func (w *window) setSize(width, height int64, phone bool) {
	w.t.Helper()
	size := windowSize{width, height, phone}
	if size == w.size {
		return
	}
	w.run("size", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: width, Height: height, DeviceScaleFactor: 1, Mobile: phone,
		})
		if err == nil && w.size.phone != phone {
			_, err = cdp.Call(ctx, t, emulation.SetTouchEmulationEnabled,
				emulation.SetTouchEmulationEnabledParams{Enabled: phone})
		}
		return err
	}))
	w.size = size
}

func (w *window) setDark(on bool) {
	w.t.Helper()
	w.dark = on
	w.setForcedColors(false)
}

// setForcedColors makes the browser replace the colors of the page by a few that the user has chosen, or not.
func (w *window) setForcedColors(on bool) {
	w.t.Helper()
	scheme, forced := "light", "none"
	if w.dark {
		scheme = "dark"
	}
	if on {
		forced = "active"
	}
	w.run("colors", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme},
				{Name: "forced-colors", Value: forced}},
		})
		return err
	}))
}

// emulateFocus makes the page behave as if its window were the active one, which it is not while other tests use the
// same browser.
func (w *window) emulateFocus() {
	w.t.Helper()
	w.run("focus", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled,
			emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}))
}

// enableScripts turns JavaScript on or off.
func (w *window) enableScripts(on bool) {
	w.t.Helper()
	w.scripts = on
	w.run("scripts", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: !on})
		return err
	}))
}

func (w *window) visit(path string) {
	w.t.Helper()
	w.run("visit "+path, chromedp.Navigate(w.demo.url+path))
}

func (w *window) path() string {
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	at, _ := chromedp.Run(ctx, chromedp.Location())
	return strings.TrimPrefix(at, w.demo.url)
}

func (w *window) text() string {
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body ? document.body.innerText : ''"))
	return text
}

// pollInterval is the pause between two looks at a condition.
const pollInterval = 50 * time.Millisecond

// watchCondition is a JavaScript expression: a promise of whether a condition becomes true within a second. The page
// looks when its document has changed, and now and then for what changes without it. What an unfinished document
// lacks does not count.
func watchCondition(expression string) string {
	return fmt.Sprintf(`new Promise(answer => {
		const holds = () => { try { return document.readyState !== "loading" && !!(%s) } catch { return false } };
		if (holds()) return answer(true);
		const end = yes => { changes.disconnect(); clearInterval(looking); clearTimeout(ending); answer(yes) };
		const look = () => { if (holds()) end(true) };
		const changes = new MutationObserver(look), looking = setInterval(look, %d),
			ending = setTimeout(() => end(false), 1000);
		changes.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
	})`, expression, 2*pollInterval.Milliseconds())
}

// waitUntil waits for a condition in the page.
func (w *window) waitUntil(what, expression string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	defer w.logIfSlow(what, time.Now())
	for {
		if w.scripts { // the page itself looks, which costs less than asking it each time
			if yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](watchCondition(expression),
				chromedp.EvalAwaitPromise)); err == nil && yes {
				return
			} else if err == nil && ctx.Err() == nil {
				continue
			}
		} else if isTrue(ctx, expression) {
			return
		}
		select {
		case <-ctx.Done():
			w.screenshot("timeout-" + w.t.Name())
			w.t.Fatalf("timed out: %s (%s)\nat %s, %q: %s", what, expression, w.path(), evaluate[string](w, "document.title"),
				excerpt(w.text()))
		case <-time.After(pollInterval): // the page is being replaced
		}
	}
}

// isTrue reports whether an expression is true now, for callers that poll. An error counts as false, because a page
// that is being replaced returns errors.
func (w *window) isTrue(expression string) bool {
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	return isTrue(ctx, expression)
}

func isTrue(ctx context.Context, expression string) bool {
	yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
	return err == nil && yes
}

// waitForText waits until the page contains a text.
func (w *window) waitForText(text string) {
	w.t.Helper()
	quoted, _ := json.Marshal(text)
	w.waitUntil("the page says "+text, fmt.Sprintf("document.body && document.body.innerText.includes(%s)", quoted))
}

// keys presses keys in sequence, in the focused element.
func (w *window) keys(keys string) {
	w.t.Helper()
	w.run("keys", chromedp.KeyEvent(keys))
}

// updateLead requests the lead again, as a change elsewhere does, and waits until the page shows it.
func (w *window) updateLead() {
	w.t.Helper()
	evaluate[bool](w, `(() => {
		window.updated = false;
		document.addEventListener("htmx:after:swap", e => { if (e.detail.ctx.target.id === "lead") window.updated = true; });
		return document.getElementById("lead").dispatchEvent(new CustomEvent("live"));
	})()`)
	w.waitUntil("an update of the lead", "window.updated")
}

// insert puts a text into a control at once, as pasting does.
func (w *window) insert(selector, text string) {
	w.t.Helper()
	w.waitUntil(selector, fmt.Sprintf(`document.readyState === "complete" && `+
		`(document.querySelector(%q)?.focus(), document.activeElement?.matches(%[1]q))`, selector))
	w.run("insert", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// click clicks the element that a selector finds.
func (w *window) click(what, selector string) {
	w.t.Helper()
	w.run(what, chromedp.Click(chromedp.CSS(selector)))
}

// clickInPlace presses the left button in the middle of the first element where it is in the window, without
// scrolling to it.
func (w *window) clickInPlace(what, selector string) {
	w.t.Helper()
	at := evaluate[struct{ X, Y float64 }](w,
		fmt.Sprintf(`(r => ({X: r.left + r.width / 2, Y: r.top + r.height / `+
			`2}))(document.querySelector(%q).getBoundingClientRect())`, selector))
	w.run(what, chromedp.MouseClickXY(at.X, at.Y))
}

// wantScreenshots reports whether screenshots are requested.
func wantScreenshots() bool { return os.Getenv("PORTAL_TEST_SHOTS") != "" }

// screenshot saves an image of the whole page in the folder that PORTAL_TEST_SHOTS names.
func (w *window) screenshot(name string) {
	w.t.Helper()
	dir := os.Getenv("PORTAL_TEST_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".png"), picture, 0o644)
	}
	if err != nil {
		w.t.Errorf("screenshot %s: %v", name, err)
	}
}

// checkAccessible fails for everything that axe finds, and for what is chosen and does not look so with forced colors.
func (w *window) checkAccessible(name string) {
	w.t.Helper()
	if !evaluate[bool](w, "!!window.axe") {
		w.run("axe", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := chromedp.Evaluate[chromedp.Void](axeScript+";undefined")(ctx, t)
			return err
		}))
	}
	ctx, cancel := context.WithTimeout(w.ctx, 2*stepTimeout)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](
		`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
			resultTypes: ["violations"], selectors: false}).then(r =>
			r.violations.map(v => v.id + ": " + v.help + " — " + v.nodes.slice(0,
				3).map(n => n.html.slice(0, 160)).join(" | ")))`,
		chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("axe on %s: %v", name, err)
	}
	for _, f := range found {
		w.t.Errorf("%s: %s", name, f)
	}
	w.checkForcedColors(name)
}

// checkNoOverflow fails when the page scrolls sideways, and names the element that extends farthest.
func (w *window) checkNoOverflow(name string) {
	w.t.Helper()
	over := evaluate[int](w, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
	if over <= 0 {
		return
	}
	widest := evaluate[string](w, `[...document.querySelectorAll("body *")]
		.filter(e => !e.parentElement.closest(".tabs, .scroll, .demobar"))
		.map(e => [e.getBoundingClientRect().right, e.tagName + "." + e.className + ": " + e.textContent.trim().slice(0, 40)])
		.sort((a, b) => b[0] - a[0]).slice(0, 4).map(e => e.join(" ")).join("; ")`)
	w.t.Errorf("%s scrolls sideways by %d px: %s", name, over, widest)
}
