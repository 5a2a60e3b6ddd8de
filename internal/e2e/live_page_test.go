package e2e

import (
	"bufio"
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// livePage is a list of leads in a browser: it loads again what it shows when it is told of a change, connects again
// after the time that the portal asks for, and after an error response waits longer each time.
type livePage struct {
	user *patientUser
	due  chan struct{} // what it shows may be out of date

	mu    sync.Mutex
	shown map[string]time.Time // when it first showed each lead, which the list has only until there are fifty newer ones
	loads []load
}

// load is the time of one request for the list.
type load struct{ began, ended time.Time }

func newLivePage(u *patientUser) *livePage {
	return &livePage{user: u, due: make(chan struct{}, 1), shown: map[string]time.Time{}}
}

// open shows the list until the context ends.
func (p *livePage) open(ctx context.Context) {
	go p.loadWhenDue(ctx)
	retry, refused := 3*time.Second, 500*time.Millisecond
	for ctx.Err() == nil {
		pause := retry
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, p.user.base.String()+"/events", nil)
		if err != nil {
			p.user.t.Error(err)
			return
		}
		client := *p.user.client
		client.Timeout = 0 // a stream has no end
		if res, err := client.Do(q); err == nil {
			if res.StatusCode == http.StatusOK {
				p.listen(res, &retry)
				pause, refused = retry, 500*time.Millisecond
			} else {
				pause, refused = refused/2+rand.N(refused), min(3*refused/2, 10*time.Second)
			}
			_ = res.Body.Close()
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// listen reads events until the connection is lost.
func (p *livePage) listen(res *http.Response, retry *time.Duration) {
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "retry":
			if ms, err := strconv.Atoi(value); err == nil {
				*retry = time.Duration(ms) * time.Millisecond
			}
		case "event":
			select {
			case p.due <- struct{}{}:
			default: // it will load the list anyway
			}
		}
	}
}

// loadWhenDue loads the list whenever it may be out of date. Changes come in bursts, which one request covers.
func (p *livePage) loadWhenDue(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.due:
		}
		time.Sleep(300 * time.Millisecond)
		one := load{began: time.Now()}
		doc, _, err := p.user.ask(ctx, "/leads?view=all&sort=newest", nil)
		if err != nil {
			return // the test has ended
		}
		p.mu.Lock()
		one.ended = time.Now()
		p.loads = append(p.loads, one)
		doc.Find("table.leads a.nm").Each(func(_ int, a *goquery.Selection) {
			if path := a.AttrOr("href", ""); p.shown[path].IsZero() {
				p.shown[path] = time.Now()
			}
		})
		p.mu.Unlock()
	}
}

// delay returns how long after a lead was added the page showed it, or the list as it was then or later; false when
// it has not.
func (p *livePage) delay(lead string, added time.Time) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.shown[lead]
	for _, one := range p.loads {
		if one.began.After(added) && (at.IsZero() || one.ended.Before(at)) {
			at = one.ended
		}
	}
	return max(0, at.Sub(added)), !at.IsZero()
}
