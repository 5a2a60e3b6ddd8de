package embed

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// launchesPerMinute limits the launches of one CRM user, across all processes.
const launchesPerMinute = 60

// launchRetention is the minimum time for which a launch is stored: as long as a session based on it.
const launchRetention = 12 * time.Hour

// launchPayload is the encrypted content of a launch.
type launchPayload struct {
	Subject   string        `json:"subject,omitempty"` // the CRM's own id of the user
	Name      string        `json:"name,omitempty"`    // in the CRM
	Email     string        `json:"email,omitempty"`
	Record    launch.Record `json:"record"`
	Prefill   url.Values    `json:"prefill,omitempty"`
	Unusable  []string      `json:"left,omitempty"` // controls for which the CRM sent unusable values
	MatchCode string        `json:"match"`          // four letters, displayed in the frame and typed outside of it
}

// VerifiedLaunch is a verified launch.
type VerifiedLaunch struct {
	ID     string
	Client Client
	Origin string // of the framing page
	launchPayload
	Person  access.User // the linked portal user; the zero User if there is none
	Created time.Time

	row store.Launch
}

// Connected reports whether the CRM user is linked to an account.
func (l VerifiedLaunch) Connected() bool { return l.Person.UserID != "" }

// HasRecord reports whether the launch is for a record. One without a record opens the user's leads.
func (l VerifiedLaunch) HasRecord() bool { return strings.TrimSpace(l.Record.ID) != "" }

// PendingLaunch is a launch that waits for its user to continue.
type PendingLaunch struct {
	VerifiedLaunch
	Code         string        // for Enter; only in the page
	CodeLifetime time.Duration // how long the code is still valid
}

// LaunchByPost verifies and stores a launch that a browser posted for a CRM. The error is
// fault.Denied if the launch is invalid, and fault.Conflict if it was posted before.
func (s *Service) LaunchByPost(ctx context.Context, kind launch.Kind, key, raw string) (PendingLaunch, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return PendingLaunch{}, err
	}
	l, err := s.verifyPosted(ctx, c, kind, raw)
	if err != nil {
		return PendingLaunch{}, s.logRejection(ctx, c, EndpointLaunch, err)
	}
	return s.newPendingLaunch(ctx, l)
}

func (s *Service) verifyPosted(ctx context.Context, c Client, kind launch.Kind, raw string) (VerifiedLaunch, error) {
	var a launch.Assertion
	var err error = fault.New(fault.NotFound, "Page not found.")
	switch {
	case c.Kind != kind:
	case kind == launch.KindToken:
		a, err = s.verifyToken(ctx, c, s.publicURL("/launch/jwt/"+c.Key), raw)
	case kind == launch.KindCanvas:
		a, err = launch.VerifyCanvasRequest(c.Client, raw, s.Now())
	}
	if err != nil {
		return VerifiedLaunch{}, err
	}
	return s.saveLaunch(ctx, c, a)
}

// newPendingLaunch creates the "Continue as …" code of a launch.
func (s *Service) newPendingLaunch(ctx context.Context, l VerifiedLaunch) (PendingLaunch, error) {
	code, err := s.newCode(ctx, store.LaunchCode{LaunchID: l.ID, Purpose: forContinue}, continueTime)
	return PendingLaunch{l, code, continueTime}, err
}

// saveLaunch stores a verified launch once. Its row stores the replay key for longer than the
// launch is valid. If a launch has no expiration, the key is stored for as long as
// the secret that signed it is valid, so no launch is ever accepted twice.
func (s *Service) saveLaunch(ctx context.Context, c Client, a launch.Assertion) (VerifiedLaunch, error) {
	now := s.Now()
	row := store.Launch{
		ID: hexRandom(), Client: c.Key, ReplayKey: a.ReplayKey, Subject: s.vault.CRMUserIndexes(c.Key, a.Subject)[0],
		KeyID: s.vault.DigestKey(), Origin: a.Origin, CreatedAt: store.Millis(now),
		ExpiresAt: store.Millis(now.Add(max(launchRetention, a.Expires.Sub(now)))),
	}
	if a.Expires.IsZero() {
		row.Secret = s.secretIndex(c.Key, a.Secret.Reveal())
	}
	var err error
	payload := launchPayload{Subject: a.Subject, Name: a.Name, Email: a.Email, Record: a.Record, Prefill: a.Prefill,
		Unusable: a.Unusable, MatchCode: randomLetters(4)}
	if row.Sealed, err = vault.SealJSON(s.vault, vault.LaunchAAD(row.ID), payload); err != nil {
		return VerifiedLaunch{}, err
	}
	if err := s.store.Write(ctx, func(tx *store.Tx) error {
		if n, err := tx.LaunchesSince(ctx, c.Key, row.Subject, now.Add(-time.Minute)); err != nil || n >= launchesPerMinute {
			return cmp.Or(err, error(fault.Wrap(fault.Unavailable,
				"Too many records were opened at once. Try again in a minute.", &account.TooSoon{Wait: time.Minute})))
		}
		if err := s.updateLinkIndex(ctx, tx, c, a.Subject); err != nil {
			return err
		}
		return tx.AddLaunch(ctx, row)
	}); err != nil {
		return VerifiedLaunch{}, err
	}
	return s.decryptLaunch(ctx, c, row)
}

