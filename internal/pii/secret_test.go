package pii

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestSecret_AnyFormatter_Withheld(t *testing.T) {
	type form struct {
		Name string
		SSN  Secret[string]
	}
	v := form{Name: "Rivera", SSN: Wrap("123-45-6789")}

	var logged bytes.Buffer
	// Omit the time, because its nanoseconds can contain any four digits.
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	log := slog.New(slog.NewJSONHandler(&logged, options))
	log.Info("x", "form", v, "ssn", v.SSN, "ptr", &v)
	text := slog.New(slog.NewTextHandler(&logged, options))
	text.Info("x", "form", v, "ssn", v.SSN)
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	seen := logged.String() + string(encoded) +
		fmt.Sprintf("%v %+v %#v %s %q %x %d %v", v, v, v, v.SSN, v.SSN, v.SSN, v.SSN, &v)
	for _, leak := range []string{"6789", "363738"} {
		if strings.Contains(seen, leak) {
			t.Errorf("a formatter showed %q in %s", leak, seen)
		}
	}
	if got := v.SSN.Reveal(); got != "123-45-6789" {
		t.Errorf("Reveal = %q", got)
	}
}
