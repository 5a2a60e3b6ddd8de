package webtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"time"

	"hearthline/internal/heloc"
)

// DirectoryFaults is a lender whose directory changes.
type DirectoryFaults struct {
	Mu      sync.Mutex
	Moved   map[string]heloc.BrokerCompany // by email
	Added   []heloc.Originator
	removed map[string]bool // users who are no longer in it
}

// Middleware answers requests for the directory, and passes all others to the sandbox.
func (d *DirectoryFaults) Middleware(box http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/management/v1/loan-originator" {
			box.ServeHTTP(w, r)
			return
		}
		d.Mu.Lock()
		defer d.Mu.Unlock()
		all := d.listed(box, r)
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		rows := all[min(offset, len(all)):min(offset+100, len(all))]
		WriteJSON(w, map[string]any{"data": rows, "total": len(all), "count": len(rows)})
	})
}

// listed asks the sandbox for all pages of a query and changes the entries.
func (d *DirectoryFaults) listed(box http.Handler, r *http.Request) []heloc.Originator {
	all := []heloc.Originator{}
	for {
		ask := r.Clone(r.Context())
		query := r.URL.Query()
		query.Set("offset", strconv.Itoa(len(all)))
		ask.URL.RawQuery = query.Encode()
		got := httptest.NewRecorder()
		box.ServeHTTP(got, ask)
		var page struct {
			Data []heloc.Originator `json:"data"`
		}
		if err := json.Unmarshal(got.Body.Bytes(), &page); err != nil || len(page.Data) == 0 {
			break
		}
		all = append(all, page.Data...)
	}
	all = slices.DeleteFunc(all, func(o heloc.Originator) bool { return d.removed[o.Email] })
	email := r.URL.Query().Get("email")
	for _, o := range d.Added {
		if email == "" || email == o.Email {
			all = append(all, o)
		}
	}
	for i, o := range all {
		if company, moves := d.Moved[o.Email]; moves {
			all[i].Broker = &company
		}
	}
	return all
}

// RemoveUsers removes users from the lender's directory and makes the portal sync it twice, the first time long
// enough ago.
func (d *DirectoryFaults) RemoveUsers(h *Harness, people ...string) {
	h.T.Helper()
	var emails []string
	for _, first := range people {
		emails = append(emails, h.People[first].Email)
	}
	d.Omit(h, emails...)
}

// Omit does the same for users by their emails.
func (d *DirectoryFaults) Omit(h *Harness, emails ...string) {
	h.T.Helper()
	d.Mu.Lock()
	d.removed = map[string]bool{}
	for _, email := range emails {
		d.removed[email] = true
	}
	d.Mu.Unlock()
	h.Must(h.LenderSync.SyncDirectory(h.T.Context()))
	h.ExecSQL(`UPDATE originators SET missing_since = missing_since - ? WHERE missing_since > 0`, time.Hour.Milliseconds())
	h.Must(h.LenderSync.SyncDirectory(h.T.Context()))
}