// decryptLaunch decrypts a launch and finds the linked portal user, who must have an enabled
// account in the client's company.
func (s *Service) decryptLaunch(ctx context.Context, c Client, row store.Launch) (VerifiedLaunch, error) {
	payload, err := vault.UnsealJSON[launchPayload](s.vault, vault.LaunchAAD(row.ID), row.Sealed)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	l := VerifiedLaunch{ID: row.ID, Client: c, Origin: row.Origin, launchPayload: payload,
		Created: store.Instant(row.CreatedAt), row: row}
	l.Person, err = s.linkedUser(ctx, c, row.Subject)
	return l, err
}

// linkedUser returns the portal user who is linked to a CRM user, by the blind index of the CRM user. It returns the
// zero User if there is none, or if the account is disabled or has left the client's company.
func (s *Service) linkedUser(ctx context.Context, c Client, index string) (access.User, error) {
	link, err := s.store.EmbedLink(ctx, c.Key, index)
	if err != nil {
		return access.User{}, fault.Ignore(err, fault.NotFound)
	}
	person, err := s.store.User(ctx, link.UserID)
	if err != nil || !c.admits(person) {
		return access.User{}, err
	}
	return person, nil
}

// Find reads a launch of a client; fault.NotFound if it is of another client, has ended or is too old.
func (s *Service) Find(ctx context.Context, key, id string) (VerifiedLaunch, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	row, err := s.store.Launch(ctx, c.Key, id)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	if row.EndedAt != 0 || !s.Now().Before(store.Instant(row.CreatedAt).Add(launchRetention)) {
		return VerifiedLaunch{}, fault.New(fault.NotFound,
			"This record was opened too long ago or was closed. Open it again in the CRM.")
	}
	return s.decryptLaunch(ctx, c, row)
}

func hexRandom() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// randomLetters returns n random letters that are easy to read aloud and type.
func randomLetters(n int) string {
	var all strings.Builder
	for all.Len() < n {
		all.WriteString(strings.Trim(rand.Text()[:1], "234567"))
	}
	return all.String()
}

// LaunchByCall verifies a launch that a CRM's server requests, and returns the code of the
// one-time URL for its user's browser. The same call again, which a CRM makes after a lost
// response, gets another code for the same launch until a user has continued it.
func (s *Service) LaunchByCall(ctx context.Context, key string, call launch.Call) (code string, err error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return "", err
	}
	l, err := s.verifyCall(ctx, c, call)
	if err != nil {
		return "", s.logRejection(ctx, c, EndpointLaunch, err)
	}
	return s.newCode(ctx, store.LaunchCode{LaunchID: l.ID, Purpose: forLaunchURL}, launchURLTime)
}

func (s *Service) verifyCall(ctx context.Context, c Client, call launch.Call) (VerifiedLaunch, error) {
	if c.Kind != launch.KindCall {
		return VerifiedLaunch{}, fault.New(fault.NotFound, "Page not found.")
	}
	call.URI = s.publicURL("/launch/hubspot/" + c.Key) // never what the request says
	a, err := launch.VerifyLaunchCall(c.Client, call, s.Now())
	if err != nil {
		return VerifiedLaunch{}, err
	}
	l, err := s.saveLaunch(ctx, c, a)
	if fault.Is(err, fault.Conflict) {
		row, readErr := s.store.LaunchByReplay(ctx, a.ReplayKey)
		if readErr != nil || row.UserID != "" {
			return VerifiedLaunch{}, err
		}
		return s.decryptLaunch(ctx, c, row)
	}
	return l, err
}

// RedeemLaunchURL exchanges the code of a one-time URL for a pending launch.
func (s *Service) RedeemLaunchURL(ctx context.Context, key, code string) (PendingLaunch, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return PendingLaunch{}, err
	}
	by := codeFor(code, forLaunchURL)
	row, err := s.launchOfCode(ctx, c, by)
	if err == nil {
		err = s.store.Write(ctx, func(tx *store.Tx) error { return s.consumeCode(ctx, tx, by) })
	}
	if err != nil {
		return PendingLaunch{}, s.logRejection(ctx, c, EndpointLaunch, err)
	}
	l, err := s.decryptLaunch(ctx, c, row)
	if err != nil {
		return PendingLaunch{}, err
	}
	return s.newPendingLaunch(ctx, l)
}
