package access

import "time"

// User is a user account. It does not include the password hash, so that logging or showing a User reveals nothing.
type User struct {
	Actor
	Disabled bool `db:"disabled"`
}

// WorksAt reports whether the user has an active account at a company and acts on leads under their own originator, so
// that they can get leads, be absent and cover.
func (u User) WorksAt(company string) bool {
	return !u.Disabled && u.OriginatorUUID != "" && u.Can(ActOnLead) && u.Company() == company
}

// StartsInquiriesAt reports whether the user has an active account at a company and starts inquiries, so that they can
// get drafts.
func (u User) StartsInquiriesAt(company string) bool {
	return !u.Disabled && u.Can(StartInquiry) && u.Company() == company
}

// The limits of a session: IdleLimit is the longest time without activity, and AbsoluteLimit the longest time after a
// sign-in, whatever the user does.
const (
	IdleLimit     = 30 * time.Minute
	AbsoluteLimit = 12 * time.Hour
)

// Session is one signed-in browser. Only the browser has the token: IDHash is its SHA-256 in hex, so a copy of the
// database opens no session.
type Session struct {
	IDHash           string
	UserID           string
	Created          time.Time
	LastSeen         time.Time // written at most once a minute
	Expires          time.Time // absolute: nothing extends it
	Network          string    // the client's address cut to a /24 or /48, for the user's list of sessions
	Browser          string    // families such as "Firefox on Windows", for the same list
	Level            int       // 1: one factor; 2: two, or a passkey
	ElevatedAt       time.Time // when the user last authenticated with all of these factors
	Proof            Proof     // how they did so
	Client           string    // the CRM that the session was launched from; "" for the portal's own
	Location         Location  // where the CRM shows it; "" for the portal's own
	Role             Role      // the role that the token was issued for; a new role gets a new token
	SessionEpoch     int       // the user's when they signed in
	OwnsSecondFactor bool      // set for a session of one factor whose user owns a second; else false
}

// Location is where a session that came from a CRM runs.
type Location string

// The locations. The portal's own sessions have none.
const (
	InFrame Location = "frame"
	InTab   Location = "tab" // in a separate tab, for browsers that store nothing in frames
)

// Proof is how a user authenticated.
type Proof string

// The proofs. Level returns how many factors each one is worth.
const (
	ByPassword     Proof = "password"
	ByTOTP         Proof = "totp"
	ByRecovery     Proof = "recovery"
	ByPasskey      Proof = "passkey"
	BySingleSignOn Proof = "sso"
	ByStrongSSO    Proof = "sso-mfa" // the provider reports two factors

	ByLaunch         Proof = "launch"           // a CRM vouches for the user, inside its frame only
	ByAttestedLaunch Proof = "launch-attested"  // a CRM whose sign-in was approved as two factors
	ByConfirmed      Proof = "launch-confirmed" // the user authenticated in a separate window
)

// Level returns the strength of a proof: 1 for one factor, 2 for two.
func (p Proof) Level() int {
	switch p {
	case ByTOTP, ByRecovery, ByPasskey, ByStrongSSO, ByAttestedLaunch, ByConfirmed:
		return 2
	default:
		return 1
	}
}

// Staff is an account as its administrator sees it.
type Staff struct {
	User
	CreatedAt      int64 `db:"created_at"`
	DisabledAt     int64 `db:"disabled_at"`
	LastSeenAt     int64 `db:"last_seen_at"`     // the last activity of an open session; 0 without one
	NotInDirectory bool  `db:"not_in_directory"` // the lender's directory no longer lists the originator
	SignedInAt     int64 `db:"signed_in_at"`     // the last sign-in; 0 for never
	OneFactor      bool  `db:"one_factor"`       // has neither a second factor nor single sign-on
}
