package page

import (
	"encoding/json"
	"net/http"
	"strings"

	"hearthline/internal/launch"
)

// WriteJSON answers a machine.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller has gone; there is nobody to tell
	return nil
}

// jsonError is an error for a machine: the sentence that a person would read, and the
// reference under which the cause stands in the log.
type jsonError struct {
	Error     string `json:"error"`
	Reference string `json:"reference"`
}

// isMachinePath says whether an address is for machines alone, whose errors are read by
// machines too: the cards, and where HubSpot asks for a one-time address.
func isMachinePath(path string) bool {
	client, call := strings.CutPrefix(path, "/launch/"+string(launch.KindCall)+"/")
	return strings.HasPrefix(path, "/api/") || call && !strings.Contains(client, "/")
}

func WriteRawJSON(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the person has gone; there is nobody to tell
	return nil
}
