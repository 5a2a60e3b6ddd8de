package faulttest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// booked returns the details of an application as the sandbox has them now.
func (p *portal) booked(app heloc.AppID) (heloc.Details, error) {
	got, err := p.direct.Details(p.t.Context(), app)
	return got.Value, err
}

// savedRecord is one line of the sandbox's file: an inquiry at one instant.
type savedRecord struct {
	Work *struct {
		Op  heloc.Operation
		Due time.Time
	}
	History    []json.RawMessage
	Originator heloc.OriginatorID
	UTM        heloc.UTM
}

// saved returns the sandbox's records of an inquiry, oldest first.
func (p *portal) saved(app heloc.AppID) (all []savedRecord) {
	content, err := os.ReadFile(filepath.Join(p.dir, stateFile))
	check(p.t, err)
	for line := range bytes.Lines(content) {
		id, body, _ := bytes.Cut(line, []byte(" "))
		if string(id) != string(app) {
			continue
		}
		var one savedRecord
		check(p.t, json.Unmarshal(body, &one))
		all = append(all, one)
	}
	return all
}

// inquiries returns a borrower's inquiries in the sandbox.
func (p *portal) inquiries(lastName string) (apps []heloc.AppID) {
	for _, one := range p.sandbox.Inquiries() {
		if one.LastName == lastName {
			apps = append(apps, one.AppUUID)
		}
	}
	return apps
}

// estimates returns how many estimates the sandbox has made; it keeps nothing else about them.
func (p *portal) estimates() (n int) {
	r := httptest.NewRequest(http.MethodGet, "http://localhost/_sandbox/calls", nil)
	r.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	p.sandbox.Handler().ServeHTTP(w, r)
	var calls []struct {
		Path   string
		Status int
	}
	check(p.t, json.Unmarshal(w.Body.Bytes(), &calls))
	for _, c := range calls {
		if strings.Contains(c.Path, "/pre-qualify/") && c.Status == http.StatusOK {
			n++
		}
	}
	return n
}

// applied returns how many times the sandbox applied a write to an inquiry, given the inquiry's records before the
// write.
func (p *portal) applied(kind heloc.Operation, app heloc.AppID, linesBefore int) (n int) {
	switch kind {
	case heloc.OpStart:
		return len(p.inquiries(startName))
	case heloc.OpPrequalify:
		return p.estimates()
	}
	all := p.saved(app)
	for i := max(linesBefore, 1); i < len(all); i++ {
		before, now := all[i-1], all[i]
		switch {
		case kind == heloc.OpSetAttributions || kind == heloc.OpReassign:
			// Both complete immediately and leave no pending work and no history.
			if now.Work == nil && before.Work == nil && len(now.History) == len(before.History) {
				n++
			}
		case now.Work != nil && now.Work.Op == kind &&
			(before.Work == nil || before.Work.Op != kind || !before.Work.Due.Equal(now.Work.Due)):
			n++
		}
	}
	return n
}
