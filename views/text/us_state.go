package text

import "hearthline/internal/heloc"

// spanishStates has the names of states that differ in Spanish.
var spanishStates = map[string]string{
	"DC": "el Distrito de Columbia", "HI": "Hawái", "LA": "Luisiana", "MS": "Misisipi", "MO": "Misuri",
	"NH": "Nuevo Hampshire", "NJ": "Nueva Jersey", "NM": "Nuevo México",
	"NY": "Nueva York", "NC": "Carolina del Norte", "ND": "Dakota del Norte", "OR": "Oregón", "PA": "Pensilvania",
	"SC": "Carolina del Sur", "SD": "Dakota del Sur", "WV": "Virginia Occidental",
}

// States returns two letters and name, sorted by name, after a "Choose…".
func States() [][2]string {
	return append([][2]string{{"", "Choose…"}}, heloc.States...)
}

// State returns the name for two letters; unknown letters are returned unchanged.
func State(code string) string {
	for _, s := range heloc.States {
		if s[0] == code {
			return s[1]
		}
	}
	return OrDash(code)
}
