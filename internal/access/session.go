package access

import "time"

// User is a person with an account. Their password's hash is not among it, so
// that logging or showing a User gives nothing away.
type User struct {
	Actor
	Disabled bool
}

// Session is one signed-in browser. The token itself is known to the browser
// alone: IDHash is its SHA-256 in hex, so a copied database opens no session.
type Session struct {
	IDHash   string
	UserID   string
	Created  time.Time
	LastSeen time.Time // written at most once a minute
	Expires  time.Time // absolute: nothing extends it
	Network  string    // the client's address cut to a /24 or /48, for the person's list of sessions
	Browser  string    // a family such as "Firefox", for the same list
	Data     []byte    // small JSON of the session's own values; never a borrower's data
}

// Failures counts the failed log-ins under one key since the last success.
type Failures struct {
	Count int
	Last  time.Time // of the latest failure
}
