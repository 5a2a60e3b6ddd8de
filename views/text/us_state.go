package text

import "cmp"

// states lists two letters and name, sorted by name, including the District of Columbia.
var states = [][2]string{
	{"AL", "Alabama"}, {"AK", "Alaska"}, {"AZ", "Arizona"}, {"AR", "Arkansas"}, {"CA", "California"}, {"CO", "Colorado"},
	{"CT", "Connecticut"}, {"DE", "Delaware"}, {"DC", "District of Columbia"}, {"FL", "Florida"}, {"GA", "Georgia"},
	{"HI", "Hawaii"}, {"ID", "Idaho"}, {"IL", "Illinois"}, {"IN", "Indiana"}, {"IA", "Iowa"}, {"KS", "Kansas"},
	{"KY", "Kentucky"}, {"LA", "Louisiana"}, {"ME", "Maine"}, {"MD", "Maryland"},
	{"MA", "Massachusetts"}, {"MI", "Michigan"}, {"MN", "Minnesota"}, {"MS", "Mississippi"}, {"MO", "Missouri"},
	{"MT", "Montana"}, {"NE", "Nebraska"}, {"NV", "Nevada"}, {"NH", "New Hampshire"}, {"NJ", "New Jersey"},
	{"NM", "New Mexico"}, {"NY", "New York"}, {"NC", "North Carolina"},
	{"ND", "North Dakota"}, {"OH", "Ohio"}, {"OK", "Oklahoma"}, {"OR", "Oregon"}, {"PA", "Pennsylvania"},
	{"RI", "Rhode Island"}, {"SC", "South Carolina"}, {"SD", "South Dakota"}, {"TN", "Tennessee"},
	{"TX", "Texas"}, {"UT", "Utah"}, {"VT", "Vermont"}, {"VA", "Virginia"},
	{"WA", "Washington"}, {"WV", "West Virginia"}, {"WI", "Wisconsin"}, {"WY", "Wyoming"},
}

// spanishStates has the names of states that differ in Spanish.
var spanishStates = map[string]string{
	"DC": "el Distrito de Columbia", "HI": "Hawái", "LA": "Luisiana", "MS": "Misisipi", "MO": "Misuri",
	"NH": "Nuevo Hampshire", "NJ": "Nueva Jersey", "NM": "Nuevo México",
	"NY": "Nueva York", "NC": "Carolina del Norte", "ND": "Dakota del Norte", "OR": "Oregón", "PA": "Pensilvania",
	"SC": "Carolina del Sur", "SD": "Dakota del Sur", "WV": "Virginia Occidental",
}

// States returns two letters and name, sorted by name, after a "Choose…".
func States() [][2]string {
	return append([][2]string{{"", "Choose…"}}, states...)
}

// State returns the name for two letters; unknown letters are returned unchanged.
func State(code string) string { return cmp.Or(OptionText(states, code), OrDash(code)) }
