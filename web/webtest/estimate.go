package webtest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/desk"
)

// RecordingSealer lets a test read the plaintext.
type RecordingSealer struct{ Plain *string }

// Seal stores the plaintext.
func (r RecordingSealer) Seal(_ context.Context, plaintext []byte) (string, error) {
	*r.Plain = string(plaintext)
	return "eyJ.a.b.c-_.d", nil
}

// BorrowerLink offers borrowers to continue alone.
func BorrowerLink(t testing.TB) desk.BorrowerLink {
	t.Helper()
	at, err := url.Parse("https://apply.example")
	if err != nil {
		t.Fatal(err)
	}
	return desk.BorrowerLink{ApplyURL: at, Sealer: RecordingSealer{Plain: new(string)}}
}

// EstimateAccess offers quick estimates.
func EstimateAccess() desk.EstimateAccess {
	return desk.EstimateAccess{Affiliate: "6f2d0c57-8f4e-4a39-9c0b-2f5f3f6f7a11"}
}

// LenderCallCount counts the calls to the lender whose URL contains a text.
func (h *Harness) LenderCallCount(piece string) int {
	h.T.Helper()
	r, err := http.NewRequestWithContext(h.T.Context(), http.MethodGet, h.Lender.URL+"/_sandbox/calls", nil)
	if err != nil {
		h.T.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		h.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var calls []struct{ Path string }
	if err := json.NewDecoder(res.Body).Decode(&calls); err != nil {
		h.T.Fatal(err)
	}
	n := 0
	for _, c := range calls {
		if strings.Contains(c.Path, piece) {
			n++
		}
	}
	return n
}
