package lead

// DepartureRun is the progress of a bulk reassignment of leads.
type DepartureRun struct{ Total, Waiting, Sent, Stopped int }
