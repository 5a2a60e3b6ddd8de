package text

import "cmp"

// alerts describes sign-ins and sign-in attempts to the account's user: what happened, and what to do.
var alerts = map[string][2]string{
	"new-place": {"New browser or network", "You hadn’t used this browser and network in the 90 days before."},
	"guessed": {"Correct password after failed attempts", "Several incorrect passwords, then the correct one, " +
		"from a new browser or network. If it wasn’t you, change your password."},
	"half": {"Password entered, second step failed",
		"Someone entered your password but didn’t complete the second step. If it wasn’t you, change your password."},
	"recovery": {"Signed in with a recovery code", "It replaced your second step. That code can’t be used again."},
	"crowded":  {"Signed out on your oldest browser", "You can be signed in on five browsers at a time."},
}

// Alert returns what happened.
func Alert(kind string) string { return cmp.Or(alerts[kind][0], Name(kind)) }

// AlertText returns what an alert means; empty for a kind that has no text.
func AlertText(kind string) string { return alerts[kind][1] }
