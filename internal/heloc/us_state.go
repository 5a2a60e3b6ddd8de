package heloc

import (
	"strings"

	"hearthline/internal/input"
)

// StateOf returns the two-letter code of a state, the District of Columbia or a territory,
// given the code or the name, in any case and with or without periods: "Colorado", "D.C.".
func StateOf(typed string) (code string, ok bool) {
	typed = strings.Join(strings.Fields(strings.ToUpper(strings.ReplaceAll(input.Plain(typed), ".", ""))), " ")
	if IsState(typed) {
		return typed, true
	}
	for code, name := range stateNames() {
		if typed == name {
			return code, true
		}
	}
	return "", false
}

func stateNames() map[string]string {
	return map[string]string{
		"AL": "ALABAMA", "AK": "ALASKA", "AZ": "ARIZONA", "AR": "ARKANSAS", "CA": "CALIFORNIA", "CO": "COLORADO",
		"CT": "CONNECTICUT", "DE": "DELAWARE", "DC": "DISTRICT OF COLUMBIA", "FL": "FLORIDA",
		"GA": "GEORGIA", "HI": "HAWAII", "ID": "IDAHO", "IL": "ILLINOIS",
		"IN": "INDIANA", "IA": "IOWA", "KS": "KANSAS", "KY": "KENTUCKY", "LA": "LOUISIANA", "ME": "MAINE", "MD": "MARYLAND",
		"MA": "MASSACHUSETTS", "MI": "MICHIGAN", "MN": "MINNESOTA", "MS": "MISSISSIPPI", "MO": "MISSOURI", "MT": "MONTANA",
		"NE": "NEBRASKA", "NV": "NEVADA", "NH": "NEW HAMPSHIRE", "NJ": "NEW JERSEY",
		"NM": "NEW MEXICO", "NY": "NEW YORK", "NC": "NORTH CAROLINA",
		"ND": "NORTH DAKOTA", "OH": "OHIO", "OK": "OKLAHOMA", "OR": "OREGON", "PA": "PENNSYLVANIA", "RI": "RHODE ISLAND",
		"SC": "SOUTH CAROLINA", "SD": "SOUTH DAKOTA", "TN": "TENNESSEE", "TX": "TEXAS", "UT": "UTAH", "VT": "VERMONT",
		"VA": "VIRGINIA", "WA": "WASHINGTON", "WV": "WEST VIRGINIA", "WI": "WISCONSIN", "WY": "WYOMING",
		"PR": "PUERTO RICO", "VI": "VIRGIN ISLANDS", "GU": "GUAM", "AS": "AMERICAN SAMOA", "MP": "NORTHERN MARIANA ISLANDS",
	}
}
