package embed

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// EnterRequest is a click on "Continue as …", or what a page sends that waits for its user to connect.
type EnterRequest struct {
	Code         string
	Session      access.Session // token hash, network and browser; Enter fills in the rest
	PreviousHash string         // the hash of the token that the browser sent; "" if none
	Waiting      bool           // nobody has clicked: only for a launch whose match code was typed at top level
}

// EnteredLaunch is a launch that the user continued.
type EnteredLaunch struct {
	VerifiedLaunch
	Session      access.Session
	TabCode      string        // a code for a separate tab; "" if the browser has stored a session before
	CodeLifetime time.Duration // how long the code is still valid
}

// Enter exchanges the code of "Continue as …" for a session inside the frame, and creates a
// code for a separate tab. fault.Denied while the CRM user is not linked.
func (s *Service) Enter(ctx context.Context, key string, e EnterRequest) (EnteredLaunch, error) {
	in, err := s.exchangeCode(ctx, key, forContinue, e)
	if err != nil {
		return in, err
	}
	in.CodeLifetime = tabTime
	in.TabCode, err = s.newCode(ctx, store.LaunchCode{LaunchID: in.ID, Purpose: forTab, Session: in.Session.IDHash},
		tabTime)
	return in, err
}

// EnterTab exchanges the second code for a session in a separate tab. It replaces the frame's
// session, which is unusable because the browser stores no cookie in the frame.
func (s *Service) EnterTab(ctx context.Context, key string, e EnterRequest) (EnteredLaunch, error) {
	return s.exchangeCode(ctx, key, forTab, e)
}

// PendingLaunch returns the launch of a "Continue as …" code whose CRM user is not linked yet; it does not consume
// the code.
func (s *Service) PendingLaunch(ctx context.Context, key, code string) (PendingLaunch, error) {
	l, err := s.launchByCode(ctx, key, codeFor(code, forContinue))
	if err != nil {
		return PendingLaunch{}, err
	}
	return PendingLaunch{l, code, max(0, l.Created.Add(continueTime).Sub(s.Now()))}, nil
}

// ErrNotConnected is the error of Enter while the CRM user is not linked to an account.
var ErrNotConnected = fault.New(fault.Denied, "This CRM user is not connected to an account yet.")

func (s *Service) exchangeCode(ctx context.Context, key, purpose string, e EnterRequest) (EnteredLaunch, error) {
	by := codeFor(e.Code, purpose)
	l, err := s.launchByCode(ctx, key, by)
	if err != nil {
		return EnteredLaunch{}, err
	}
	if !l.Connected() || e.Waiting && l.row.ConfirmedAt == 0 {
		return EnteredLaunch{VerifiedLaunch: l}, ErrNotConnected
	}
	in := EnteredLaunch{VerifiedLaunch: l, Session: s.newSession(ctx, l, e)}
	in.Session.Location = access.InFrame
	if purpose == forTab {
		in.Session.Location = access.InTab
	}
	return in, s.store.Write(ctx, func(tx *store.Tx) error { return s.beginSession(ctx, tx, in, by, e.PreviousHash) })
}

// beginSession consumes the code, assigns the launch to its user and begins the session. The
// session replaces the one that the browser came with and, in a tab, that of the frame.
func (s *Service) beginSession(ctx context.Context, tx *store.Tx, in EnteredLaunch, by store.LaunchCode,
	before string) error {
	if err := s.consumeCode(ctx, tx, by); err != nil {
		return err
	}
	person := in.Person.UserID
	if err := claimLaunch(ctx, tx, in.VerifiedLaunch); err != nil {
		return err
	}
	if before != "" {
		if _, err := tx.EndSessionOf(ctx, person, before); err != nil {
			return err
		}
	}
	if by.Purpose == forTab {
		if err := tx.EndFrameSession(ctx, by); err != nil {
			return err
		}
	}
	if err := tx.AddSession(ctx, in.Session); err != nil {
		return err
	}
	if err := s.noteUse(ctx, tx, in.VerifiedLaunch); err != nil {
		return err
	}
	return tx.AuditOwn(ctx, person, store.ActionSignIn, string(in.Session.Proof))
}

// claimLaunch assigns a launch to its user.
func claimLaunch(ctx context.Context, tx *store.Tx, l VerifiedLaunch) error {
	ours, err := tx.ClaimLaunch(ctx, l.ID, l.Person.UserID)
	if err == nil && !ours {
		err = ErrCodeExpired
	}
	return err
}

