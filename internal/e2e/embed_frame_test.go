package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// crmURL returns the URL of the demo's sample CRM, from the demo's output.
func (d *demo) crmURL(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`sample CRM embeds the portal on (http://\S+)`).FindStringSubmatch(d.log.String())
	if found == nil {
		t.Fatal("the demo prints no CRM")
	}
	return found[1]
}

// The three ways in which a browser treats a frame's cookies, as preferences: it stores all; it stores only
// partitioned third-party cookies; it stores none, like Safari 18.5 or a browser where they are forbidden.
const (
	cookiesAllowed     = `{"profile":{"cookie_controls_mode":0}}`
	cookiesBlocked     = `{"profile":{"cookie_controls_mode":1}}`
	cookiesUnavailable = `{"profile":{"cookie_controls_mode":1,` +
		`"content_settings":{"exceptions":{"cookies":{"http://localhost,http://127.0.0.1":{"setting":2}}}}}}`
)

// embedFrame is the desk inside a CRM's page. Both run in one browser process, so that the test can access the frame;
// what the page may do is unchanged.
type embedFrame struct{ *window }

// openFrameBrowser opens a browser in which a test can access frames. Chromium's shell ignores preferences: it stores
// all cookies, or only partitioned third-party ones when its flag says so. Only Chromium itself forbids them to a
// site.
func (d *demo) openFrameBrowser(t *testing.T, cookies string) embedFrame {
	t.Helper()
	find := findHeadless
	options := []chromedp.ExecAllocatorOption{chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-features", "IsolateOrigins,site-per-process")}
	switch cookies {
	case cookiesBlocked:
		options = append(options, chromedp.Flag("test-third-party-cookie-phaseout", true))
	case cookiesUnavailable:
		find = findChromium
	}
	return embedFrame{d.openOwnBrowser(t, find, cookies, options...)}
}

// evaluateInFrame evaluates an expression in the frame.
func evaluateInFrame[T any](f embedFrame, expression string) (T, error) {
	var v T
	ctx, cancel := context.WithTimeout(f.ctx, stepTimeout)
	defer cancel()
	err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, cdppage.GetFrameTree, cdp.Empty{})
		if err != nil {
			return err
		}
		if len(tree.FrameTree.ChildFrames) == 0 {
			return fmt.Errorf("there is no frame")
		}
		yes := true
		world, err := cdp.Call(ctx, t, cdppage.CreateIsolatedWorld,
			cdppage.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID, WorldName: "test"})
		if err != nil {
			return err
		}
		got, err := cdp.Call(ctx, t, cdpruntime.Evaluate, cdpruntime.EvaluateParams{Expression: expression,
			ContextID: world.ExecutionContextID, ReturnByValue: &yes, AwaitPromise: &yes})
		if err != nil {
			return err
		}
		if got.ExceptionDetails != nil {
			return fmt.Errorf("%s", got.ExceptionDetails.Text)
		}
		return json.Unmarshal([]byte(got.Result.Value), &v)
	}))
	return v, err
}

