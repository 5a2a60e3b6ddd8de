package faulttest

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// Fault describes what happens to one write and after it. The zero value delivers the write and returns the lender's
// response.
type Fault struct {
	Name        string
	Refused     bool // the connection is refused
	Undelivered bool // the request gets no further than a gateway
	// DeliverAfter is how long a gateway delays the request. The portal never gets the lender's response.
	DeliverAfter time.Duration
	AnswerAfter  time.Duration // the answer arrives this long after the request
	Answer       Answer        // what arrives; the zero value is the lender's own response
	StaleFor     time.Duration // how long the lender returns details from before the write
	Movement     string        // what the lender does to the lead a few seconds later; a sandbox event
}

// Answer replaces the lender's answer. The zero value keeps it.
type Answer struct {
	Lost   bool // nothing arrives
	Half   bool // half of the lender's answer arrives
	Status int
	Body   string
}

// replace returns the answer that arrives; nil when none does.
func (a Answer) replace(of *http.Response) *http.Response {
	switch {
	case a.Status != 0:
		return response(a.Status, a.Body)
	case a.Lost || of == nil && !a.Half:
		return nil
	case !a.Half:
		return of
	}
	content := []byte(`{"messages":[{"level":"INFO"}]}`)
	if of != nil {
		content, _ = io.ReadAll(of.Body) // reading a recorder's body does not fail
	}
	return response(http.StatusOK, string(content[:len(content)/2]))
}

func response(status int, body string) *http.Response {
	header := http.Header{"Content-Type": {"application/json"}}
	switch {
	case strings.HasPrefix(body, "<"):
		header.Set("Content-Type", "text/html")
	case status == http.StatusFound:
		header.Set("Location", "https://login.test/")
	case status == http.StatusTooManyRequests:
		header.Set("Retry-After", "1")
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), ProtoMajor: 1, ProtoMinor: 1}
}

const (
	afterTimeout = 20 * time.Second // longer than the portal waits for an answer
	minutes      = 5 * time.Minute
)

// Faults lists all faults.
func Faults() []Fault {
	lost := Answer{Lost: true}
	all := []Fault{
		{Name: "answered"},
		{Name: "refused", Refused: true},
		{Name: "cut before", Undelivered: true, Answer: lost},
		{Name: "cut after", Answer: lost},
		{Name: "answer 20s", AnswerAfter: afterTimeout},
		{Name: "deliver 20s", DeliverAfter: afterTimeout, AnswerAfter: time.Hour},
		{Name: "deliver 5m", DeliverAfter: minutes, AnswerAfter: time.Hour},
		{Name: "cut, deliver 5m", DeliverAfter: minutes, Answer: lost},
		{Name: "429", Undelivered: true, Answer: Answer{Status: http.StatusTooManyRequests}},
		{Name: "401", Undelivered: true,
			Answer: Answer{Status: http.StatusUnauthorized, Body: `{"message":"Unauthorized"}`}},
		{Name: "302", Undelivered: true, Answer: Answer{Status: http.StatusFound}},
		{Name: "200 error", Undelivered: true,
			Answer: Answer{Status: http.StatusOK, Body: `{"messages":[{"level":"ERROR","message":"Not now."}]}`}},
		{Name: "webhook first", AnswerAfter: 8 * time.Second},
		{Name: "stale", StaleFor: minutes},
		{Name: "cut after, stale", Answer: lost, StaleFor: minutes},
		{Name: "500 after, stale", Answer: Answer{Status: http.StatusInternalServerError}, StaleFor: minutes},
		{Name: "history moves", Movement: "condition"},
		{Name: "cut before, history", Undelivered: true, Answer: lost, Movement: "condition"},
		{Name: "cut after, history", Answer: lost, Movement: "condition"},
		{Name: "cut before, expires", Undelivered: true, Answer: lost, Movement: "expire"},
		{Name: "cut after, expires", Answer: lost, Movement: "expire"},
	}
	const page = "<html><body>We’ll be right back.</body></html>"
	for _, either := range []struct {
		name   string
		answer Answer
	}{
		{"500", Answer{Status: http.StatusInternalServerError, Body: `{"message":"Unexpected failure."}`}},
		{"503", Answer{Status: http.StatusServiceUnavailable}},
		{"502 html", Answer{Status: http.StatusBadGateway, Body: page}},
		{"200 html", Answer{Status: http.StatusOK, Body: page}},
		{"half", Answer{Half: true}},
		{"10 MB", Answer{Status: http.StatusOK, Body: `{"messages":[],"padding":"` + strings.Repeat("x", 10<<20) + `"}`}},
		{"other id", Answer{Status: http.StatusOK,
			Body: `{"data":{"appUuid":"99999999-9999-4999-8999-999999999999","appData":{"isInquiry":true}}}`}},
		{"list", Answer{Status: http.StatusOK, Body: `[]`}},
		{"null", Answer{Status: http.StatusOK, Body: `null`}},
		{"204", Answer{Status: http.StatusNoContent}},
	} {
		all = append(all, Fault{Name: either.name + " before", Undelivered: true, Answer: either.answer},
			Fault{Name: either.name + " after", Answer: either.answer})
	}
	return all
}
