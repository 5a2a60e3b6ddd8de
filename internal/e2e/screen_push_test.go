package e2e

import (
	"context"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// checkPush turns notifications on in the browser and delivers one to the service worker. The browser of a test reaches
// no push service, so it cannot subscribe, but it has registered the worker by then.
func (w *window) checkPush() {
	w.t.Helper()
	w.visit("/account")
	origin := evaluate[string](w, "location.origin")
	w.run("allow notifications", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		here := chromedp.FromContext(ctx)
		_, err := cdp.Call(ctx, here.Browser, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: browser.PermissionSettingGranted,
			Origin: origin, BrowserContextID: here.BrowserContextID})
		return err
	}))
	w.visit("/account/notifications")
	w.checkAccessible("notification settings")
	w.screenshot("notification-settings")
	const on = `form[action="/account/notifications/browser"]`
	w.waitUntil("notifications can be turned on", `document.querySelector('`+on+`')?.checkVisibility()`)
	w.clickInPlace("turn on", on+" button")
	const registered = `navigator.serviceWorker.getRegistration("/").then(r => !!r?.active)`
	w.waitUntil("the worker is registered",
		`(window.worker ??= (`+registered+`).then(yes => window.worker = yes || null)) === true`)
	var id serviceworker.RegistrationID
	w.run("the registration", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		found, err := chromedp.WaitEvent(serviceworker.WorkerRegistrationUpdated,
			func(e serviceworker.EventWorkerRegistrationUpdated) bool { return len(e.Registrations) > 0 },
			chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
				_, err := cdp.Call(ctx, t, serviceworker.Enable, cdp.Empty{})
				return err
			}))(ctx, t)
		if err == nil {
			id = found.Registrations[0].RegistrationID
		}
		return err
	}))
	// deliver sends a message until a condition is true: a worker that is starting can lose one.
	deliver := func(data, condition string) {
		w.t.Helper()
		polls := 0
		waitFor(w.t, stepTimeout, "the browser shows "+data, func() bool {
			if polls%20 == 0 {
				w.run("deliver", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
					_, err := cdp.Call(ctx, t, serviceworker.DeliverPushMessage,
						serviceworker.DeliverPushMessageParams{Origin: origin, RegistrationID: id, Data: data})
					return err
				}))
			}
			polls++
			return w.isTrue(`(window.shown = navigator.serviceWorker.getRegistration("/").then(r => r.getNotifications())
				.then(all => { window.count = all.length; window.notifications = JSON.stringify(
					all.map(n => [n.title, n.body, n.tag, n.data?.url])) })) && ` + condition)
		})
	}
	deliver(`{"title":"Offers ready","body":"1-26334-003 · Hearthline","url":"/leads/x","tag":"x"}`,
		`window.notifications === '[["Offers ready","1-26334-003 · Hearthline","x","/leads/x"]]'`)
	// A later one about the same lead replaces it. A message that cannot be read is shown without content.
	deliver(`{"title":"SSN needed","body":"1-26334-003 · Hearthline","url":"/leads/x","tag":"x"}`,
		`window.notifications === '[["SSN needed","1-26334-003 · Hearthline","x","/leads/x"]]'`)
	deliver(`not JSON`, `window.count >= 2`)
	w.click("unsaved", `[name="e.funded"][value="now"]`)
	w.waitForText("1 change not saved")
}
