package words

// Zones returns the available time zones by IANA name, from east to west.
func Zones() [][2]string {
	return [][2]string{
		{"America/Puerto_Rico", "Atlantic, Puerto Rico"}, {"America/New_York", "Eastern"}, {"America/Chicago", "Central"}, {"America/Denver", "Mountain"},
		{"America/Phoenix", "Mountain, Arizona"}, {"America/Los_Angeles", "Pacific"}, {"America/Anchorage", "Alaska"}, {"Pacific/Honolulu", "Hawaii"}, {"UTC", "UTC"},
	}
}
