package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/jwe"
)

// SentRequests records what the lender is sent: every request with a body, decrypted.
type SentRequests struct {
	opener *jwe.Opener
	mu     sync.Mutex
	all    []SentRequest
}

// SentRequest is a request to the lender.
type SentRequest struct {
	Name   string         // the last part of its path
	Fields map[string]any // every text, number, boolean and null by its path: "property.liens.0.lenderName"
}

// NewSentRequests returns a recorder for Options.LenderMiddleware.
func NewSentRequests(t testing.TB) *SentRequests {
	t.Helper()
	return NewSentRequestsTo(t, serviceKey)
}

// NewSentRequestsTo returns a recorder for a lender with this private key (PEM).
func NewSentRequestsTo(t testing.TB, key []byte) *SentRequests {
	t.Helper()
	opener, err := jwe.NewOpener(key)
	if err != nil {
		t.Fatal(err)
	}
	return &SentRequests{opener: opener}
}

// Middleware records the requests on their way to the lender.
func (s *SentRequests) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(raw))
		if len(raw) > 0 && !strings.HasPrefix(r.URL.Path, "/_sandbox/") {
			s.record(r.URL.Path, raw)
		}
		next.ServeHTTP(w, r)
	})
}

func (s *SentRequests) record(path string, raw []byte) {
	var sealed struct{ Encrypted string }
	if json.Unmarshal(raw, &sealed) == nil && sealed.Encrypted != "" {
		plain, err := s.opener.Open([]byte(sealed.Encrypted))
		if err != nil {
			plain = []byte(`"not decrypted"`)
		}
		raw = plain
	}
	var body any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	_ = decoder.Decode(&body)
	sent := SentRequest{Name: path[strings.LastIndexByte(path, '/')+1:], Fields: map[string]any{}}
	sent.add("", body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, sent)
}

// add adds the fields of a JSON value. A list or an object without members states nothing.
func (r SentRequest) add(path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			r.add(strings.TrimPrefix(path+"."+name, "."), member)
		}
	case []any:
		for i, member := range value {
			r.add(fmt.Sprintf("%s.%d", path, i), member)
		}
	default:
		r.Fields[path] = value
	}
}

// Take returns the recorded requests and forgets them.
func (s *SentRequests) Take() []SentRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.all
	s.all = nil
	return taken
}
