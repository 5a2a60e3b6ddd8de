package samplecrm

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// status is what an event and the status API say about a lead. Codes that are added later must not stop a CRM, so they
// are text.
type status struct {
	Application string `json:"application"` // never changes
	Lead        string `json:"lead"`        // the short ID that people see
	Records     []struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	} `json:"records"`
	Step    string    `json:"step"`
	Move    string    `json:"move"`
	Outcome string    `json:"outcome"`
	Due     time.Time `json:"due,omitzero"`
	URL     string    `json:"url"`
}

// lead is a lead in the CRM's list.
type lead struct {
	status

	Record  string    `json:"record"`  // the ID of the CRM's contact
	Number  int64     `json:"number"`  // of its last event
	Changed time.Time `json:"changed"` // when that status began
}

// Ended reports whether nothing more happens to the lead.
func (l lead) Ended() bool { return l.Outcome != "open" }

// set replaces the status. The ID of the record is missing if the lender does not return it: then the CRM keeps the one
// that it knows.
func (l *lead) set(now status, changed time.Time) {
	l.status, l.Changed = now, changed
	for _, r := range now.Records {
		if r.ID != "" {
			l.Record = r.ID
		}
	}
}

// task is something that a user of the CRM has to do.
type task struct {
	ID     string `json:"id"` // of the event that made it
	Record string `json:"record"`
	Owner  string `json:"owner"`
	Text   string `json:"text"`
	Done   bool   `json:"done"`
}

// logEntry is an event that arrived.
type logEntry struct {
	Event  event     `json:"event"`
	At     time.Time `json:"at"`
	Result string    `json:"result"`
}

const maxLog = 200

// state is everything that the CRM stores.
type state struct {
	Leads map[string]lead `json:"leads"` // by application
	Tasks []task          `json:"tasks"`
	Log   []logEntry      `json:"log"` // newest first
}

// list is the state in its file. A CRM has a database for this.
type list struct {
	file string
	mu   sync.Mutex
}

func (l *list) read() (s state, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.load()
}

func (l *list) load() (state, error) {
	s := state{Leads: map[string]lead{}}
	text, err := os.ReadFile(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

// update stores all that change does, or nothing.
func (l *list) update(change func(s *state) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, err := l.load()
	if err != nil {
		return err
	}
	if err := change(&s); err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(l.file+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(l.file+".new", l.file)
}

// statusPage is a page of the status API.
type statusPage struct {
	Leads []struct {
		status

		Changed time.Time `json:"changed"`
	} `json:"leads"`
	Cursor string `json:"cursor"`
	More   bool   `json:"more"`
}

// Rebuild replaces the list with what the status API returns, after events were lost or the list was. Events wait
// meanwhile. A CRM with many leads stores the cursor, and the next time asks only for what has changed since.
func (c *CRM) Rebuild(ctx context.Context) error {
	return c.list.update(func(s *state) error {
		known := s.Leads
		s.Leads = map[string]lead{}
		address := c.Portal + "/api/embed/" + Key + "/leads"
		for next := address; next != ""; {
			var page statusPage
			if err := c.callWithToken(ctx, next, &page); err != nil {
				return err
			}
			for _, one := range page.Leads {
				l := known[one.Application]
				l.set(one.status, one.Changed)
				s.Leads[one.Application] = l
			}
			next = ""
			if page.More {
				next = address + "?changed_since=" + url.QueryEscape(page.Cursor)
			}
		}
		return nil
	})
}

func (c *CRM) rebuildList(w http.ResponseWriter, r *http.Request) {
	if err := c.Rebuild(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (c *CRM) finishTask(w http.ResponseWriter, r *http.Request) {
	err := c.list.update(func(s *state) error {
		for i := range s.Tasks {
			if s.Tasks[i].ID == r.PathValue("task") {
				s.Tasks[i].Done = true
			}
		}
		return nil
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// word returns what a code means. The table of codes is in the help; a code that is not there yet is shown as it is.
func (c *CRM) word(field, code string) string {
	if word, ok := c.Words[field+" "+code]; ok {
		return word
	}
	return strings.ReplaceAll(code, "_", " ")
}
