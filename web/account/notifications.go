package account

import (
	"net/http"
	"strconv"

	deskaccount "hearthline/internal/desk/account"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	view "hearthline/views/account"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// notificationRoutes are the page on which users choose what they are told.
func (h *Handlers) notificationRoutes() []page.Route {
	post := func(path, name string, handler page.Handler) page.Route {
		return page.Route{Method: http.MethodPost, Pattern: "/account/notifications" + path, Name: name, Handler: handler}
	}
	return []page.Route{
		{Method: http.MethodGet, Pattern: "/account/notifications", Name: "notification settings",
			Handler: page.WithNewForm(page.Desk.Account, h.renderNotifications)},
		post("", "change notification settings", h.changeNotifications(setTellChoices, "")),
		post("/defaults", "use default notification settings", h.changeNotifications(useTellDefaults, "")),
		post("/browser", "turn on browser notifications", h.changeNotifications(turnOnBrowser, "")),
		post("/browser/off", "turn off browser notifications", h.changeNotifications(turnOffBrowser, "")),
		post("/browser/test", "test browser notifications", h.changeNotifications(testBrowser, view.TestedBrowser)),
		post("/email/test", "test email", h.changeNotifications(testEmail, view.TestedEmail)),
	}
}

// changeNotifications makes one change, or shows the page again with its errors. After a test, it shows the page with
// the result.
func (h *Handlers) changeNotifications(change func(r *http.Request, own *deskaccount.Account, f *form.Form) error,
	tested view.Tested) page.Handler {
	return page.WithForm(page.Desk.Account, func(w http.ResponseWriter, r *http.Request, own *deskaccount.Account,
		f *form.Form) error {
		if tested != "" && !f.HasErrors() {
			err := change(r, own, f)
			if err == nil {
				return h.renderNotificationSettings(w, r, own, &form.Form{}, tested)
			}
			if page.Rejected(f, err, fault.Conflict, fault.Upstream) {
				return h.renderNotifications(w, r, own, f)
			}
			return err
		}
		return page.Apply(w, r, page.Change{
			Form: f, Run: func() error { return change(r, own, f) }, Kinds: []fault.Kind{fault.Conflict},
			Redisplay: func() error { return h.renderNotifications(w, r, own, f) }, Next: to.NotificationSettings(),
			IsSetting: true,
		})
	})
}

func setTellChoices(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	c := lead.DefaultTellChoices()
	for _, e := range lead.TellEvents() {
		c.Email[e] = parseWhen(f.Text("e."+string(e)), c.Email[e])
		c.Push[e] = parseWhen(f.Text("p."+string(e)), c.Push[e])
	}
	c.DailyAt = parseMinute(f.Text("daily"), c.DailyAt)
	c.QuietTo = parseMinute(f.Text("quiet.to"), c.QuietTo)
	c.QuietFrom = c.QuietTo // no quiet hours
	if from := f.Text("quiet.from"); from != "" {
		c.QuietFrom = parseMinute(from, lead.DefaultTellChoices().QuietFrom)
	}
	c.Weekends = f.Text("weekends") == "true"
	return own.SetTellChoices(r.Context(), c, f.Text("zone"))
}

// parseWhen reads a choice; what the page doesn’t offer leaves the default.
func parseWhen(value string, otherwise lead.TellWhen) lead.TellWhen {
	for _, when := range lead.TellWhens() {
		if string(when) == value {
			return when
		}
	}
	return otherwise
}

func parseMinute(value string, otherwise int) int {
	if minute, err := strconv.Atoi(value); err == nil && minute >= 0 && minute < 24*60 {
		return minute
	}
	return otherwise
}

func useTellDefaults(r *http.Request, own *deskaccount.Account, _ *form.Form) error {
	return own.SetTellChoices(r.Context(), lead.DefaultTellChoices(), "")
}

func turnOnBrowser(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.TurnOnBrowser(r.Context(), deskaccount.PushSubscription{Endpoint: f.Text("endpoint"),
		P256dh: f.Text("p256dh"), Auth: f.Text("auth")}, page.DeviceName(r))
}

func turnOffBrowser(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.TurnOffBrowser(r.Context(), f.Text("browser"))
}

func testBrowser(r *http.Request, own *deskaccount.Account, f *form.Form) error {
	return own.TestBrowser(r.Context(), f.Text("browser"))
}

func testEmail(r *http.Request, own *deskaccount.Account, _ *form.Form) error {
	return own.TestEmail(r.Context())
}

func (h *Handlers) renderNotifications(w http.ResponseWriter, r *http.Request, own *deskaccount.Account,
	f *form.Form) error {
	return h.renderNotificationSettings(w, r, own, f, "")
}

func (h *Handlers) renderNotificationSettings(w http.ResponseWriter, r *http.Request, own *deskaccount.Account,
	f *form.Form, tested view.Tested) error {
	settings, err := own.NotificationSettings(r.Context())
	if err != nil {
		return err
	}
	who := page.ActorOf(r)
	if tested != "" { // the page shows the time zone that was stored
		f.Values = nil
	}
	model := presentNotificationSettings(settings)
	model.Page, model.Form = h.Layout(r, "Notification settings"), f.View("")
	model.Email, model.Zone = who.Email, who.TimeZone
	model.Page.Push = settings.PushKey != ""
	model.Browser = page.DeviceName(r)
	v := h.Viewer(r)
	model.Now = v.TimeOfDay(v.Now)
	model.Tested = tested
	if settings.PushKey != "" {
		page.AllowServiceWorker(w)
	}
	return h.Render(w, r, page.FormStatus(f), view.Notifications(model))
}

// presentNotificationSettings maps the settings. The caller sets what belongs to the request.
func presentNotificationSettings(s deskaccount.NotificationSettings) view.NotificationsView {
	c := s.Choices
	model := view.NotificationsView{SendsMail: s.Mail, PushKey: s.PushKey, Weekends: c.Weekends,
		Daily: strconv.Itoa(c.DailyAt), QuietTo: strconv.Itoa(c.QuietTo), QuietEnds: text.MinuteOfDay(c.QuietTo)}
	if c.QuietFrom != c.QuietTo {
		model.QuietFrom = strconv.Itoa(c.QuietFrom)
	}
	for _, b := range s.Browsers {
		model.KnownBrowsers = append(model.KnownBrowsers, b.EndpointDigest)
	}
	for _, e := range lead.TellEvents() {
		words := text.TellEvent(string(e))
		row := view.EventRow{Name: string(e), Title: words.Title, Text: words.Text, Email: string(c.Email[e]),
			Push: string(c.Push[e])}
		if e.NeedsUser() {
			model.Needed = append(model.Needed, row)
		} else {
			model.Other = append(model.Other, row)
		}
	}
	return model
}
