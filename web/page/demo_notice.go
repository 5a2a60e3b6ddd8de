package page

import "sync"

// demoNotices holds the last notice of each user's demo bar, in memory: it concerns the press of a button, so it need
// not survive a restart. The zero value is ready to use.
type demoNotices struct {
	mu     sync.Mutex
	byUser map[string]demoNotice
}

// demoNotice says what happened after a button of the demo bar was pressed.
type demoNotice struct {
	app   string // the lead whose pages show it; "" for every page
	text  string
	shown bool // a page has shown it, so the next page does not
}

func (n *demoNotices) put(user string, notice demoNotice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byUser == nil {
		n.byUser = map[string]demoNotice{}
	}
	n.byUser[user] = notice
}

// forPage returns the notice for a whole page, which shows it once.
func (n *demoNotices) forPage(user, app string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	notice, ok := n.byUser[user]
	if !ok || notice.shown || notice.app != "" && notice.app != app {
		delete(n.byUser, user)
		return ""
	}
	notice.shown = true
	n.byUser[user] = notice
	return notice.text
}

// forFragment returns the notice for an update of the bar on a page that already shows it.
func (n *demoNotices) forFragment(user, app string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	notice := n.byUser[user]
	if !notice.shown || notice.app != "" && notice.app != app {
		return ""
	}
	return notice.text
}
