package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
)

// inquiry is one of the sandbox's inquiries.
type inquiry struct {
	AppUUID         string `json:"appUuid"`
	LastName        string `json:"lastName"`
	NextInquiryStep string `json:"nextInquiryStep"`
	ExternalAppID   string `json:"externalAppId"`
}

// callControl calls the sandbox's control interface.
func (d *demo) callControl(method, path string, body, into any) {
	d.t.Helper()
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			d.t.Fatal(err)
		}
	}
	req, err := http.NewRequest(method, d.sandbox+"/_sandbox/"+path, &sent)
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		d.t.Fatalf("%s %s: %s", method, path, res.Status)
	}
	if into != nil {
		if err := json.NewDecoder(res.Body).Decode(into); err != nil {
			d.t.Fatal(err)
		}
	}
}

// inquiriesByLastName lists the inquiries with a last name.
func (d *demo) inquiriesByLastName(lastName string) []inquiry {
	d.t.Helper()
	var all, found []inquiry
	d.callControl(http.MethodGet, "inquiries", nil, &all)
	for _, one := range all {
		if one.LastName == lastName {
			found = append(found, one)
		}
	}
	return found
}

// playEvent makes an event happen.
func (d *demo) playEvent(app, event string) {
	d.t.Helper()
	d.callControl(http.MethodPost, "inquiries/"+app+"/events", map[string]string{"event": event}, nil)
}

// setFaults sets the lender's faults.
func (d *demo) setFaults(set map[string]any) {
	d.t.Helper()
	d.callControl(http.MethodPut, "faults", set, nil)
}

// secretTexts are texts that must never leave the program: what users typed, or what the lender has.
func secretTexts() []string {
	return []string{"123-45-6789", "123456789", "elena.rivera@example.com", "(303) 555-0147", "3035550147", "Elena",
		"Rivera", "sandbox-partner-key", password}
}

// checkLogHasNoPII fails when the program's log contains one of the secrets.
func (d *demo) checkLogHasNoPII(t *testing.T) {
	t.Helper()
	log := d.log.String()
	for _, s := range secretTexts() {
		if s != password && bytes.Contains([]byte(log), []byte(s)) {
			t.Errorf("the log contains %q:\n%s", s, log)
		}
	}
}
