package config

import (
	"os"
	"strings"
	"sync"
	"time"

	"hearthline/internal/pii"
)

// Secret is a secret setting. If it came from a file, it is read again when the file changes, so that a key can be
// replaced without a restart. It always prints as [withheld].
type Secret struct{ pii.Secret[*secretSource] }

// secretSource is where a secret is read from.
type secretSource struct {
	path string // empty: the value came from the environment and never changes

	mu      sync.Mutex
	value   string
	changed time.Time
	size    int64
}

// NewSecret returns a secret with a fixed value.
func NewSecret(value string) Secret { return Secret{pii.Wrap(&secretSource{value: value})} }

func newSecretFile(path string) (Secret, error) {
	s := &secretSource{path: path}
	if err := s.reload(); err != nil {
		return Secret{}, err
	}
	return Secret{pii.Wrap(s)}, nil
}

// Set reports whether the setting has a value.
func (s Secret) Set() bool { return s.Value() != "" }

// Value returns the current value. While the file cannot be read, as during its replacement, it returns the last
// value.
func (s Secret) Value() string {
	src := s.Reveal()
	if src == nil {
		return ""
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	if src.path != "" {
		_ = src.reload()
	}
	return src.value
}

// Values returns the parts of a comma-separated secret, without empty ones.
func (s Secret) Values() []string { return splitList(s.Value()) }

// reload reads the file if it changed since the last read.
func (s *secretSource) reload() error {
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

// splitList splits at commas and drops blank parts.
func splitList(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
