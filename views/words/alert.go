package words

// alerts describes sign-ins and sign-in attempts to the account's user: what happened, and what to do.
var alerts = map[string][2]string{
	"new-place": {"Signed in from a new place", "We had not seen this browser and network for you in the last ninety days."},
	"guessed":   {"Right password after wrong ones", "Several wrong passwords, then yours, from a place that was new. If it was not you, change it."},
	"half":      {"Password without the second step", "Somebody gave your password and not your second step. If it was not you, change it."},
	"recovery":  {"Signed in with a recovery code", "It took the place of your second step, and works no more."},
	"crowded":   {"Signed out because of a sixth browser", "Five at once are the most; the oldest goes."},
}

// Alert returns what happened.
func Alert(kind string) string {
	if text, ok := alerts[kind]; ok {
		return text[0]
	}
	return Name(kind)
}

// AlertText returns what an alert means; empty for a kind that has no text.
func AlertText(kind string) string { return alerts[kind][1] }
