package e2e

import (
	"context"
	"encoding/json"
	"fmt"
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

// crmURL is the sample CRM of a demo, as the demo said it.
func (d *demo) crmURL(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`sample CRM frames the desk on (http://\S+)`).FindStringSubmatch(d.log.String())
	if found == nil {
		t.Fatal("the demo names no CRM")
	}
	return found[1]
}

// The three ways in which a browser treats the cookies of a frame, as preferences: all are
// kept; those of third parties are not, but partitioned ones are; none is, as with
// Safari 18.5 or where somebody forbids them.
const (
	cookiesAllowed     = `{"profile":{"cookie_controls_mode":0}}`
	cookiesBlocked     = `{"profile":{"cookie_controls_mode":1}}`
	cookiesUnavailable = `{"profile":{"cookie_controls_mode":1,"content_settings":{"exceptions":{"cookies":{"http://localhost,http://127.0.0.1":{"setting":2}}}}}}`
)

// embedFrame is the desk inside a CRM's page. Both stand in one process of the browser, so
// that the test can look into the frame; what the page may do stays the same.
type embedFrame struct{ *window }

// openFrameBrowser opens a browser in which one can look into frames.
func (d *demo) openFrameBrowser(t *testing.T, cookies string) embedFrame {
	t.Helper()
	return embedFrame{d.openBrowserWithPreferences(t, cookies, chromedp.Flag("disable-site-isolation-trials", true), chromedp.Flag("disable-features", "IsolateOrigins,site-per-process"))}
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
		world, err := cdp.Call(ctx, t, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID, WorldName: "test"})
		if err != nil {
			return err
		}
		got, err := cdp.Call(ctx, t, cdpruntime.Evaluate, cdpruntime.EvaluateParams{Expression: expression, ContextID: world.ExecutionContextID, ReturnByValue: &yes, AwaitPromise: &yes})
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

// mustEvaluate evaluates what must be there.
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
	for deadline := time.After(stepTimeout); ; {
		holds, failed := evaluateInFrame[bool](f, "!!("+expression+")")
		if holds {
			return
		}
		select {
		case <-deadline:
			text, _ := evaluateInFrame[string](f, "location.pathname + ' ' + document.body.innerText")
			f.t.Fatalf("never in the frame: %s (%v): %s", what, failed, excerpt(text))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// checkText waits until the frame shows a text.
func (f embedFrame) waitForText(text string) {
	f.t.Helper()
	quoted, _ := json.Marshal(text)
	f.frameUntil("it says "+text, fmt.Sprintf("document.body.innerText.includes(%s)", quoted))
}

// minDwell is how long a frame must have stood still, in milliseconds, before Chromium takes
// a click for it: where a page asks whether its buttons are seen, the browser drops what
// comes within half a second of a move.
const minDwell = 600

// mouseClick clicks with the mouse what a selector finds in the frame.
func (f embedFrame) mouseClick(what, selector string) {
	f.t.Helper()
	f.clickAfter(what, selector, minDwell)
}

// clickUntilDone clicks as a person does who looks at the button first. A browser under load may
// not have judged it by then: where the page says so the button is pressed once more.
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

// clickAfter clicks what has stood where it is for so many milliseconds; at the last moment
// it does what is to be done before.
func (f embedFrame) clickAfter(what, selector string, dwell int, before ...string) {
	f.t.Helper()
	place := fmt.Sprintf(`(async () => { const find = () => document.querySelector(%q); find().scrollIntoView({block: "center"});
		const frame = () => new Promise(r => requestAnimationFrame(r)), place = () => { const b = find().getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] };
		let was, is = place();
		do { was = is; await frame(); await frame(); await new Promise(r => setTimeout(r, 40)); is = place() } while (was + "" !== is + "");
		await new Promise(r => setTimeout(r, %d)); %s;
		return place() })()`, selector, dwell, strings.Join(before, ";"))
	var at []float64
	waitFor(f.t, stepTimeout, what, func() (found bool) { // a page that is left while one looks at it is looked at anew
		f.frameUntil(what, fmt.Sprintf(`document.readyState === "complete" && document.querySelector(%q)`, selector))
		var err error
		at, err = evaluateInFrame[[]float64](f, place)
		return err == nil
	})
	around := evaluate[[]float64](f.window, `(() => { const b = document.querySelector("iframe").getBoundingClientRect(); return [b.x, b.y] })()`)
	for _, kind := range []input.DispatchMouseEventType{"mousePressed", "mouseReleased"} {
		f.run(what, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: kind, X: around[0] + at[0], Y: around[1] + at[1], Button: "left", ClickCount: 1,
			})
			return err
		}))
	}
}

// overlay lays something over the whole page around the frame that lets clicks through.
func (f embedFrame) overlay(on bool) {
	f.t.Helper()
	if !on {
		evaluate[bool](f.window, `document.querySelector("#veil").remove() || true`)
		return
	}
	evaluate[bool](f.window, `(() => { const v = document.createElement("div"); v.id = "veil";
		v.style.cssText = "position:fixed;inset:0;pointer-events:none;background:#fff;opacity:.4"; document.body.append(v); return true })()`)
}

// hostMessages is what the frame has said to the page around it, newest first.
func (f embedFrame) hostMessages() string {
	return evaluate[string](f.window, `document.querySelector("#events").innerText`)
}

// connectCRM makes a log-in of the sample CRM a person's own, without any browser. Whoever
// has just connected it has proved who they are, for that launch alone.
func (d *demo) connectCRM(t *testing.T, crm, kind, person string) {
	t.Helper()
	p := d.signIn(t, person+"@summit.test")
	res, err := p.client.Get(crm + "/?kind=" + kind + "&mfa=yes&person=" + person)
	if err != nil {
		t.Fatal(err)
	}
	d.connectLaunch(t, p, p.read(res).form("#launch"))
}

// connectLaunch posts a launch and makes its log-in the person's.
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
	p.send(f).checkText(t, "the frame goes on there")
}
