package partner

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode"
)

// object is a parsed JSON object with its numbers as json.Number.
type object = map[string]any

const (
	maxDepth = 64
	maxNodes = 1 << 19 // otherwise 8 MiB of tiny values would use a gigabyte
)

// Why a response could not be parsed. The errors of encoding/json are not used because they
// quote their input.
var (
	errNotJSON = errors.New("the answer is not JSON")
	errTooDeep = errors.New("the answer is nested or divided too much")
)

// treeReader builds the tree of one response and omits demographics.
type treeReader struct {
	tokens *json.Decoder
	nodes  int
}

// readTree parses one JSON value. It skips members with demographics, at any depth, while
// parsing, so that no later code can leak them.
func readTree(raw []byte) (any, error) {
	r := &treeReader{tokens: json.NewDecoder(bytes.NewReader(raw))}
	r.tokens.UseNumber()
	tree, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.tokens.Token(); err != io.EOF {
		return nil, errNotJSON
	}
	return tree, nil
}

func (r *treeReader) value(depth int) (any, error) {
	token, err := r.tokens.Token()
	if err != nil {
		return nil, errNotJSON
	}
	if r.nodes++; depth > maxDepth || r.nodes > maxNodes {
		return nil, errTooDeep
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return r.object(depth)
		}
		return r.array(depth)
	case string:
		return printable(token), nil
	default:
		return token, nil
	}
}

// printable removes control characters, except line breaks and tabs, and the characters that change the direction of
// text: with these, a name or a file name can be displayed as another one.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, text)
}

func (r *treeReader) object(depth int) (any, error) {
	made := object{}
	for r.tokens.More() {
		token, err := r.tokens.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return nil, errNotJSON
		}
		if isDemographic(name) {
			if err := r.skipValue(); err != nil {
				return nil, err
			}
			continue
		}
		if made[name], err = r.value(depth + 1); err != nil {
			return nil, err
		}
	}
	return made, r.closingDelimiter()
}

func (r *treeReader) array(depth int) (any, error) {
	made := []any{}
	for r.tokens.More() {
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		made = append(made, value)
	}
	return made, r.closingDelimiter()
}

// closingDelimiter consumes the closing delimiter.
func (r *treeReader) closingDelimiter() error {
	if _, err := r.tokens.Token(); err != nil {
		return errNotJSON
	}
	return nil
}

// skipValue skips one value without storing any of it.
func (r *treeReader) skipValue() error {
	for depth := 0; ; {
		token, err := r.tokens.Token()
		if err != nil {
			return errNotJSON
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

func isDemographic(name string) bool {
	return strings.Contains(strings.ToLower(name), "demographic")
}

// textOf is a node's text: a string, or a number as written; otherwise empty.
func textOf(node any) string {
	switch node := node.(type) {
	case string:
		return node
	case json.Number:
		return node.String()
	default:
		return ""
	}
}
