package sandbox

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// control serves the pages and endpoints that act as the borrower and the lender. It accepts
// only requests from this machine, and none that a page of another site sends.
func (s *Sandbox) control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_sandbox/{$}", s.controlPage)
	mux.HandleFunc("GET /_sandbox/style.css", controlStyle)
	for pattern, handle := range map[string]func(*http.Request) (any, error){
		"GET /_sandbox/inquiries":                   s.controlInquiries,
		"POST /_sandbox/inquiries/{appUuid}/events": s.controlEvent,
		"GET /_sandbox/faults":                      func(*http.Request) (any, error) { return s.faults.current(), nil },
		"PUT /_sandbox/faults":                      s.controlFaults,
		"GET /_sandbox/calls":                       func(*http.Request) (any, error) { return s.calls.list(), nil },
		"PUT /_sandbox/clock":                       s.controlClock,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			v, err := handle(r)
			s.writeControlResponse(w, r, v, err)
		})
	}
	mux.HandleFunc("POST /_sandbox/{$}", s.controlForm)
	sameSite := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.RemoteAddr) || !isLoopbackHost(r.Host) {
			http.Error(w, "The control half answers on this machine only.", http.StatusForbidden)
			return
		}
		sameSite.ServeHTTP(w, r)
	})
}

// isLoopback checks the connection's address; it ignores headers that a proxy adds.
func isLoopback(remote string) bool {
	at, err := netip.ParseAddrPort(remote)
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// isLoopbackHost rejects a host name of another site that resolves to this machine.
func isLoopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	at, err := netip.ParseAddr(host)
	return err == nil && at.IsLoopback()
}

// writeControlResponse never encrypts a response: the caller is a developer or a test.
func (s *Sandbox) writeControlResponse(w http.ResponseWriter, r *http.Request, v any, err error) {
	r.Header.Del("X-Encrypt-Response")
	w.Header().Set("Cache-Control", "no-store")
	s.writeResponse(w, r, v, err)
}

// Inquiry is one entry of the list of inquiries.
type Inquiry struct {
	AppUUID         heloc.AppID        `json:"appUuid"`
	AppShortID      string             `json:"appShortId"`
	LastName        string             `json:"lastName"`
	OriginatorUUID  heloc.OriginatorID `json:"loanOriginatorUuid"`
	NextInquiryStep heloc.Step         `json:"nextInquiryStep"`
	ExternalAppID   string             `json:"externalAppId"`
	CreatedAt       time.Time          `json:"createdAt"`
}

// Inquiries lists all inquiries, oldest first.
func (s *Sandbox) Inquiries() []Inquiry {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Inquiry, 0, len(s.order))
	for _, id := range s.order {
		q := s.records[id]
		all = append(all, Inquiry{
			AppUUID: heloc.AppID(q.ID), AppShortID: q.ShortID, LastName: q.Inquiry.Applicant.Name.Last,
			OriginatorUUID: q.Originator, NextInquiryStep: q.Step, ExternalAppID: q.ExternalIDs.ApplicationID,
			CreatedAt: q.Created.UTC(),
		})
	}
	return all
}

func (s *Sandbox) controlInquiries(*http.Request) (any, error) { return s.Inquiries(), nil }

func (s *Sandbox) controlEvent(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	id, err := heloc.ParseAppID(r.PathValue("appUuid"))
	if err != nil {
		return nil, unknownApplication()
	}
	if err := s.Play(id, p.text("event")); err != nil {
		return nil, err
	}
	return s.inquiry(id), nil
}

// inquiry returns one entry of the list, or nil.
func (s *Sandbox) inquiry(id heloc.AppID) any {
	for _, q := range s.Inquiries() {
		if q.AppUUID == id {
			return q
		}
	}
	return nil
}

func (s *Sandbox) controlFaults(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	var set Faults
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, reject(http.StatusBadRequest, "The faults are not valid: %v.", err)
	}
	if err := s.SetFaults(set); err != nil {
		return nil, err
	}
	return s.faults.current(), nil
}

// controlClock sets the calendar; null restores the machine's clock.
func (s *Sandbox) controlClock(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	if !p.has("now") {
		return nil, reject(http.StatusBadRequest, "The field now is required: an instant, or null.")
	}
	var now time.Time
	if text := p.text("now"); text != "" {
		if now, err = time.Parse(time.RFC3339, text); err != nil {
			return nil, reject(http.StatusBadRequest, "The field now must be an instant like 2026-11-20T15:04:05Z.")
		}
	}
	s.SetClock(now)
	return object{"now": s.clock.now()}, nil
}
