package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"hearthline/internal/heloc"
)

// maxBody is the maximum size of a request body.
const maxBody = 1 << 20

// payload is a decoded request body, read by dotted paths. Numbers are preserved as written,
// because the live service rejects 250000.0 where it expects an integer.
type payload struct {
	raw  []byte
	tree object
}

func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, reject(http.StatusRequestEntityTooLarge, "The request body is too large.")
	}
	return body, err
}

func readPayload(r *http.Request) (payload, error) {
	body, err := readBody(r)
	if err != nil {
		return payload{}, err
	}
	return parsePayload(body)
}

func parsePayload(body []byte) (payload, error) {
	p := payload{raw: body}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&p.tree); err != nil || p.tree == nil {
		return payload{}, reject(http.StatusBadRequest, "The request body is not a valid JSON object.")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return payload{}, reject(http.StatusBadRequest, "The request body is not a valid JSON object.")
	}
	return p, nil
}

// readEncrypted reads {"encrypted": JWE} and decrypts it.
func (s *Sandbox) readEncrypted(r *http.Request) (payload, error) {
	outer, err := readPayload(r)
	if err != nil {
		return payload{}, err
	}
	compact := outer.text("encrypted")
	if compact == "" {
		return payload{}, reject(http.StatusBadRequest, "The field encrypted is required.")
	}
	// A JWE has five segments; the opener also accepts other forms, which the interface does
	// not accept here.
	if strings.Count(compact, ".") != 4 || strings.ContainsAny(compact, "{\" \t\r\n") {
		return payload{}, reject(http.StatusBadRequest, "The encrypted payload is not a JWE compact serialization.")
	}
	plain, err := s.opener.Open([]byte(compact))
	if err != nil {
		return payload{}, reject(http.StatusBadRequest, "The encrypted payload could not be decrypted.")
	}
	return parsePayload(plain)
}

// lookup follows a dotted path; ok is false when there is nothing or null.
func (p payload) lookup(path string) (v any, ok bool) {
	v = p.tree
	for name := range strings.SplitSeq(path, ".") {
		branch, is := v.(object)
		if !is {
			return nil, false
		}
		v = branch[name]
	}
	return v, v != nil
}

// has reports whether the payload contains the path, even with null.
func (p payload) has(path string) bool {
	parent, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent, name = path[:i], path[i+1:]
	}
	branch := p.tree
	if parent != "" {
		v, _ := p.lookup(parent)
		branch, _ = v.(object)
	}
	_, ok := branch[name]
	return ok
}

func (p payload) text(path string) string {
	v, _ := p.lookup(path)
	s, _ := v.(string)
	return s
}

func (p payload) boolean(path string) (value, ok bool) {
	v, _ := p.lookup(path)
	value, ok = v.(bool)
	return value, ok
}

func (p payload) list(path string) ([]any, bool) {
	v, _ := p.lookup(path)
	list, ok := v.([]any)
	return list, ok
}

// texts reads an array of strings; ok is false when it is something else.
func (p payload) texts(path string) (all []string, ok bool) {
	list, ok := p.list(path)
	if !ok {
		_, given := p.lookup(path)
		return nil, !given
	}
	for _, v := range list {
		s, is := v.(string)
		if !is {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

func (p payload) number(path string) (json.Number, bool) {
	v, _ := p.lookup(path)
	n, ok := v.(json.Number)
	return n, ok
}

// dollars reads an amount; ok is false when there is none.
func (p payload) dollars(path string) (heloc.Money, bool) {
	n, ok := p.number(path)
	if !ok {
		return 0, false
	}
	m, err := heloc.ParseMoney(n.String())
	return m, err == nil
}

// decode decodes the branch at a path into one of heloc's types.
func (p payload) decode(path string, v any) error {
	branch, ok := p.lookup(path)
	if !ok {
		return nil
	}
	text, err := json.Marshal(branch)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return reject(http.StatusBadRequest, "The field %s has the wrong type.", path)
	}
	return nil
}