// Resume continues a launch in the session that the same CRM user has started with "Continue as …" in this browser, so
// that one click is enough for all records. It starts no session. It returns false if the user has to click: the
// browser has no valid session, or its cookie was set for another CRM user.
func (s *Service) Resume(ctx context.Context, l VerifiedLaunch, cookie string) (EnteredLaunch, bool, error) {
	if !l.Connected() || !s.isBound(l, cookie) {
		return EnteredLaunch{}, false, nil
	}
	l.row.UserID = l.Person.UserID
	v, err := s.visit(ctx, l, account.HashToken(ParseBoundToken(cookie)))
	if err != nil || !v.SignedIn() {
		return EnteredLaunch{}, false, err
	}
	return EnteredLaunch{VerifiedLaunch: l, Session: v.Session}, true, s.store.Write(ctx, func(tx *store.Tx) error {
		if err := claimLaunch(ctx, tx, l); err != nil {
			return err
		}
		return s.noteUse(ctx, tx, l)
	})
}

// newSession returns the session that "Continue as …" begins. Its proof is the CRM's sign-in,
// or an earlier step-up of the same user in this browser while it is valid.
func (s *Service) newSession(ctx context.Context, l VerifiedLaunch, e EnterRequest) access.Session {
	now := s.Now()
	in := e.Session
	in.Role, in.SessionEpoch = l.Person.Role, l.Person.SessionEpoch
	in.UserID, in.Client, in.Created, in.LastSeen, in.Expires = l.Person.UserID, l.Client.Key, now, now,
		now.Add(ElevationLifetime)
	in.Proof, in.ElevatedAt = access.ByLaunch, now
	if l.Client.Attested() {
		in.Proof = access.ByAttestedLaunch
	} else if at := store.Instant(l.row.ConfirmedAt); l.row.ConfirmedAt != 0 && now.Before(at.Add(confirmTime)) {
		in.Proof, in.ElevatedAt = access.ByConfirmed, at // linking was a step-up already
	} else if was, _, err := s.store.Session(ctx, e.PreviousHash); e.PreviousHash != "" && err == nil &&
		was.UserID == in.UserID && was.Client == in.Client &&
		was.Proof == access.ByConfirmed && now.Before(was.ElevatedAt.Add(ElevationLifetime)) {
		in.Proof, in.ElevatedAt = was.Proof, was.ElevatedAt
	}
	in.Level = in.Proof.Level()
	return in
}

// admits reports whether a user may come from the client: the account is enabled and belongs
// to the client's broker company.
func (c Client) admits(person access.User) bool {
	return !person.Disabled && person.BrokerID != "" && person.BrokerID == c.BrokerID
}

// The purposes of a code, and how long it is valid. The "Continue as …" button is shown next to a
// CRM record that may stay open for long, and at first use the user leaves to connect, so its
// code lasts as long as an idle session, like that of the step-up. The other two are used at once.
const (
	forLaunchURL = "door"  // a one-time URL that a CRM's server received
	forContinue  = "press" // "Continue as …"
	forTab       = "tab"   // the same embedded portal in a separate tab
	forConfirm   = "touch" // a tab that asks for a passkey

	launchURLTime = time.Minute
	continueTime  = Idle
	tabTime       = 2 * time.Minute
)

// newCode creates a code for one purpose of a launch.
func (s *Service) newCode(ctx context.Context, c store.LaunchCode, lifetime time.Duration) (string, error) {
	code, hash := account.NewToken()
	c.Hash, c.ExpiresAt = hash, store.Millis(s.Now().Add(lifetime))
	return code, s.store.Write(ctx, func(tx *store.Tx) error { return tx.AddLaunchCode(ctx, c) })
}

// codeFor is a code received from a browser, for one purpose.
func codeFor(code, purpose string) store.LaunchCode {
	return store.LaunchCode{Hash: account.HashToken(code), Purpose: purpose}
}

// launchOfCode finds the launch of a client that a code belongs to, without consuming it; ErrCodeExpired if
// the code is no longer valid.
func (s *Service) launchOfCode(ctx context.Context, c Client, by store.LaunchCode) (store.Launch, error) {
	row, err := s.store.LaunchOfCode(ctx, by, s.Now())
	if fault.Is(err, fault.NotFound) || err == nil && row.Client != c.Key {
		return row, ErrCodeExpired
	}
	return row, err
}

// launchByCode is launchOfCode for the key of a client, decrypted.
func (s *Service) launchByCode(ctx context.Context, key string, by store.LaunchCode) (VerifiedLaunch, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	row, err := s.launchOfCode(ctx, c, by)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	return s.decryptLaunch(ctx, c, row)
}

// consumeCode consumes a code; ErrCodeExpired if it was consumed already.
func (s *Service) consumeCode(ctx context.Context, tx *store.Tx, by store.LaunchCode) error {
	first, err := tx.ConsumeLaunchCode(ctx, by, s.Now())
	if err == nil && !first {
		return ErrCodeExpired
	}
	return err
}

// The limits of a session inside a frame.
const (
	Idle     = 30 * time.Minute
	Absolute = 8 * time.Hour
	// ElevationLifetime is how long a step-up is valid.
	ElevationLifetime = 12 * time.Hour
)

