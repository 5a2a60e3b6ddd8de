package webtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"hearthline/internal/bench"
)

// Database returns the address of the database, for benchmarks that read it without the portal.
func (h *Harness) Database() string { return h.database }

// AddLeads adds a data set to the database.
func (h *Harness) AddLeads(d bench.Data) {
	h.T.Helper()
	bench.Fill(h.T, h.database, h.vault, d)
}

// Requester returns a function that requests a page as the user of a browser, without a network, and fails unless it is
// answered with 200.
func (b *Browser) Requester(path string) func() error {
	var cookies []string
	for _, c := range b.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	header := strings.Join(cookies, "; ")
	return func() error {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = "localhost"
		r.Header.Set("Cookie", header)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		w := &discardedResponse{header: http.Header{}}
		b.H.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			return fmt.Errorf("%s: status %d", path, w.status)
		}
		return nil
	}
}

// discardedResponse is a response of which only the status is kept.
type discardedResponse struct {
	header http.Header
	status int
}

func (d *discardedResponse) Header() http.Header         { return d.header }
func (d *discardedResponse) Write(b []byte) (int, error) { return len(b), nil }
func (d *discardedResponse) WriteHeader(status int)      { d.status = status }
