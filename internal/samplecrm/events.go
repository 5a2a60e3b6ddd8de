package samplecrm

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// event is the body of an event.
type event struct {
	ID     string    `json:"id"`
	Type   string    `json:"type"`
	Time   time.Time `json:"time"`
	Number int64     `json:"number"` // rises from event to event of a lead

	status
}

const (
	maxEventBytes = 64 << 10
	maxEventAge   = 5 * time.Minute // of a try, not of what happened
)

// receiveEvent stores an event before it answers: the portal sends an event again until the answer is 200 to 299.
func (c *CRM) receiveEvent(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEventBytes))
	if err != nil {
		http.Error(w, "The body is too long.", http.StatusRequestEntityTooLarge)
		return
	}
	if err := verifyEvent(c.eventSecret, r.Header, body, time.Now()); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		http.Error(w, "The body is not the JSON of an event.", http.StatusBadRequest)
		return
	}
	if err := c.list.update(func(s *state) error { s.receive(e); return nil }); err != nil {
		http.Error(w, "The event could not be stored.", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// verifyEvent checks the signature as Standard Webhooks describes it. There are several signatures while the portal's
// secret is being replaced, and one of them must be right.
func verifyEvent(secret string, h http.Header, body []byte, now time.Time) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return errors.New("there is no secret to verify events")
	}
	sentAt, err := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
	if err != nil || now.Sub(time.Unix(sentAt, 0)).Abs() > maxEventAge {
		return errors.New("the timestamp is not of the last five minutes")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", h.Get("webhook-id"), sentAt, body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for one := range strings.FieldsSeq(h.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(want)) {
			return nil
		}
	}
	return errors.New("no signature is right")
}

// receive applies an event to the list and logs it.
func (s *state) receive(e event) {
	s.Log = append([]logEntry{{Event: e, At: time.Now(), Result: s.apply(e)}}, s.Log...)
	s.Log = s.Log[:min(len(s.Log), maxLog)]
}

// apply returns what became of an event. An event can arrive more than once, and one that was sent again by hand can
// arrive after newer ones: the number tells both.
func (s *state) apply(e event) (result string) {
	l := s.Leads[e.Application]
	switch {
	case e.Application == "":
		return "A test"
	case e.Number == l.Number:
		return "Ignored: a repetition"
	case e.Number < l.Number:
		return "Ignored: older than the last event"
	}
	l.Number = e.Number
	result = "Applied"
	if e.Time.Before(l.Changed) {
		result = "Only noted: the status API has returned something newer"
	} else {
		l.set(e.status, e.Time)
	}
	s.Leads[e.Application] = l
	if e.Type == "lead.offers_ready" {
		s.addTask(e, l)
	}
	return result
}

// addTask is an automation: when offers are ready, the contact's owner has to call.
func (s *state) addTask(e event, l lead) {
	who, ok := findContact(l.Record)
	if !ok {
		return
	}
	s.Tasks = append(s.Tasks, task{ID: e.ID, Record: who.ID, Owner: who.Owner,
		Text: "Go over the HELOC offers with " + who.Name})
}