// mustEvaluate evaluates an expression that must succeed.
func mustEvaluate[T any](f embedFrame, expression string) T {
	f.t.Helper()
	v, err := evaluateInFrame[T](f, expression)
	if err != nil {
		f.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// frameUntil waits for a condition in the frame.
func (f embedFrame) frameUntil(what, expression string) {
	f.t.Helper()
	if failed := f.frameWithin(stepTimeout, expression); failed != nil {
		text, _ := evaluateInFrame[string](f, "location.pathname + ' ' + document.body.innerText")
		f.screenshot("timeout-" + f.t.Name())
		f.t.Fatalf("timed out in the frame: %s (%v): %s", what, failed, excerpt(text))
	}
}

// frameWithin waits for a condition in the frame for a limited time. The error says why it was not met.
func (f embedFrame) frameWithin(limit time.Duration, expression string) error {
	for deadline := time.After(limit); ; {
		condition, failed := evaluateInFrame[bool](f, watchCondition(expression))
		if condition {
			return nil
		}
		select {
		case <-deadline:
			return cmp.Or(failed, errors.New("it is false"))
		case <-time.After(pollInterval):
		}
	}
}

// waitForText waits until the frame contains a text.
func (f embedFrame) waitForText(text string) {
	f.t.Helper()
	quoted, _ := json.Marshal(text)
	f.frameUntil("it says "+text, fmt.Sprintf("document.body.innerText.includes(%s)", quoted))
}

// minDwell is how long a frame must not have moved, in milliseconds, before Chromium accepts a click in it. When a
// page asks whether its buttons are visible, the browser drops clicks within half a second after a move.
const minDwell = 600

// mouseClick clicks the element that a selector finds in the frame.
func (f embedFrame) mouseClick(what, selector string) {
	f.t.Helper()
	f.clickAfter(what, selector, minDwell)
}

// clickUntilDone clicks as a user does who looks at the button first. A browser under load may not yet have checked
// visibility: if the page says so, it clicks again.
func (f embedFrame) clickUntilDone(what, selector, done string, before ...string) {
	f.t.Helper()
	for dwell := 900; ; dwell *= 2 {
		f.clickAfter(what, selector, dwell, before...)
		f.frameUntil(what, `document.querySelector(".beside") || (`+done+`)`)
		if mustEvaluate[bool](f, `!document.querySelector(".beside")`) || dwell > 4000 {
			break
		}
	}
	f.frameUntil(what, done)
}

// clickAfter clicks an element that has not moved for dwell milliseconds. Just before the click it runs the
// expressions in before. A browser under load drops a click in a frame that it has not seen rest for long enough, and
// an update may move the element meanwhile: if the element is not pressed, clickAfter clicks again.
func (f embedFrame) clickAfter(what, selector string, dwell int, before ...string) {
	f.t.Helper()
	const pressed = `!document.documentElement.hasAttribute("data-not-pressed")`
	for ; ; dwell *= 2 {
		f.clickOnce(what, selector, dwell, before...)
		failed := f.frameWithin(5*time.Second, pressed)
		if failed == nil {
			return
		}
		if dwell > 10_000 {
			f.t.Fatalf("%s: the press never reached %s: %v", what, selector, failed)
		}
		f.t.Logf("%s: the press did not reach %s, clicking again", what, selector)
	}
}

// clickOnce clicks an element. Its page has the attribute data-not-pressed until the element is pressed.
func (f embedFrame) clickOnce(what, selector string, dwell int, before ...string) {
	f.t.Helper()
	place := fmt.Sprintf(`(async () => { const selector = %q, find = () => document.querySelector(selector),
		root = document.documentElement;
		find().scrollIntoView({block: "center"});
		const frame = () => new Promise(r => requestAnimationFrame(r)),
			place = () => { const b = find().getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] };
		let was, is = place();
		do { was = is; await frame(); await frame(); await new Promise(r => setTimeout(r, 40));
			is = place() } while (was + "" !== is + "");
		await new Promise(r => setTimeout(r, %d)); %s;
		if (!root.hasAttribute("data-not-pressed")) {
			root.setAttribute("data-not-pressed", "");
			const press = e => { if (!e.target.closest?.(selector)) return; root.removeAttribute("data-not-pressed");
				removeEventListener("mousedown", press, true) };
			addEventListener("mousedown", press, true);
		}
		return place() })()`, selector, dwell, strings.Join(before, ";"))
	var at []float64
	waitFor(f.t, stepTimeout, what, func() (found bool) { // if the page is replaced meanwhile, try again
		f.frameUntil(what, fmt.Sprintf(`document.readyState === "complete" && document.querySelector(%q)`, selector))
		var err error
		at, err = evaluateInFrame[[]float64](f, place)
		return err == nil
	})
	around := evaluate[[]float64](f.window,
		`(() => { const b = document.querySelector("iframe").getBoundingClientRect(); return [b.x, b.y] })()`)
	for _, kind := range []input.DispatchMouseEventType{"mousePressed", "mouseReleased"} {
		f.run(what, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: kind, X: around[0] + at[0], Y: around[1] + at[1], Button: "left", ClickCount: 1,
			})
			return err
		}))
	}
}

// overlay covers the whole page around the frame with an element that lets clicks through.
func (f embedFrame) overlay(on bool) {
	f.t.Helper()
	if !on {
		evaluate[bool](f.window, `document.querySelector("#veil").remove() || true`)
		return
	}
	evaluate[bool](f.window, `(() => { const v = document.createElement("div"); v.id = "veil";
		v.style.cssText = "position:fixed;inset:0;pointer-events:none;background:#fff;opacity:.4"; document.body.append(v);
		return true })()`)
}

// hostMessages returns the frame's messages to the page around it, newest first.
func (f embedFrame) hostMessages() string {
	return evaluate[string](f.window, `document.querySelector("#events").innerText`)
}

// connectCRM connects a sign-in of the sample CRM to a user's account, without a browser. Connecting counts as a
// step-up for that launch only.
func (d *demo) connectCRM(t *testing.T, crm, kind, person string) {
	t.Helper()
	p := d.signIn(t, person+"@summit.test")
	res, err := p.client.Get(crm + "/record?record=D-1001&kind=" + kind + "&mfa=yes&person=" + person)
	if err != nil {
		t.Fatal(err)
	}
	d.connectLaunch(t, p, launchIn(p.read(res)))
}

// launchIn returns the launch in the page of a record: the form that <hearthline-desk> posts, or the page's own.
func launchIn(record *page) form {
	if desk := record.Find("hearthline-desk"); desk.Length() > 0 {
		return form{action: desk.AttrOr("launch", ""), values: url.Values{"launch_token": {desk.AttrOr("token", "")}}}
	}
	return record.form("#launch")
}

// connectLaunch posts a launch and connects its sign-in to the user.
func (d *demo) connectLaunch(t *testing.T, p *httpUser, launch form) {
	t.Helper()
	res, err := p.client.PostForm(launch.action, launch.values)
	if err != nil {
		t.Fatal(err)
	}
	asked := p.read(res)
	outside, _ := asked.Find(`a[target="_blank"]`).Attr("href")
	f := p.get(outside).form("#connecting")
	f.values.Set("match", strings.TrimSpace(asked.Find(".letters").Text()))
	p.send(f).checkText(t, "close this tab and continue")
}
