package samplecrm

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func newTestCRM(t *testing.T, portal string) *CRM {
	t.Helper()
	c, err := New(Config{Portal: portal, Origin: "http://127.0.0.1", File: filepath.Join(t.TempDir(), "crm.json"),
		Words: map[string]string{"step offers_available": "Offers ready"}})
	if err != nil {
		t.Fatal(err)
	}
	c.SetEventSecret(testSecret)
	return c
}

func testSignature(secret, id string, at time.Time, body string) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// post sends an event to the CRM and returns the status of the answer.
func (c *CRM) post(id string, at time.Time, signatures, body string) int {
	r := httptest.NewRequest(http.MethodPost, "/events", strings.NewReader(body))
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", fmt.Sprint(at.Unix()))
	r.Header.Set("Webhook-Signature", signatures)
	w := httptest.NewRecorder()
	c.Handler().ServeHTTP(w, r)
	return w.Code
}

func TestReceiveEvent_Signatures(t *testing.T) {
	t.Parallel()
	c, now := newTestCRM(t, ""), time.Now()
	const body = `{"id":"evt_1","type":"test"}`
	right := testSignature(testSecret, "evt_1", now, body)
	old, ahead := now.Add(-6*time.Minute), now.Add(6*time.Minute)
	for _, one := range []struct {
		name, signatures, body string
		at                     time.Time
		want                   int
	}{
		{"right", right, body, now, http.StatusNoContent},
		{"one of two", testSignature("whsec_b3RoZXI=", "evt_1", now, body) + " " + right, body, now, http.StatusNoContent},
		{"of another secret", testSignature("whsec_b3RoZXI=", "evt_1", now, body), body, now, http.StatusUnauthorized},
		{"of another body", right, `{"id":"evt_1","type":"tesT"}`, now, http.StatusUnauthorized},
		{"of another ID", testSignature(testSecret, "evt_2", now, body), body, now, http.StatusUnauthorized},
		{"of another time", right, body, now.Add(time.Minute), http.StatusUnauthorized},
		{"old", testSignature(testSecret, "evt_1", old, body), body, old, http.StatusUnauthorized},
		{"ahead", testSignature(testSecret, "evt_1", ahead, body), body, ahead, http.StatusUnauthorized},
		{"none", "", body, now, http.StatusUnauthorized},
		{"not JSON", testSignature(testSecret, "evt_1", now, "x"), "x", now, http.StatusBadRequest},
	} {
		if got := c.post("evt_1", one.at, one.signatures, one.body); got != one.want {
			t.Errorf("%s: got %d, want %d", one.name, got, one.want)
		}
	}
	c.SetEventSecret("")
	if got := c.post("evt_1", now, testSignature("", "evt_1", now, body), body); got != http.StatusUnauthorized {
		t.Errorf("without a secret: got %d", got)
	}
}

// TestList_EventsAndRebuild applies events in any order, and rebuilds the list from the status API.
func TestList_EventsAndRebuild(t *testing.T) {
	t.Parallel()
	var queries []string
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		answer := `{"leads":[{"application":"a","step":"funding","outcome":"open","changed":"2026-11-20T10:00:05Z"}],` +
			`"cursor":"1.x","more":true}`
		if r.URL.Query().Get("changed_since") == "1.x" {
			answer = `{"leads":[{"application":"b","step":"funded","outcome":"funded","records":[{"id":"C-52"}],` +
				`"changed":"2026-11-20T10:00:06Z"}],"cursor":"2.x","more":false}`
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(portal.Close)
	c := newTestCRM(t, portal.URL)
	send := func(number, second int, kind, step, record string) {
		t.Helper()
		body := fmt.Sprintf(`{"id":"evt_%d","type":"lead.%s","time":"2026-11-20T10:00:%02dZ","application":"a","number":%d,`+
			`"step":%q,"outcome":"open","new":{},"records":[{"type":"deal"%s}]}`, number, kind, second, number, step, record)
		now := time.Now()
		if got := c.post("evt_x", now, testSignature(testSecret, "evt_x", now, body), body); got != http.StatusNoContent {
			t.Fatalf("got %d", got)
		}
	}
	want := func(step string, tasks int, results ...string) {
		t.Helper()
		s, err := c.list.read()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range s.Log {
			got = append(got, one.Result)
		}
		if l := s.Leads["a"]; l.Step != step || l.Record != "D-1001" || len(s.Tasks) != tasks ||
			!slices.Equal(got[:len(results)], results) {
			t.Errorf("got %+v, %d tasks, %q; want %s, %d, %q", l, len(s.Tasks), got, step, tasks, results)
		}
	}
	const applied, repeated, older = "Applied", "Ignored: a repetition", "Ignored: older than the last event"
	send(3, 3, "offers_ready", "offers_available", `,"id":"D-1001"`)
	send(3, 3, "offers_ready", "offers_available", `,"id":"D-1001"`)
	want("offers_available", 1, repeated, applied)
	send(2, 2, "step_changed", "in_progress", "")
	send(4, 4, "step_changed", "inquiry_complete", "")
	want("inquiry_complete", 1, applied, older)
	if err := c.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("funding", 1)
	if s, _ := c.list.read(); len(s.Leads) != 2 || s.Leads["b"].Record != "C-52" ||
		!slices.Equal(queries, []string{"", "changed_since=1.x"}) {
		t.Errorf("got %+v after %q", s.Leads, queries)
	}
	send(4, 4, "step_changed", "inquiry_complete", "")
	send(5, 4, "offers_ready", "offers_available", "")
	want("funding", 2, "Only noted: the status API has returned something newer", repeated)
	send(6, 6, "funded", "funded", "")
	want("funded", 2, applied)
	s, _ := c.list.read()
	if rows := s.rows(); len(rows) != len(contacts()) || len(rows[0].Leads) != 1 {
		t.Errorf("got %+v", rows)
	}
}
