package text

import (
	"testing"

	"hearthline/static"
)

// The text of statuses and verdicts also names icons.
func TestWordIcons_Exist(t *testing.T) {
	for _, key := range StatusKeys() {
		if icon := StatusOf(key, "").Icon; !static.HasIcon(icon) {
			t.Errorf("%s: no icon %q", key, icon)
		}
	}
	for _, state := range []string{"sent", "succeeded", "rejected", "not_sent", "unknown", "confirmed", "absent",
		"abandoned"} {
		if icon := VerdictOf(state).Icon; !static.HasIcon(icon) {
			t.Errorf("%s: no icon %q", state, icon)
		}
	}
	for _, status := range []int{400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504} {
		if icon := FailureOf(status).Icon; !static.HasIcon(icon) {
			t.Errorf("%d: no icon %q", status, icon)
		}
	}
}
