package config

import (
	"os"
	"strings"
	"sync"
	"time"

	"hearthline/internal/pii"
)

// Secret is a secret setting. One that came from a file is read again when the
// file changes, so that a key can be replaced without a restart. It prints
// [withheld] wherever it is printed.
type Secret struct{ pii.Secret[*source] }

// source is where a secret comes from.
type source struct {
	path string // empty: the value came from the environment and never changes

	mu      sync.Mutex
	value   string
	changed time.Time
	size    int64
}

func secretValue(value string) Secret { return Secret{pii.Keep(&source{value: value})} }

func secretFile(path string) (Secret, error) {
	s := &source{path: path}
	if err := s.read(); err != nil {
		return Secret{}, err
	}
	return Secret{pii.Keep(s)}, nil
}

// Set says whether the setting has a value.
func (s Secret) Set() bool { return s.Value() != "" }

// Value returns the present value. While a file cannot be read, as in the moment
// of its replacement, the last value stands.
func (s Secret) Value() string {
	src := s.Reveal()
	if src == nil {
		return ""
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	if src.path != "" {
		_ = src.read()
	}
	return src.value
}

// Values returns the parts of a comma separated secret, without empty ones.
func (s Secret) Values() []string { return list(s.Value()) }

// read takes the file in when it changed since the last look.
func (s *source) read() error {
	info, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	if info.ModTime().Equal(s.changed) && info.Size() == s.size {
		return nil
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return err
	}
	s.value, s.changed, s.size = strings.TrimSpace(string(text)), info.ModTime(), info.Size()
	return nil
}

// list splits at commas and drops blanks.
func list(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// SecretOf makes a secret of a value that the program itself has made.
func SecretOf(value string) Secret { return secretValue(value) }
