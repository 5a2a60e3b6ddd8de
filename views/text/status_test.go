package text

import (
	"strings"
	"testing"
)

func TestStatuses_HaveAllText(t *testing.T) {
	keys := StatusKeys()
	// and the script of a scheduled re-pull
	if len(keys) != 30 || len(statuses) != len(keys) || len(spanish) != len(keys)+1 {
		t.Fatalf("got %d keys, %d statuses, %d in Spanish; want 30 of each", len(keys), len(statuses), len(spanish))
	}
	for _, key := range keys {
		s := StatusOf(key, "")
		if s.Key != key {
			t.Errorf("%s: got %q", key, s.Key)
		}
		for what, text := range map[string]string{"chip": s.Chip, "icon": s.Icon, "title": s.Title, "happened": s.Happened,
			"en": s.Script(English), "es": s.Script(Spanish)} {
			if text == "" {
				t.Errorf("%s has no %s", key, what)
			}
		}
		if s.Next == "" && key != "funded" {
			t.Errorf("%s: Next is empty", key)
		}
		if s.Tone != "" && s.Tone != "yours" && s.Tone != "offers" {
			t.Errorf("%s: got tone %q", key, s.Tone)
		}
		if strings.ContainsAny(s.Script(English)+s.Script(Spanish), "“”\"") {
			t.Errorf("%s: the script contains quotation marks; the page adds them", key)
		}
	}
}

// Amber is only for what the originator must do, green only for offers; ended leads and No offers are gray,
// each with its own text.
func TestTones(t *testing.T) {
	yours := map[string]bool{"choose-property": true, "ssn-needed": true, "repull-due": true, "verify-liens": true,
		"more-assets": true,
		"payoff":      true, "property-value": true, "chase-sign-in": true, "chase-documents": true}
	for _, key := range StatusKeys() {
		want := ""
		if yours[key] {
			want = "yours"
		}
		if key == "offers" {
			want = "offers"
		}
		if got := StatusOf(key, "").Tone; got != want {
			t.Errorf("%s: got tone %q, want %q", key, got, want)
		}
	}
	seen := map[string]bool{}
	for _, key := range []string{"no-offers", "cancelled", "withdrawn", "declined", "expired"} {
		seen[StatusOf(key, "").Chip] = true
	}
	if len(seen) != 5 {
		t.Errorf("got %d different chips for five ways to end", len(seen))
	}
}

func TestStatusOf_UnknownStep_UsesItsName(t *testing.T) {
	for _, key := range []string{"other", "brand-new"} {
		s := StatusOf(key, "REVIEW_TITLE_TERMS")
		if s.Chip != "Review title terms" || !strings.Contains(s.Title, "Review title terms") {
			t.Errorf("%s: got chip %q, title %q", key, s.Chip, s.Title)
		}
	}
	if got := StatusOf("offers", "OFFERS_AVAILABLE").Chip; got != "Offers ready" {
		t.Errorf("known status: got %q", got)
	}
}

// Legal limits on wording: no decline before the lender declines, no closed-end documents, no promise, no
// claim that credit is not checked.
func TestStatuses_HaveNoForbiddenClaims(t *testing.T) {
	var texts []string
	for _, key := range StatusKeys() {
		s := StatusOf(key, "")
		text := strings.Join([]string{s.Chip, s.Title, s.Happened, s.Next, s.Script(English), s.Script(Spanish)}, " ")
		texts = append(texts, text)
		if key != "declined" && strings.Contains(strings.ToLower(text), "declined") {
			t.Errorf("%s: the text contains declined", key)
		}
	}
	for _, op := range Operations() {
		d := OperationOf(op)
		texts = append(texts, d.Title, d.InProgress, d.Done, d.WhileUnknown)
	}
	for _, text := range texts {
		low := strings.ToLower(text)
		for _, bad := range []string{"denied", "denial", "rejected", "loan estimate", "closing disclosure", "no credit check",
			"approved", "guarantee", " apr", "best offer", "funds on", "rechaz", "negad"} {
			if strings.Contains(low, bad) {
				t.Errorf("%q contains %q", text, bad)
			}
		}
	}
}

