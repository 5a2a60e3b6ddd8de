package partner

import (
	"context"
	"io"
	"net/http"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// TestDocument_TypeOfList_ComparedWithFile compares the beginning of a file with the type that the list declares.
func TestDocument_TypeOfList_ComparedWithFile(t *testing.T) {
	t.Parallel()
	const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	for _, tt := range []struct {
		declared, sent, body string
		ok                   bool
	}{
		{"application/pdf", "application/pdf", "%PDF-1.7 …", true},
		{"application/pdf; charset=binary", "", "\ufeff\n%PDF-1.4 …", true},
		{"application/pdf", "application/json", "%PDF-1.7 …", true},
		{"application/pdf", "application/pdf", "plain text", false},
		{"application/pdf", "application/pdf", `{"data": null}`, false},
		{"image/png", "image/png", "\x89PNG\r\n\x1a\n…", true},
		{"image/png", "image/png", "<html>", false},
		{"image/jpeg", "image/jpeg", "\xff\xd8\xff\xe0…", true},
		{docx, docx, "PK\x03\x04…", true},
		{docx, docx, "[]", false},
		{"text/plain", "text/plain", "[1] The borrower signs.", true},
		{"text/plain", "application/json", `{"data": null}`, false},
		{"text/csv", "text/html", "a,b", false},
		{"text/html", "text/html", "<!DOCTYPE html>", true},
		{"application/msword", "application/msword", "\xd0\xcf\x11\xe0…", true},
		{"application/msword", "application/octet-stream", " <!doctype html>", false},
		{"", "application/pdf", "%PDF-1.7 …", true},
		{"", "application/pdf", "<html>", false},
		{"", "text/html", "<html>", false},
		{"application/octet-stream", "", "anything", true},
		{"", "", "\n{}", false},
	} {
		server, _ := startServer(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{tt.sent}
			_, _ = w.Write([]byte(tt.body))
		})
		d, err := testClient(t, Config{BaseURL: server.URL}).
			Document(context.Background(), appID, heloc.Document{UUID: "doc", ContentType: tt.declared})
		if !tt.ok {
			if !fault.Is(err, fault.Upstream) {
				t.Errorf("%q sent as %q: %q: got %v, want a response that makes no sense", tt.declared, tt.sent, tt.body, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q sent as %q: %q: %v", tt.declared, tt.sent, tt.body, err)
			continue
		}
		if got, err := io.ReadAll(d.Body); err != nil || string(got) != tt.body {
			t.Errorf("%q: got %q, %v", tt.body, got, err)
		}
		_ = d.Body.Close()
	}
}
