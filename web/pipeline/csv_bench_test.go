package pipeline_test

import (
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/web/webtest"
)

// BenchmarkLeadsCSV downloads all leads of a company, and prints how long it takes and how much memory it needs at
// most.
func BenchmarkLeadsCSV(b *testing.B) {
	for _, n := range bench.Sizes(b) {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			h := webtest.New(b, webtest.Options{NoJobs: true, NoSync: true, Large: true})
			maya := h.People["maya"]
			owner := access.Owner{BrokerID: maya.BrokerID, Organization: maya.Organization}
			h.AddLeads(bench.Data{Leads: n, Company: owner, Originators: bench.AddPeople(b, h.Store, owner, 25), NoDetails: true,
				Now: time.Now()})
			v := h.SignInAs("maya")
			for b.Loop() {
				heap, stop := peakHeap()
				began := time.Now()
				rows, err := countRows(v, h.HTTPServer.URL+"/leads.csv?view=all")
				check(b, err)
				took := time.Since(began)
				stop()
				b.Logf("%8d rows in %6.2f s, at most %5.1f MB", rows, took.Seconds(), float64(heap.Load())/1e6)
			}
		})
	}
}

// countRows downloads a file and counts its rows, besides the header.
func countRows(v *webtest.Browser, url string) (n int, err error) {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Host = "localhost"
	for _, c := range v.Cookies() {
		r.AddCookie(c)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, got.Body.Close()) }()
	file := csv.NewReader(got.Body)
	file.ReuseRecord = true
	for {
		if _, err := file.Read(); err == io.EOF {
			return n - 1, nil
		} else if err != nil {
			return n, err
		}
		n++
	}
}

// peakHeap samples the memory of the heap until stop is called.
func peakHeap() (peak *atomic.Uint64, stop func()) {
	peak, done, ended := &atomic.Uint64{}, make(chan struct{}), make(chan struct{})
	runtime.GC()
	go func() {
		defer close(ended)
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapInuse))
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return peak, func() { close(done); <-ended }
}
