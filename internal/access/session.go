package access

import "time"

// User is a person with an account. Their password's hash is not among it, so
// that logging or showing a User gives nothing away.
type User struct {
	Actor
	Disabled bool
}

// IdleLimit is how long a person may be away from a session.
const IdleLimit = 30 * time.Minute

// Session is one signed-in browser. The token itself is known to the browser
// alone: IDHash is its SHA-256 in hex, so a copied database opens no session.
type Session struct {
	IDHash           string
	UserID           string
	Created          time.Time
	LastSeen         time.Time // written at most once a minute
	Expires          time.Time // absolute: nothing extends it
	Network          string    // the client's address cut to a /24 or /48, for the person's list of sessions
	Browser          string    // families such as "Firefox on Windows", for the same list
	Data             []byte    // small JSON of the session's own values; never a borrower's data
	Level            int       // 1: one factor; 2: two, or a passkey
	ElevatedAt       time.Time // when the person last proved who they are with all of that
	Proof            Proof     // by what
	Client           string    // the CRM that it came by; "" for the portal's own
	Location         Location  // where it lives then
	Role             Role      // that it was begun in; its token changes with it
	SessionEpoch     int       // the person's when their log-in began
	OwnsSecondFactor bool      // whether a session of one factor has a person who owns a second; else false
}

// Location is where a session lives that came by a CRM.
type Location string

// The places. The portal's own sessions have none.
const (
	InFrame Location = "frame"
	InTab   Location = "tab" // of its own, where a browser keeps nothing in frames
)

// Proof is how a person proved who they are.
type Proof string

// The proofs. Each but the first and SingleSignOn is two factors.
const (
	ByPassword     Proof = "password"
	ByTOTP         Proof = "totp"
	ByRecovery     Proof = "recovery"
	ByPasskey      Proof = "passkey"
	BySingleSignOn Proof = "sso"
	ByStrongSSO    Proof = "sso-mfa" // the provider says that it saw two factors

	ByLaunch         Proof = "launch"           // a CRM says who it is, inside its frame alone
	ByAttestedLaunch Proof = "launch-attested"  // one whose log-in was approved as two factors
	ByConfirmed      Proof = "launch-confirmed" // the person proved it in a window of their own
)

// Level is how much a proof proves: 1 for one factor, 2 for two.
func (p Proof) Level() int {
	switch p {
	case ByTOTP, ByRecovery, ByPasskey, ByStrongSSO, ByAttestedLaunch, ByConfirmed:
		return 2
	default:
		return 1
	}
}

// Failures counts the failed log-ins under one key since the last success.
type Failures struct {
	Count int
	Last  time.Time // of the latest failure
}
