package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
)

// inquiry is one row of what the sandbox has.
type inquiry struct {
	AppUUID         string `json:"appUuid"`
	LastName        string `json:"lastName"`
	NextInquiryStep string `json:"nextInquiryStep"`
	ExternalAppID   string `json:"externalAppId"`
}

// control calls the sandbox's control half.
func (d *demo) control(method, path string, body, into any) {
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

// named lists the inquiries of a last name.
func (d *demo) named(lastName string) []inquiry {
	d.t.Helper()
	var all, found []inquiry
	d.control(http.MethodGet, "inquiries", nil, &all)
	for _, one := range all {
		if one.LastName == lastName {
			found = append(found, one)
		}
	}
	return found
}

// play makes an event happen.
func (d *demo) play(app, event string) {
	d.t.Helper()
	d.control(http.MethodPost, "inquiries/"+app+"/events", map[string]string{"event": event}, nil)
}

// faults sets what goes wrong at the lender.
func (d *demo) faults(set map[string]any) {
	d.t.Helper()
	d.control(http.MethodPut, "faults", set, nil)
}

// secrets are texts that must never leave the program: what people typed or the lender keeps.
func secrets() []string {
	return []string{"123-45-6789", "123456789", "elena.rivera@example.com", "(303) 555-0147", "3035550147", "Elena", "Rivera", "sandbox-partner-key", password}
}

// quiet fails when the program has written one of the secrets into its log.
func (d *demo) quiet(t *testing.T) {
	t.Helper()
	log := d.log.String()
	for _, s := range secrets() {
		if s != password && bytes.Contains([]byte(log), []byte(s)) {
			t.Errorf("the log holds %q:\n%s", s, log)
		}
	}
}
