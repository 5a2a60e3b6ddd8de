package embed_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/embed"
	"hearthline/internal/samplecrm"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// BenchmarkCRMLeads reads the status of all leads of a CRM, page by page, and what has changed since.
func BenchmarkCRMLeads(b *testing.B) {
	for _, n := range bench.Sizes(b) {
		h := webtest.New(b, webtest.Options{NoJobs: true, NoSync: true, Large: true})
		crm := webtest.NewCRM(b, h)
		olivia := h.People["olivia"]
		owner := access.Owner{BrokerID: olivia.BrokerID, Organization: olivia.Organization}
		h.AddLeads(bench.Data{Leads: n, Company: owner, Originators: bench.AddPeople(b, h.Store, owner, 25),
			Now: time.Now()})
		h.ExecSQL(`INSERT INTO lead_references (blind_index, app, key_id, client, type)
			SELECT 'index-' || app, app, 0, 'acme', 'deal' FROM leads`)
		h.ExecSQL(`ANALYZE`) // as PostgreSQL does in the background
		get := func(cursor string) (page leadsPage, took time.Duration) {
			path := "/api/embed/acme/leads"
			if cursor != "" {
				path += "?changed_since=" + cursor
			}
			raw, err := samplecrm.Token(crm.Key, webtest.CRMOrigin, "http://localhost"+path,
				samplecrm.LaunchClaims{Subject: fmt.Sprint(time.Now().UnixNano())}) // no user asks 600 times in a minute
			h.Must(err)
			r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
			r.Host = "localhost"
			r.Header.Set("Authorization", "Bearer "+raw)
			began := time.Now()
			h.ServeHTTP(w, r)
			took = time.Since(began)
			if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
				b.Fatalf("got %d: %s", w.Code, w.Body)
			}
			return page, took
		}
		report := func(b *testing.B, all []time.Duration) {
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1000, "p95-ms")
		}
		var end string
		b.Run(fmt.Sprintf("%d/all", n), func(b *testing.B) {
			var pages []time.Duration
			for b.Loop() {
				listed := 0
				for cursor, more := "", true; more; {
					page, took := get(cursor)
					pages, listed = append(pages, took), listed+len(page.Leads)
					cursor, more = page.Cursor, page.More
					end = cursor
				}
				if listed != n {
					b.Fatalf("listed %d, want %d", listed, n)
				}
			}
			report(b, pages)
			b.ReportMetric(float64(embed.MaxLeads), "leads/page")
		})
		b.Run(fmt.Sprintf("%d/changes", n), func(b *testing.B) {
			var calls []time.Duration
			for i := 0; b.Loop(); i++ {
				for k := range 3 {
					h.Must(h.Store.Write(b.Context(), func(tx *store.Tx) error {
						l, err := tx.AnyLead(b.Context(), bench.App((i*3+k)%n))
						if err != nil {
							return err
						}
						l.OpenConditions++
						return tx.SaveLead(b.Context(), &l, time.Now(), true)
					}))
				}
				page, took := get(end)
				if calls = append(calls, took); len(page.Leads) != 3 {
					b.Fatalf("got %d changes, want 3", len(page.Leads))
				}
				end = page.Cursor
			}
			report(b, calls)
		})
	}
}
