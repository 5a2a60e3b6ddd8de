package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// seededSessions are the values of a person's session cookies: one for the windows of a test, and one for its users
// with plain HTTP, so that what these do comes from another session.
type seededSessions struct{ window, plain string }

// sessionCookie is the cookie of a session on plain HTTP.
const sessionCookie = "sid"

// signInUsualPeople signs in the people whom most tests need, by the sign-in form, once for each kind of session.
func (d *demo) signInUsualPeople() (map[string]seededSessions, error) {
	all := map[string]seededSessions{}
	for _, email := range []string{"olivia@summit.test", "maya@summit.test", "admin@hearthline.test"} {
		window, err := d.postSignIn(email)
		plain, errPlain := d.postSignIn(email)
		if err = errors.Join(err, errPlain); err != nil {
			return nil, err
		}
		all[email] = seededSessions{window, plain}
	}
	return all, nil
}

// postSignIn posts the sign-in form and returns the value of the new session's cookie. The portal is told that this
// is the browser of the tests, which is then no unusual one.
func (d *demo) postSignIn(email string) (cookie string, err error) {
	values := url.Values{"email": {email}, "password": {password}}
	post, err := http.NewRequest(http.MethodPost, d.url+"/login", strings.NewReader(values.Encode()))
	if err != nil {
		return "", err
	}
	post.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	post.Header.Set("User-Agent",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36")
	res, err := http.DefaultTransport.RoundTrip(post)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		if c.Name == sessionCookie && c.Value != "" {
			return c.Value, nil
		}
	}
	return "", fmt.Errorf("sign in as %s: %s", email, res.Status)
}

// signIn makes the window that of a user who has signed in. It opens no page, unless the demo's folder has no session
// of theirs: then it uses the sign-in page.
func (w *window) signIn(email string) {
	w.t.Helper()
	session := w.demo.sessions[email].window
	if session == "" {
		w.signInByForm(email)
		return
	}
	yes := true
	w.run("the session of "+email, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{
			Name: sessionCookie, Value: session, URL: w.demo.url, HTTPOnly: &yes, SameSite: "Lax",
		})
		return err
	}))
}

// signInByForm uses the sign-in page as a user with a password manager does, who types nothing.
func (w *window) signInByForm(email string) {
	w.t.Helper()
	w.visit("/login")
	w.insert(`input[name="email"]`, email)
	w.insert(`input[name="password"]`, password)
	w.keys("\r")
	w.waitUntil("the sign-in form", `location.pathname !== "/login" && document.readyState === "complete"`)
}

// signIn signs a user in with the demo's password, or with a session of the demo's folder.
func (d *demo) signIn(t *testing.T, email string) *httpUser {
	t.Helper()
	session := d.sessions[email].plain
	if session == "" {
		return d.signInWith(t, email, password)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(d.url)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(at, []*http.Cookie{{Name: sessionCookie, Value: session, Path: "/"}})
	return &httpUser{t, d, &http.Client{Jar: jar}}
}
