package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// obj is a JSON object as the interface names it. Answers are built of these and not
// of heloc's types, so that a wrong name there cannot hide itself here.
type obj = map[string]any

// orNull turns what is not known into null: the interface has no empty strings.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// refusal is an answer that is not 200.
type refusal struct {
	status   int
	messages []string
	gateway  bool // the gateway before the service speaks another body
}

func (e *refusal) Error() string { return fmt.Sprintf("refused with %d", e.status) }

func refuse(status int, format string, args ...any) error {
	return &refusal{status: status, messages: []string{fmt.Sprintf(format, args...)}}
}

// refuseAll answers 400 with every complaint; nil when there is none.
func refuseAll(complaints []string) error {
	if len(complaints) == 0 {
		return nil
	}
	return &refusal{status: http.StatusBadRequest, messages: complaints}
}

func gatewayRefusal(status int, message string) error {
	return &refusal{status: status, messages: []string{message}, gateway: true}
}

// errLost closes the connection after the deed, without an answer.
var errLost = errors.New("the answer is lost")

func messages(level string, texts ...string) []obj {
	list := make([]obj, 0, len(texts))
	for _, t := range texts {
		list = append(list, obj{"level": level, "message": t})
	}
	return list
}

// data wraps what the interface wraps: start, details and direct debt payoff offers.
func data(v any) obj { return obj{"data": v, "messages": messages("INFO")} }

// accepted is the answer of an operation without contextual data.
func accepted() obj { return obj{"messages": messages("INFO")} }

// empty is an answer without a body at all.
type empty struct{}

// show writes an answer or a refusal as JSON.
func (s *Sandbox) show(w http.ResponseWriter, r *http.Request, v any, err error) {
	status := http.StatusOK
	if refused, ok := errors.AsType[*refusal](err); ok {
		status = refused.status
		v = obj{"messages": messages("ERROR", refused.messages...)}
		if refused.gateway {
			v = obj{"message": refused.messages[0]}
		}
	} else if err != nil {
		s.log.Error("the sandbox failed", "method", r.Method, "err", err)
		status, v = http.StatusInternalServerError, obj{"messages": messages("ERROR", "Unexpected failure.")}
	}
	if _, none := v.(empty); none {
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
		s.showSealed(w, r, body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller has gone; there is nobody to tell
}

// showSealed encrypts an answer for the partner: in an object as the interface dresses
// a JWE elsewhere, or bare as it is met in the field.
func (s *Sandbox) showSealed(w http.ResponseWriter, r *http.Request, body []byte) {
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
	_ = json.NewEncoder(w).Encode(obj{"encrypted": compact})
}
