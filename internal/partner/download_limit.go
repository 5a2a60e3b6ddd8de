package partner

import (
	"errors"
	"io"
	"sync"
	"time"

	"hearthline/internal/fault"
)

// How many downloads run at once. Each holds a connection to the lender for as long as its reader takes, so together
// they leave most of the connections (see newTransport) to other calls.
const (
	maxDownloads          = 24
	maxDownloadsOfCompany = 8
	maxDownloadsOfUser    = 3
)

// downloadLimit counts the downloads that run, by user and by company. The zero value is ready.
type downloadLimit struct {
	mu   sync.Mutex
	all  int
	runs map[string]int
}

// begin counts a download until end is called, any number of times. fault.Unavailable with a time to wait if too many
// run.
func (l *downloadLimit) begin(by Caller) (end func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	user, company := "user "+by.User, "company "+by.Company
	switch {
	case by.User != "" && l.runs[user] >= maxDownloadsOfUser:
		return nil, tooManyDownloads("You have several downloads running. Wait until one ends.")
	case by.Company != "" && l.runs[company] >= maxDownloadsOfCompany:
		return nil, tooManyDownloads("Your company’s users have several downloads running. Try again in a minute.")
	case l.all >= maxDownloads:
		return nil, tooManyDownloads("Many downloads are running. Try again in a minute.")
	}
	if l.runs == nil {
		l.runs = map[string]int{}
	}
	l.add(user, company, 1)
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.add(user, company, -1)
	}), nil
}

// add changes the counts. The caller holds the lock.
func (l *downloadLimit) add(user, company string, n int) {
	l.all += n
	for _, key := range []string{user, company} {
		if l.runs[key] += n; l.runs[key] == 0 {
			delete(l.runs, key)
		}
	}
}

type downloadWait struct{ error }

// RetryAfter returns how long to wait.
func (downloadWait) RetryAfter() time.Duration { return time.Minute }

func tooManyDownloads(public string) error {
	return fault.Wrap(fault.Unavailable, public, downloadWait{errors.New("too many downloads run at once")})
}

// limitedBody ends the count of a download when it is closed.
type limitedBody struct {
	io.ReadCloser
	end func()
}

func (b limitedBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