// A script is read to the borrower, so it claims nothing that the lender's data do not show, and promises no amount,
// rate or date.
func TestScripts_ClaimNothingUnknown(t *testing.T) {
	for _, key := range StatusKeys() {
		s := StatusOf(key, "")
		for _, script := range []string{s.Script(English), s.Script(Spanish)} {
			if strings.ContainsAny(script, "0123456789$%") {
				t.Errorf("%s: the script contains a figure: %q", key, script)
			}
			for _, claim := range []string{"You’ve signed", "you signed", "Ya firmó", "on their way", "sends the funds",
				"envía los fondos", "is scheduled", "gives the reasons", "will be able", "inquiry is"} {
				if strings.Contains(script, claim) && key != "cancelled" {
					t.Errorf("%s: the script claims %q: %q", key, claim, script)
				}
			}
			if n := len([]rune(script)); n > 220 {
				t.Errorf("%s: the script has %d characters, which is too long to say: %q", key, n, script)
			}
		}
	}
}

func TestLanes(t *testing.T) {
	want := []string{"today", "blocked", "offers", "borrower", "lender", "closing", "ended", "all"}
	lanes := Lanes()
	if len(lanes) != len(want) {
		t.Fatalf("got %d lanes, want %d", len(lanes), len(want))
	}
	for i, l := range lanes {
		if l.Key != want[i] || l.Label == "" || l.Empty == "" || l.Hint == "" {
			t.Errorf("got %+v, want %s with all its text", l, want[i])
		}
	}
	if LaneOf("nonsense").Key != "today" || LaneOf("closing").Label != "Closing" {
		t.Error("LaneOf returned the wrong lane")
	}
}

func TestOperationsAndVerdicts(t *testing.T) {
	for _, op := range []string{"start", "add-ssn", "repull-credit", "verify-liens", "add-income", "asset-depletion",
		"add-property-estimate",
		"select-property", "select-offer", "cancel", "attributions", "reassign", "pre-qualify"} {
		d := OperationOf(op)
		if d.Title == "" || d.InProgress == "" || d.Done == "" || d.Noun == "" || d.Subject == "" || d.WhileUnknown == "" ||
			d.Title == Name(op) {
			t.Errorf("%s: got %+v", op, d)
		}
	}
	if got := OperationOf("TRY_SOMETHING"); got.Title != "Try something" {
		t.Errorf("unknown operation: got %+v", got)
	}
	for _, state := range []string{"sent", "succeeded", "rejected", "not_sent", "unknown", "confirmed", "absent",
		"abandoned"} {
		v := VerdictOf(state)
		if v.Label == "" || v.Title == "" || v.Icon == "" || v.Label == Name(state) && state != "sent" {
			t.Errorf("%s: got %+v", state, v)
		}
	}
	if got := VerdictOf("NEW_STATE").Label; got != "New state" {
		t.Errorf("unknown state: got %q", got)
	}
}

func TestFailures(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504, 418, 599} {
		f := FailureOf(status)
		if f.Title == "" || f.Text == "" || f.Icon == "" {
			t.Errorf("%d: got %+v", status, f)
		}
	}
}

// What an outcome reports as having happened must be true for every operation in that state.
func TestOutcomeOf_WithoutEvidence_SaysSoAndWarns(t *testing.T) {
	hasEvidence := map[string]bool{"start": true, "cancel": true, "reassign": true, "select-offer": true}
	for _, op := range Operations() {
		for _, v := range []Verdict{OutcomeOf(op, "unknown", SinceMoved), OutcomeOf(op, "unknown", SinceChanged),
			OutcomeOf(op, "absent", "")} {
			if !strings.Contains(v.Text, RepeatOf(op)) || v.Kind == "ready" {
				t.Errorf("%s: got %+v, want a warning about sending it again", op, v)
			}
		}
		if v := OutcomeOf(op, "unknown", SinceMoved); v.Title != "The lead has moved on. "+
			"We couldn’t confirm that the lender received this." {
			t.Errorf("%s: got %q", op, v.Title)
		}
		if v := OutcomeOf(op, "confirmed", ""); (v.Kind == "ready") != hasEvidence[op] {
			t.Errorf("%s: got title %q for confirmed", op, v.Title)
		}
		for _, state := range []string{"unknown", "confirmed", "absent", "abandoned"} {
			text := strings.ToLower(OutcomeOf(op, state, "").Title + OutcomeOf(op, state, "").Text)
			for _, claim := range []string{"did arrive.", "did not arrive", "does not have it"} {
				if strings.Contains(strings.ReplaceAll(text, "if it did arrive", ""), claim) {
					t.Errorf("%s, %s: %q contains %q", op, state, text, claim)
				}
			}
		}
	}
	for _, op := range []string{"start", "repull-credit"} {
		if !strings.Contains(RepeatOf(op), "credit") {
			t.Errorf("%s: %q does not warn that credit may be pulled twice", op, RepeatOf(op))
		}
	}
}
