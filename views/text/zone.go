package text

import "strings"

// Zones returns the available time zones by IANA name, from east to west.
func Zones() [][2]string {
	return [][2]string{
		{"America/Puerto_Rico", "Atlantic, Puerto Rico"}, {"America/New_York", "Eastern"}, {"America/Chicago", "Central"},
		{"America/Denver", "Mountain"}, {"America/Phoenix", "Mountain, Arizona"}, {"America/Los_Angeles", "Pacific"},
		{"America/Anchorage", "Alaska"}, {"Pacific/Honolulu", "Hawaii"}, {"UTC", "UTC"},
	}
}

// ZoneName returns the name of a time zone as it follows times: "Mountain Time". An unknown zone keeps its IANA
// name.
func ZoneName(iana string) string {
	name, place, found := strings.Cut(OptionText(Zones(), iana), ", ")
	switch {
	case found:
		return name + " Time (" + place + ")"
	case name == "" || name == iana:
		return iana
	default:
		return name + " Time"
	}
}
