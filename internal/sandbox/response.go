package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// object is a JSON object with the names of the interface. Responses are built from it and
// not from heloc's types, so that a wrong name there does not go unnoticed here.
type object = map[string]any

// orNull converts an unknown value to null: the interface has no empty strings.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// rejection is a response with a status other than 200.
type rejection struct {
	status   int
	messages []string
	gateway  bool // the gateway in front of the service uses a different body
}

func (e *rejection) Error() string { return fmt.Sprintf("refused with %d", e.status) }

func reject(status int, format string, args ...any) error {
	return &rejection{status: status, messages: []string{fmt.Sprintf(format, args...)}}
}

// rejectAll responds with 400 and all field errors; nil when there are none.
func rejectAll(fieldErrors []string) error {
	if len(fieldErrors) == 0 {
		return nil
	}
	return &rejection{status: http.StatusBadRequest, messages: fieldErrors}
}

func rejectAtGateway(status int, message string) error {
	return &rejection{status: status, messages: []string{message}, gateway: true}
}

// errResponseLost makes the middleware close the connection after the operation, without a response.
var errResponseLost = errors.New("the answer is lost")

func messages(level string, texts ...string) []object {
	list := make([]object, 0, len(texts))
	for _, t := range texts {
		list = append(list, object{"level": level, "message": t})
	}
	return list
}

// withData adds the envelope that the interface uses for start, details and direct debt payoff offers.
func withData(v any) object { return object{"data": v, "messages": messages("INFO")} }

// accepted is the response of an operation without contextual data.
func accepted() object { return object{"messages": messages("INFO")} }

// emptyResponse is a response without a body.
type emptyResponse struct{}

// writeResponse writes a result or a rejection as JSON.
func (s *Sandbox) writeResponse(w http.ResponseWriter, r *http.Request, v any, err error) {
	status := http.StatusOK
	if rejected, ok := errors.AsType[*rejection](err); ok {
		status = rejected.status
		v = object{"messages": messages("ERROR", rejected.messages...)}
		if rejected.gateway {
			v = object{"message": rejected.messages[0]}
		}
	} else if err != nil {
		s.log.Error("the sandbox failed", "method", r.Method, "err", err)
		status, v = http.StatusInternalServerError, object{"messages": messages("ERROR", "Unexpected failure.")}
	}
	if _, none := v.(emptyResponse); none {
		w.WriteHeader(status)
		return
	}
	body, err := json.Marshal(v)
	if err != nil {
		s.log.Error("a response could not be marshaled", "err", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if status == http.StatusOK && s.partner != nil && r.Header.Get("X-Encrypt-Response") == "true" {
		s.writeEncrypted(w, r, body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the caller disconnected
}

// writeEncrypted encrypts a response for the partner: in an object, as the interface wraps
// other JWEs, or bare, as the live service sends it.
func (s *Sandbox) writeEncrypted(w http.ResponseWriter, r *http.Request, body []byte) {
	compact, err := s.partner.Seal(r.Context(), body)
	if err != nil {
		s.log.Error("a response could not be encrypted", "err", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if s.cfg.Dialect == Live {
		w.Header().Set("Content-Type", "application/jose")
		_, _ = w.Write([]byte(compact))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(object{"encrypted": compact})
}
