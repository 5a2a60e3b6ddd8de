package embed

import (
	"testing"

	"hearthline/internal/launch"
)

func TestRecordURL(t *testing.T) {
	t.Parallel()
	const contacts = "https://crm.example/contacts/{record}"
	for name, tt := range map[string]struct {
		template string
		record   launch.Record
		change   func(c *Client)
		want     string
	}{
		"path": {contacts, launch.Record{ID: "51"}, nil, "https://crm.example/contacts/51"},
		"query": {"https://crm.example/?id={record}&t={type}", launch.Record{Type: "deal", ID: "5 1&x=2#y"}, nil,
			"https://crm.example/?id=5%201%26x%3D2%23y&t=deal"},
		"one segment": {contacts, launch.Record{ID: "../admin?a=/b\\c"}, nil,
			"https://crm.example/contacts/..%2Fadmin%3Fa%3D%2Fb%5Cc"},
		"placeholder":  {contacts, launch.Record{Type: "x", ID: "{type}"}, nil, "https://crm.example/contacts/%7Btype%7D"},
		"folder above": {contacts, launch.Record{ID: ".."}, nil, ""},
		"no ID":        {contacts, launch.Record{Type: "deal"}, nil, ""},
		"no type":      {"https://crm.example/{type}/{record}", launch.Record{ID: "51"}, nil, ""},
		"no URL":       {"", launch.Record{ID: "51"}, nil, ""},
		"script":       {"javascript:alert(1)//{record}", launch.Record{ID: "51"}, nil, ""},
		"other origin": {"https://crm.example.evil/{record}", launch.Record{ID: "51"}, nil, ""},
		"user name":    {"https://crm.example@evil.example/{record}", launch.Record{ID: "51"}, nil, ""},
		"origin removed": {contacts, launch.Record{ID: "51"}, func(c *Client) {
			c.Origins = []string{"https://b.example"}
		}, ""},
		"disabled":        {contacts, launch.Record{ID: "51"}, func(c *Client) { c.Disabled = true }, ""},
		"another company": {contacts, launch.Record{ID: "51"}, func(c *Client) { c.BrokerID = "lakeside" }, ""},
	} {
		c := Client{Client: launch.Client{BrokerID: "summit", Origins: []string{"https://crm.example"}},
			RecordLink: tt.template}
		if tt.change != nil {
			tt.change(&c)
		}
		if got := c.RecordURL("summit", tt.record.Type, tt.record.ID); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestSetup_RecordURL(t *testing.T) {
	t.Parallel()
	for template, ok := range map[string]bool{
		"": true, "https://crm.example/contacts/{record}": true, "https://crm.example/?t={type}&id={record}": true,
		"https://crm.example/#/contacts/{record}": true,
		"https://crm.example/contacts":            false, "https://{record}.crm.example/": false,
		"https://crm.example@evil.example/{record}": false, "http://crm.example/{record}": false,
		"javascript:{record}": false, "//crm.example/{record}": false, "https://crm.example/{record}/{user}": false,
		"https://crm.example/{record} x": false, "https://crm.example/\\{record}": false, "https://b.example/{record}": false,
	} {
		e := Setup{Kind: launch.KindToken, Origins: []string{"https://crm.example:443"}, RecordURL: template}
		problem := ""
		for _, f := range e.fieldErrors(setupContext{}) {
			if f.Name == "recordUrl" {
				problem = f.Message
			}
		}
		if (problem == "") != ok {
			t.Errorf("%q: got %q, want ok %v", template, problem, ok)
		}
	}
}
