package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Faults are simulated failures. The zero value is a healthy lender. Faults affect only the
// interface, never /_sandbox/, and end with the process.
type Faults struct {
	LatencyMs int64 `json:"latencyMs"` // every call waits this long first
	// 0 to 1: the share of calls rejected with 503 (encrypt: 500), without any effect
	ErrorRate     float64     `json:"errorRate"`
	DropResponses Drop        `json:"dropResponses"` // responses to writes that will be lost
	Webhooks      WebhookMode `json:"webhooks"`
}

// Drop is the number of responses that will still be lost: the write is done and the connection
// closes. Only writes count (including pre-qualification), so a poll cannot use up a loss
// meant for a write. In JSON it is a number, or true for every response until it is
// switched off.
type Drop int

// DropAll loses every response until it is switched off.
const DropAll Drop = -1

// MarshalJSON implements json.Marshaler.
func (d Drop) MarshalJSON() ([]byte, error) {
	if d == DropAll {
		return []byte("true"), nil
	}
	return strconv.AppendInt(nil, int64(d), 10), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Drop) UnmarshalJSON(b []byte) error {
	switch string(bytes.TrimSpace(b)) {
	case "true":
		*d = DropAll
		return nil
	case "false", "null":
		*d = 0
		return nil
	}
	var n int
	if err := json.Unmarshal(b, &n); err != nil || n < 0 {
		return fmt.Errorf("dropResponses is neither a count nor a boolean")
	}
	*d = Drop(n)
	return nil
}

// WebhookMode is how webhooks are delivered.
type WebhookMode string

// The modes. The empty mode is WebhooksOn.
const (
	WebhooksOn      WebhookMode = "on"
	WebhooksOff     WebhookMode = "off"     // not sent at all
	WebhooksLate    WebhookMode = "late"    // sent after lateDelay
	WebhooksDouble  WebhookMode = "double"  // sent twice
	WebhooksReorder WebhookMode = "reorder" // each is delivered after the next one
)

func (f Faults) latency() time.Duration { return time.Duration(f.LatencyMs) * time.Millisecond }

func (f Faults) check() error {
	switch f.Webhooks {
	case "", WebhooksOn, WebhooksOff, WebhooksLate, WebhooksDouble, WebhooksReorder:
	default:
		return reject(http.StatusBadRequest, "webhooks is on, off, late, double or reorder.")
	}
	if f.LatencyMs < 0 || f.LatencyMs > 600_000 {
		return reject(http.StatusBadRequest, "latencyMs is 0 to 600000.")
	}
	if f.ErrorRate < 0 || f.ErrorRate > 1 {
		return reject(http.StatusBadRequest, "errorRate is 0 to 1.")
	}
	return nil
}

type faults struct {
	mu       sync.Mutex
	settings Faults
}

func (f *faults) current() Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	set := f.settings
	if set.Webhooks == "" {
		set.Webhooks = WebhooksOn
	}
	return set
}

// takeDrop reports whether this response must be lost, and counts it.
func (f *faults) takeDrop() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.settings.DropResponses > 0 {
		f.settings.DropResponses--
		return true
	}
	return f.settings.DropResponses == DropAll
}

// Faults returns the faults that are switched on.
func (s *Sandbox) Faults() Faults { return s.faults.current() }

// SetFaults replaces all faults; the zero value of a field switches it off. The error names
// an invalid field, and then nothing changes.
func (s *Sandbox) SetFaults(set Faults) error {
	if err := set.check(); err != nil {
		return err
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.settings = set
	return nil
}
