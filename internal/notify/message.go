package notify

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/mail"
)

// ChoicesPath is the page on which users choose what they are told. Every email links to it.
const ChoicesPath = "/account/notifications"

func (s *Service) url(path string) string { return s.Base.JoinPath(path).String() }

// pathOf is the page about a notification.
func pathOf(n lead.Notice) string {
	if n.App != "" {
		return "/leads/" + string(n.App)
	}
	return "/notifications"
}

// summary says how many leads need the user or, if none does, have changed.
func summary(all []item) string {
	count := func(needing bool) int {
		apps, n := map[heloc.AppID]bool{}, 0
		for _, one := range all {
			switch {
			case needing && !one.Kind.Event().NeedsUser():
			case one.App == "":
				n += max(1, one.N)
			default:
				apps[one.App] = true
			}
		}
		return n + len(apps)
	}
	switch n := count(true); {
	case n == 1:
		return "1 lead needs you"
	case n > 1:
		return strconv.Itoa(n) + " leads need you"
	}
	if n := count(false); n > 1 {
		return strconv.Itoa(n) + " leads have updates"
	}
	return "1 lead has an update"
}

// email is one email about all notifications, with one entry for each lead.
func (s *Service) email(user access.User, all []item) mail.Message {
	m := mail.NoticesEmail{To: user.Email, Name: user.Name, Subject: "Hearthline: " + summary(all),
		ChoicesURL: s.url(ChoicesPath)}
	at := map[string]int{}
	for _, one := range all {
		words, app := s.Words(one.Notice), string(one.App)
		if i, again := at[app]; again && app != "" {
			if !strings.Contains(m.Lines[i].What, words) {
				m.Lines[i].What += ", " + words
			}
			continue
		}
		at[app] = len(m.Lines)
		m.Lines = append(m.Lines, mail.NoticeLine{Lead: one.ShortID, What: words, URL: s.url(pathOf(one.Notice))})
	}
	return mail.Notices(m)
}

// payload is what the service worker displays. A newer notification of the same tag replaces one that is still there.
type payload struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	URL   string `json:"url"` // a path of the portal
	Tag   string `json:"tag"`

	urgent bool
}

// topic makes the push service replace a message that waits for a browser that is offline.
func (p payload) topic() string {
	sum := sha256.Sum256([]byte(p.Tag))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}

// productName ends the second line of a notification.
const productName = "Hearthline"

// payload is one notification of the browser about all notifications.
func (s *Service) payload(all []item) payload {
	first, p := all[0], payload{Title: summary(all), Body: productName, URL: "/notifications", Tag: "leads"}
	for _, one := range all {
		p.urgent = p.urgent || one.Kind.Event().NeedsUser()
		if one.App != first.App || one.App == "" {
			first.App = ""
		}
	}
	if first.App == "" && len(all) > 1 {
		return p
	}
	last := all[len(all)-1]
	p.Title, p.URL = s.Words(last.Notice), pathOf(last.Notice)
	if last.ShortID != "" {
		p.Body = last.ShortID + " · " + productName
	}
	if last.App != "" {
		p.Tag = string(last.App)
	}
	return p
}
