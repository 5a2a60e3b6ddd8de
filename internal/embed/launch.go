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

// launchesPerMinute bounds the launches of one log-in, for every process together.
const launchesPerMinute = 60

func errTooOften() error {
	return fault.Wrap(fault.Unavailable, "Too many records were opened at once. Wait a minute, then try again.", &account.TooSoon{Wait: time.Minute})
}

// launchRetention is how long a launch is remembered at least: as long as a session that came of it.
const launchRetention = 12 * time.Hour

// launchPayload is what the CRM said, sealed.
type launchPayload struct {
	Subject   string        `json:"subject,omitempty"` // the CRM's own id of the log-in
	Name      string        `json:"name,omitempty"`
	Email     string        `json:"email,omitempty"`
	Record    launch.Record `json:"record"`
	Prefill   url.Values    `json:"prefill,omitempty"`
	Unusable  []string      `json:"left,omitempty"` // controls for which the CRM said what none takes
	MatchCode string        `json:"match"`          // shown in the frame, and asked for outside of it
}

// VerifiedLaunch is a launch that was verified.
type VerifiedLaunch struct {
	ID        string
	Client    Client
	Origin    string // of the page that frames it
	Subject   string // the log-in's own id in the CRM
	Name      string // and how the CRM names it
	Email     string
	Record    launch.Record
	Prefill   url.Values
	Unusable  []string    // controls for which the CRM said what no control takes
	MatchCode string      // four letters that frame and tab both show
	Person    access.User // whose log-in it is; the zero User while it is connected to nobody
	Created   time.Time

	row  store.Launch
	link store.EmbedLink // of the log-in; none without a subject
}

// Connected says whether the log-in is connected to an account.
func (l VerifiedLaunch) Connected() bool { return l.Person.UserID != "" }

// PendingLaunch is a launch that waits for its person to go on with it.
type PendingLaunch struct {
	VerifiedLaunch
	Code         string        // for Enter; in the page alone
	CodeLifetime time.Duration // how long from now the code can be used
}

func launchAAD(id string) vault.AAD {
	return vault.AAD{Table: "launches", Row: id, Column: "sealed"}
}

// LaunchByPost verifies a launch that a browser posted for a CRM and keeps it. fault.Denied for
// whatever is wrong with it, fault.Conflict for one that was posted before.
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
	if c.Kind != kind {
		return VerifiedLaunch{}, fault.New(fault.NotFound, "There is nothing at this address.")
	}
	a, err := s.verify(c, raw)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	return s.saveLaunch(ctx, c, a)
}

func (s *Service) verify(c Client, raw string) (launch.Assertion, error) {
	switch c.Kind {
	case launch.KindToken:
		return launch.VerifyToken(c.Client, s.publicURL("/launch/jwt/"+c.Key), raw, s.Now())
	case launch.KindCanvas:
		return launch.VerifyCanvasRequest(c.Client, raw)
	default:
		return launch.Assertion{}, fault.New(fault.NotFound, "There is nothing at this address.")
	}
}

// newPendingLaunch gives a launch its code for the press.
func (s *Service) newPendingLaunch(ctx context.Context, l VerifiedLaunch) (PendingLaunch, error) {
	code, err := s.newCode(ctx, store.LaunchCode{LaunchID: l.ID, Purpose: forContinue}, continueTime)
	return PendingLaunch{l, code, continueTime}, err
}

// saveLaunch writes a verified launch down, once: its row holds the replay key longer than the
// launch itself is good, and where a launch has no end of its own the key is remembered
// apart, as long as the secret that signed it holds. So none is ever taken twice.
func (s *Service) saveLaunch(ctx context.Context, c Client, a launch.Assertion) (VerifiedLaunch, error) {
	now := s.Now()
	row := store.Launch{
		ID: hexRandom(), Client: c.Key, ReplayKey: a.ReplayKey, Subject: subjectIndexes(s.vault, c.Key, a.Subject)[0], KeyID: s.vault.DigestKey(), Origin: a.Origin,
		CreatedAt: store.Millis(now), ExpiresAt: store.Millis(latest(a.Expires, now.Add(launchRetention))),
	}
	var err error
	about := launchPayload{Subject: a.Subject, Name: a.Name, Email: a.Email, Record: a.Record, Prefill: a.Prefill, Unusable: a.Unusable, MatchCode: randomLetters(4)}
	if row.Sealed, err = vault.SealJSON(s.vault, launchAAD(row.ID), about); err != nil {
		return VerifiedLaunch{}, err
	}
	if err := s.write(ctx, func(tx *store.Tx) error {
		if n, err := tx.LaunchesSince(ctx, c.Key, row.Subject, now.Add(-time.Minute)); err != nil || n >= launchesPerMinute {
			return cmp.Or(err, errTooOften())
		}
		if a.Expires.IsZero() {
			if err := tx.ConsumeLaunch(ctx, c.Key, a.ReplayKey, s.secretIndex(c.Key, a.Secret.Reveal())); err != nil {
				return err
			}
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

// decryptLaunch opens a launch and finds whose log-in it is. A person whose account is closed, or
// who has left the client's company, is nobody.
func (s *Service) decryptLaunch(ctx context.Context, c Client, row store.Launch) (VerifiedLaunch, error) {
	about, err := vault.UnsealJSON[launchPayload](s.vault, launchAAD(row.ID), row.Sealed)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	l := VerifiedLaunch{
		ID: row.ID, Client: c, Origin: row.Origin, Subject: about.Subject, Name: about.Name, Email: about.Email, Record: about.Record, Prefill: about.Prefill, Unusable: about.Unusable,
		MatchCode: about.MatchCode, Created: store.Instant(row.CreatedAt), row: row,
	}
	link, err := s.store.EmbedLink(ctx, c.Key, row.Subject)
	if fault.KindOf(err) == fault.NotFound {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	l.link = link
	person, err := s.store.User(ctx, link.UserID)
	if err == nil && c.admits(person) {
		l.Person = person
	}
	return l, err
}

// Find reads a launch of a client; fault.NotFound for any other.
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
		return VerifiedLaunch{}, fault.New(fault.NotFound, "This record was opened too long ago, or was closed. Open it again in the CRM.")
	}
	return s.decryptLaunch(ctx, c, row)
}

func hexRandom() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// randomLetters are n random ones, to be read aloud and typed.
func randomLetters(n int) string {
	var all strings.Builder
	for all.Len() < n {
		all.WriteString(strings.Trim(rand.Text()[:1], "234567"))
	}
	return all.String()
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
