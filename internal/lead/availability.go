package lead

// Availability is what is known about whether an originator can work on leads now. Every page that shows it gets it
// from Desk.availability, which is the only place that decides it.
type Availability struct {
	HasAccount bool     // an account that is not closed
	Disabled   bool     // only an account that is closed
	NoLeads    bool     // an account that is not closed, with a role that does not work on leads
	UserID     string   // its id, with HasAccount
	SeenAt     int64    // the last activity or sign-in, in milliseconds; 0 for never
	Absence    *Absence // the absence that has begun; nil for none
}
