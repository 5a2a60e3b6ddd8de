package sandbox

import (
	"crypto/subtle"
	"errors"
	"math/rand/v2"
	"mime"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// middleware wraps every endpoint: it logs the call, applies the active faults, checks the
// key, and loses the response to a write if requested.
func (s *Sandbox) middleware(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &statusRecorder{ResponseWriter: w}
		call := call{At: s.clock.now(), Method: r.Method, Path: r.URL.Path}
		if e.estimate {
			hasKey := r.Header.Get("apikey") != ""
			call.HadKey = &hasKey
		}
		// The call is logged even when its response is lost or the caller has disconnected.
		defer func() {
			call.Status = seen.status
			s.calls.add(call)
		}()
		w.Header().Set("X-Kong-Request-Id", uuid.NewString())
		if !s.delay(r) {
			return
		}
		if err := s.rejectReason(e, r); err != nil {
			s.writeResponse(seen, r, nil, err)
			return
		}
		s.serve(seen, r, e)
	})
}

// delay waits as long as the latency fault says; false when the caller disconnected.
func (s *Sandbox) delay(r *http.Request) bool {
	latency := s.faults.current().latency()
	if latency <= 0 {
		return true
	}
	timer := time.NewTimer(latency)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.done:
	}
	return false
}

// rejectReason returns why a call does not reach the service: a simulated error, a missing or
// wrong key, a body that is not called JSON, or, in the live dialect, a missing User-Agent.
func (s *Sandbox) rejectReason(e endpoint, r *http.Request) error {
	if rate := s.faults.current().ErrorRate; rate > 0 && rand.Float64() < rate {
		if r.URL.Path == "/encryption/v1/encrypt" {
			return reject(http.StatusInternalServerError, "Unexpected failure during encryption.")
		}
		return reject(http.StatusServiceUnavailable, "The service is not available at the moment.")
	}
	key := r.Header.Get("apikey")
	switch {
	case key == "" && !e.withoutKey:
		return rejectAtGateway(http.StatusUnauthorized, "No API key found in request")
	case !e.withoutKey && subtle.ConstantTimeCompare([]byte(key), []byte(s.cfg.APIKey)) != 1:
		return rejectAtGateway(http.StatusUnauthorized, "Unauthorized")
	case s.cfg.Dialect == Live && r.UserAgent() == "":
		return rejectAtGateway(http.StatusUnauthorized, "No User-Agent found in request")
	case !e.withoutKey && r.Method != http.MethodGet && !isJSON(r.Header.Get("Content-Type")):
		return reject(http.StatusBadRequest, "The header Content-Type must be application/json.")
	}
	return nil
}

// isJSON reports whether a Content-Type is application/json, with any parameters (section 5.2).
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == "application/json"
}

// serve executes the operation and responds, or loses the response.
func (s *Sandbox) serve(w *statusRecorder, r *http.Request, e endpoint) {
	if e.stream != nil {
		if err := e.stream(w, r); err != nil {
			s.writeResponse(w, r, nil, err)
		}
		return
	}
	v, err := e.handle(r)
	if errors.Is(err, errResponseLost) || err == nil && e.isWrite && s.faults.takeDrop() {
		panic(http.ErrAbortHandler) // closes the connection without a response
	}
	s.writeResponse(w, r, v, err)
}

// statusRecorder records the status for the call log; zero when the response was lost.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (w *statusRecorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusRecorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap gives http.ResponseController access to the connection.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
