package embed

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/launch"
)

// TestRejections_ListCauses: a CRM's administrator learns why its launches fail; their sender does not.
func TestRejections_ListCauses(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	causes := func() string {
		t.Helper()
		all, _, err := o.Rejections(t.Context(), "acme")
		if err != nil {
			t.Fatal(err)
		}
		text := make([]string, len(all))
		for i, r := range all {
			text[i] = r.Endpoint + " " + string(r.Cause)
		}
		return strings.Join(text, ", ")
	}
	o.mustLaunch("crm-olivia", "")
	if got := causes(); got != "" {
		t.Errorf("before any rejection: got %s, want none", got)
	}
	o.jti--
	for _, step := range []struct {
		want string
		send func() error
	}{
		{"launch used", func() error { _, err := o.launch("crm-olivia", ""); return err }},
		{"launch form", func() error { _, err := o.LaunchByPost(t.Context(), launch.KindToken, "acme", "x"); return err }},
		{"launch way", func() error { _, err := o.LaunchByPost(t.Context(), launch.KindCanvas, "acme", "x"); return err }},
		{"launch person", func() error { _, err := o.launch("", ""); return err }},
		{"card form", func() error {
			_, err := o.CallerByToken(t.Context(), CardRequest{Key: "acme", Path: "/api/embed/acme/records/51"}, "x")
			return err
		}},
		{"card signature", func() error {
			_, err := o.CallerByCall(t.Context(), CardRequest{Key: "acme", Path: "/api/embed/acme/records/51"},
				launch.Call{Method: "GET", Timestamp: strconv.FormatInt(o.at.UnixMilli(), 10)})
			return err
		}},
	} {
		o.at = o.at.Add(time.Minute)
		err := step.send()
		got, _, _ := strings.Cut(causes(), ", ")
		if err == nil || got != step.want || strings.Contains(err.Error(), step.want) {
			t.Errorf("got %s with %v, want %s", got, err, step.want)
		}
	}
	// The same rejection is not stored again within the interval, but the call is rejected anyway.
	was, _, err := o.Rejections(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	for _, wait := range []time.Duration{time.Second, rejectionInterval + time.Second} {
		wantStored := wait > rejectionInterval
		o.at = was[0].At.Add(wait)
		if _, err := o.CallerByCall(t.Context(), CardRequest{Key: "acme", Path: "/api/embed/acme/records/51"},
			launch.Call{Method: "GET", Timestamp: strconv.FormatInt(o.at.UnixMilli(), 10)}); err == nil {
			t.Fatal("the call was accepted")
		}
		if now, _, err := o.Rejections(t.Context(), "acme"); err != nil || now[0].At.Equal(o.at) != wantStored ||
			len(now) != len(was) {
			t.Errorf("%v later: got %+v, %v", wait, now, err)
		}
	}
	if _, err := o.LaunchByPost(t.Context(), launch.KindToken, "nobody", "x"); err == nil {
		t.Error("an unknown client accepted a launch")
	}
}
