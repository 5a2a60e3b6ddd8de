package text

import "testing"

func TestAuditDetail_OwnCodes_InPlainWords(t *testing.T) {
	for detail, want := range map[string]string{
		"new-place": "New browser or network", "guessed": "Correct password after failed attempts", "set aside": "Closed",
		"taken back": "Reopened", "nudge": "Request a follow-up", "set-aside": "Close without offers, or reopen",
		"take-off": "Unlink from CRM record", "clone": "Copy to a new inquiry",
		"abandon": "Mark as not received", "notifications read": "Mark notifications as read", "recovery": "Recovery code",
		"ended": "Ended", "leads:16": "Leads: 16", "automatic leads:16": "Leads: 16",
		"leads:16 account disabled": "Leads: 16, account disabled", "people": "People", "people:3": "Users: 3",
		"clone, in a frame":                          "Copy to a new inquiry, in a frame",
		"nudge 0b8f6c1e-5d2a-4f39-9a77-3c1d20e4b001": "Request a follow-up",
		"reason:identity fields:phone":               "Phone. To verify identity",
	} {
		if got := AuditDetail(detail); got != want {
			t.Errorf("%s: got %q, want %q", detail, got, want)
		}
	}
}

// TestAuditRow_ActionAndOutcome_AgreeInWords: an action that can be denied does not say that it happened.
func TestAuditRow_ActionAndOutcome_AgreeInWords(t *testing.T) {
	for action, want := range map[string]string{"login": "Sign-in", "second-factor": "Second sign-in step"} {
		if got := AuditAction(action); got != want {
			t.Errorf("%s: got %q, want %q", action, got, want)
		}
	}
	for outcome, want := range map[string]string{"created": "Created", "ended": "Ended",
		"failed": "Failed, nothing was shown", "broken off": "Not completed"} {
		if got := AuditOutcome(outcome); got != want {
			t.Errorf("%s: got %q, want %q", outcome, got, want)
		}
	}
}
