package access

import (
	"sync"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/pubsub"
)

// Actor is the signed-in user, as read with the session. Identifiers are lowercase UUIDs, and empty where the user
// has none.
type Actor struct {
	UserID         string `db:"user_id"`
	Name           string `db:"name"`
	Email          string `db:"email"`
	Role           Role   `db:"role"`
	OriginatorUUID string `db:"originator_uuid"` // the user's own originator at the lender
	OriginatorName string `db:"originator_name"`
	BrokerID       string `db:"broker_id"` // broker company: the boundary inside the organization
	BrokerName     string `db:"broker_name"`
	Organization   string `db:"organization"`
	NMLS           string `db:"nmls"`          // the originator's, for the page header and the offer sheet
	TimeZone       string `db:"time_zone"`     // IANA name
	ShortcutsOff   bool   `db:"shortcuts_off"` // whether the user has turned off single-key shortcuts
	PlainTitles    bool   `db:"plain_titles"`  // whether page titles name leads by their short ID
	// the originators for whom the user is a deputy, as of when the user was read
	Covering Covers `db:"covering" json:"-"`
	// for whom an assistant works: AllOriginators, or those of the chosen ones who work at the company now
	WorksFor  Covers `db:"works_for"`
	Reassigns bool   `db:"reassigns"`  // whether an assistant may reassign leads
	OpensView bool   `db:"opens_view"` // whether the user's first saved view opens when they sign in
	// how many times all of the user's sessions had been ended when the session was read
	SessionEpoch int `db:"session_epoch" json:"Turn"`

	// VouchedByCRM is set for a user vouched for only by a CRM. Inside its frame they see their list without names,
	// and nothing more until they complete a step-up.
	VouchedByCRM bool `json:"Unconfirmed"`

	// ElevatedUntil is when the user's latest step-up expires; the zero time if there is none. It belongs to one
	// session and is never read from the users table: code that acts in a user's name has no step-up, and must set
	// one explicitly where a permission requires it.
	ElevatedUntil time.Time `json:"ProvedUntil"`
}

var zones sync.Map // *time.Location by IANA name; a location is otherwise read from a file at each use

// LoadZone is time.LoadLocation, and reads each location once.
func LoadZone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil //nolint:forcetypeassert // only locations are stored
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(name, zone)
	}
	return zone, err
}

// Zone returns the user's time zone, UTC if it is unknown.
func (a Actor) Zone() *time.Location {
	zone, err := LoadZone(a.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Elevated reports whether the user's step-up is still valid.
func (a Actor) Elevated(now time.Time) bool { return now.Before(a.ElevatedUntil) }

// Can reports whether this user may do p. Their role must allow it. Actions in an originator's name also require an
// originator, and what is allowed to individual assistants must be allowed to this one.
func (a Actor) Can(p Permission) bool {
	return a.Role.Can(p) && (!p.NeedsOriginator() || a.OriginatorUUID != "") &&
		(!a.VouchedByCRM || p.AllowsVouchedByCRM()) && (!p.ChosenFor(a.Role) || a.Reassigns)
}

// May returns fault.Denied, with who can do it instead, when the user does not have a permission, and
// fault.StepUpRequired when they must step up first.
func (a Actor) May(p Permission, now time.Time) error {
	switch {
	case !a.Can(p) && p.NeedsOriginator() && a.Role.Can(p):
		return fault.New(fault.Denied, "This is done in a loan originator’s name, and your account isn’t linked to one.")
	case p.ChosenFor(a.Role) && !a.Reassigns:
		return fault.New(fault.Denied, "Your account isn’t set up to reassign leads. Ask your manager.")
	case !a.Can(p):
		return fault.New(fault.Denied, "Your role doesn’t include this. If you need it, ask an administrator.")
	case p.NeedsStepUp() && !a.Elevated(now):
		return fault.New(fault.StepUpRequired, "Confirm your identity first. Nothing was done.")
	default:
		return nil
	}
}

// Company identifies the company that the user belongs to, as CompanyOf does.
func (a Actor) Company() string { return CompanyOf(a.BrokerID, a.Organization) }

// CompanyScope covers the originators of the user's company, whatever part of its leads the user sees.
func (a Actor) CompanyScope() Scope { return ScopeOf(Manager, "", a.BrokerID, a.Organization) }

// By is who does something, and under which right. It is passed on to the write itself, where the right is checked
// again.
type By struct {
	Actor
	Permission Permission
	operator   bool
}

// Operator is the person at the command line. They need no permission, because they have access to the machine. The
// audit names them "system".
func Operator() By { return By{Actor: Actor{UserID: "system"}, operator: true} }

// OperatorName names the operator to users.
const OperatorName = "the server’s operator"

// IsOperator reports whether the actor is the operator.
func (b By) IsOperator() bool { return b.operator }

// Topics lists the topics whose live updates the user may receive.
func (a Actor) Topics() []string {
	topics := []string{pubsub.Person(a.UserID), pubsub.Everyone()}
	scope := a.Scope()
	switch {
	case scope.OriginatorUUID != "" || scope.Among != "":
		for _, originator := range append(scope.Originators(), scope.Among.All()...) {
			topics = append(topics, pubsub.Originator(originator))
		}
		return topics
	case scope.BrokerID != "" || scope.Organization != "":
		return append(topics, pubsub.Company(a.Company()))
	default:
		return topics
	}
}

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
	OutUntil       int64 `db:"out_until"`        // when leads that others have because the user is out go back; else 0
	OneFactor      bool  `db:"one_factor"`       // has neither a second factor nor single sign-on
}