// Visit is one request inside a frame.
type Visit struct {
	VerifiedLaunch
	Session access.Session
	User    access.User
	Ends    time.Time // when the session ends without further activity
}

// Visit finds the user in the frame of a launch: the launch and the session must have the
// same client and the same user. User.VouchedByCRM reports whether the user needs a step-up.
// Without a valid session, the Visit has no User.
func (s *Service) Visit(ctx context.Context, key, launchID, tokenHash string) (Visit, error) {
	l, err := s.Find(ctx, key, launchID)
	if err != nil {
		return Visit{}, err
	}
	return s.visit(ctx, l, tokenHash)
}

func (s *Service) visit(ctx context.Context, l VerifiedLaunch, tokenHash string) (Visit, error) {
	v := Visit{VerifiedLaunch: l}
	session, user, err := s.store.Session(ctx, tokenHash)
	if err != nil {
		return v, fault.Ignore(err, fault.NotFound)
	}
	ends := SessionEnds(session)
	if session.Client != l.Client.Key || l.row.UserID != session.UserID || !l.Client.admits(user) ||
		l.Person.UserID != user.UserID || !s.Now().Before(ends) {
		return v, nil
	}
	user.VouchedByCRM = !(session.Level == 2 && s.Now().Before(session.ElevatedAt.Add(ElevationLifetime)))
	v.Session, v.User, v.Ends = session, user, ends
	return v, nil
}

// SessionEnds is when a session inside a frame ends without further activity. Its row is stored
// for longer, because a step-up is carried into the next session.
func SessionEnds(session access.Session) time.Time {
	idle, last := session.LastSeen.Add(Idle), session.Created.Add(Absolute)
	if idle.Before(last) {
		return idle
	}
	return last
}

// SignedIn reports whether a user is signed in to the frame.
func (v Visit) SignedIn() bool { return v.User.UserID != "" }

// Touch records activity.
func (s *Service) Touch(ctx context.Context, v Visit) error {
	return s.store.TouchSession(ctx, v.Session.IDHash, s.Now())
}

// EndVisit ends the session of a visit and deletes its codes, so that none opens a tab after
// the user has signed out.
func (s *Service) EndVisit(ctx context.Context, v Visit) error {
	return s.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.EndSessionOf(ctx, v.User.UserID, v.Session.IDHash); err != nil {
			return err
		}
		if err := tx.AuditOwn(ctx, v.User.UserID, store.ActionSignOut, "client:"+v.Session.Client); err != nil {
			return err
		}
		return tx.DropLaunchCodes(ctx, v.User.UserID, v.Session.Client)
	})
}

// The cookie of a browser in a frame contains a token and a MAC that binds the token to its
// CRM user and portal user. Only the token signs a user in. The MAC outlives the session, so that a form
// submitted after its end can be attributed to the user; it gives no access.

// BoundToken is the token of a launch's user as stored in the browser's cookie.
func (s *Service) BoundToken(l VerifiedLaunch, token string) string {
	return token + "." + s.vault.MAC(boundParts(l, token)...)
}

func boundParts(l VerifiedLaunch, token string) []string {
	return []string{vault.MACFrameCookie, l.Client.Key, l.Person.UserID, l.Subject, token}
}

// isBound reports whether a cookie was set for the CRM user and the portal user of a launch.
func (s *Service) isBound(l VerifiedLaunch, cookie string) bool {
	token, mac, _ := strings.Cut(cookie, ".")
	return s.vault.VerifyMAC(mac, boundParts(l, token)...)
}

// ParseBoundToken returns the token in a browser's cookie.
func ParseBoundToken(cookie string) string {
	token, _, _ := strings.Cut(cookie, ".")
	return token
}

// ExpiredLaunch finds the launch for a request that arrives after the session's end.
// fault.NotFound if the user cannot be determined or may no longer come from the CRM: the
// CRM user was disconnected, or the account or the client is disabled.
func (s *Service) ExpiredLaunch(ctx context.Context, key, launchID, cookie string) (VerifiedLaunch, error) {
	notFound := fault.New(fault.NotFound, "Page not found.")
	c, err := s.Client(ctx, key)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	row, err := s.store.Launch(ctx, c.Key, launchID)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	if row.UserID == "" || len(row.Sealed) == 0 {
		return VerifiedLaunch{}, notFound
	}
	l, err := s.decryptLaunch(ctx, c, row)
	if err == nil && (l.Person.UserID != row.UserID || !s.isBound(l, cookie)) {
		err = notFound
	}
	return l, err
}

// PendingFormNames are the names of what is stored for the record of a launch until its next launch, for every key,
// the current key's first.
func (s *Service) PendingFormNames(l VerifiedLaunch) []string {
	if indexes := s.RecordIndexes(l.Client, l.Record); len(indexes) > 0 {
		return indexes
	}
	return s.vault.Digests(vault.IndexNoRecord, l.Client.Key)
}
