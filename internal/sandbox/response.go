package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// object is a JSON object as the interface names it. Answers are built of these and not
// of heloc's types, so that a wrong name there cannot hide itself here.
type object = map[string]any

// orNull turns what is not known into null: the interface has no empty strings.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// rejection is an answer that is not 200.
type rejection struct {
	status   int
	messages []string
	gateway  bool // the gateway before the service speaks another body
}

func (e *rejection) Error() string { return fmt.Sprintf("refused with %d", e.status) }

func reject(status int, format string, args ...any) error {
	return &rejection{status: status, messages: []string{fmt.Sprintf(format, args...)}}
}

// rejectAll answers 400 with every complaint; nil when there is none.
func rejectAll(complaints []string) error {
	if len(complaints) == 0 {
		return nil
	}
	return &rejection{status: http.StatusBadRequest, messages: complaints}
}

func rejectAtGateway(status int, message string) error {
	return &rejection{status: status, messages: []string{message}, gateway: true}
}

// errResponseLost closes the connection after the deed, without an answer.
var errResponseLost = errors.New("the answer is lost")

func messages(level string, texts ...string) []object {
	list := make([]object, 0, len(texts))
	for _, t := range texts {
		list = append(list, object{"level": level, "message": t})
	}
	return list
}

// withData wraps what the interface wraps: start, details and direct debt payoff offers.
func withData(v any) object { return object{"data": v, "messages": messages("INFO")} }

// accepted is the answer of an operation without contextual data.
func accepted() object { return object{"messages": messages("INFO")} }

// emptyResponse is an answer without a body at all.
type emptyResponse struct{}

// writeResponse writes an answer or a refusal as JSON.
func (s *Sandbox) writeResponse(w http.ResponseWriter, r *http.Request, v any, err error) {
	status := http.StatusOK
	if refused, ok := errors.AsType[*rejection](err); ok {
		status = refused.status
		v = object{"messages": messages("ERROR", refused.messages...)}
		if refused.gateway {
			v = object{"message": refused.messages[0]}
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
		s.log.Error("an answer could not be written", "err", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if status == http.StatusOK && s.partner != nil && r.Header.Get("X-Encrypt-Response") == "true" {
		s.writeEncrypted(w, r, body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller has gone; there is nobody to tell
}

// writeEncrypted encrypts an answer for the partner: in an object as the interface dresses
// a JWE elsewhere, or bare as it is met in the field.
func (s *Sandbox) writeEncrypted(w http.ResponseWriter, r *http.Request, body []byte) {
	compact, err := s.partner.Seal(r.Context(), body)
	if err != nil {
		s.log.Error("an answer could not be encrypted", "err", err)
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
