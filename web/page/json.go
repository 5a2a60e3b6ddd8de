package page

import (
	"encoding/json"
	"net/http"
	"strings"

	"hearthline/internal/launch"
)

// WriteJSON writes a JSON response for an API client.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client has disconnected
	return nil
}

// jsonError is an error for an API client: the public message, and the reference under which the
// log has the cause.
type jsonError struct {
	Error     string `json:"error"`
	Reference string `json:"reference"`
}

// isMachinePath reports whether only API clients use a URL, so that its errors are JSON: CRM cards,
// and the endpoint from which HubSpot requests a one-time URL.
func isMachinePath(path string) bool {
	client, call := strings.CutPrefix(path, "/launch/"+string(launch.KindCall)+"/")
	return strings.HasPrefix(path, "/api/") || call && !strings.Contains(client, "/")
}

// WriteRawJSON writes a response that is already encoded as JSON.
func WriteRawJSON(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // an error means that the client has disconnected
	return nil
}
