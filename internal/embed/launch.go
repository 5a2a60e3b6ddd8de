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

func errOften() error {
	return fault.Wrap(fault.Unavailable, "Too many records were opened at once. Wait a minute, then try again.", &account.TooSoon{Wait: time.Minute})
}

// kept is how long a launch is remembered at least: as long as a session that came of it.
const kept = 12 * time.Hour

// said is what the CRM said, sealed.
type said struct {
	Subject string        `json:"subject,omitempty"` // the CRM's own id of the log-in
	Name    string        `json:"name,omitempty"`
	Email   string        `json:"email,omitempty"`
	Record  launch.Record `json:"record"`
	Prefill url.Values    `json:"prefill,omitempty"`
	Left    []string      `json:"left,omitempty"` // controls for which the CRM said what none takes
	Match   string        `json:"match"`          // shown in the frame, and asked for outside of it
}

// Launched is a launch that was verified.
type Launched struct {
	ID      string
	Client  Client
	Origin  string // of the page that frames it
	Subject string // the log-in's own id in the CRM
	Name    string // and how the CRM names it
	Email   string
	Record  launch.Record
	Prefill url.Values
	Left    []string    // controls for which the CRM said what no control takes
	Match   string      // four letters that frame and tab both show
	Person  access.User // whose log-in it is; the zero User while it is connected to nobody
	Created time.Time

	row  store.Launch
	link store.EmbedLink // of the log-in; none without a subject
}

// Known says whether the log-in is connected to an account.
func (l Launched) Known() bool { return l.Person.UserID != "" }

// Pressable is a launch that waits for its person to go on with it.
type Pressable struct {
	Launched
	Code string        // for Enter; in the page alone
	Good time.Duration // how long from now the code can be used
}

func placeOfLaunch(id string) vault.Place {
	return vault.Place{Table: "launches", Row: id, Column: "sealed"}
}

// Post verifies a launch that a browser posted for a CRM and keeps it. fault.Denied for
// whatever is wrong with it, fault.Conflict for one that was posted before.
func (s *Service) Post(ctx context.Context, kind launch.Kind, key, raw string) (Pressable, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Pressable{}, err
	}
	l, err := s.posted(ctx, c, kind, raw)
	if err != nil {
		return Pressable{}, s.noted(ctx, c, DoorLaunch, err)
	}
	return s.pressable(ctx, l)
}

func (s *Service) posted(ctx context.Context, c Client, kind launch.Kind, raw string) (Launched, error) {
	if c.Kind != kind {
		return Launched{}, fault.New(fault.NotFound, "There is nothing at this address.")
	}
	a, err := s.verify(c, raw)
	if err != nil {
		return Launched{}, err
	}
	return s.keep(ctx, c, a)
}

func (s *Service) verify(c Client, raw string) (launch.Assertion, error) {
	switch c.Kind {
	case launch.KindToken:
		return launch.Token(c.Client, s.address("/launch/jwt/"+c.Key), raw, s.Now())
	case launch.KindCanvas:
		return launch.SignedRequest(c.Client, raw)
	default:
		return launch.Assertion{}, fault.New(fault.NotFound, "There is nothing at this address.")
	}
}

// pressable gives a launch its code for the press.
func (s *Service) pressable(ctx context.Context, l Launched) (Pressable, error) {
	code, err := s.code(ctx, store.LaunchCode{LaunchID: l.ID, Purpose: forPress}, pressTime)
	return Pressable{l, code, pressTime}, err
}

// keep writes a verified launch down, once: its row holds the replay key longer than the
// launch itself is good, and where a launch has no end of its own the key is remembered
// apart, as long as the secret that signed it holds. So none is ever taken twice.
func (s *Service) keep(ctx context.Context, c Client, a launch.Assertion) (Launched, error) {
	now := s.Now()
	row := store.Launch{
		ID: hexRandom(), Client: c.Key, ReplayKey: a.ReplayKey, Subject: marksOfSubject(s.vault, c.Key, a.Subject)[0], Under: s.vault.DigestKey(), Origin: a.Origin,
		CreatedAt: store.Millis(now), ExpiresAt: store.Millis(later(a.Expires, now.Add(kept))),
	}
	var err error
	about := said{Subject: a.Subject, Name: a.Name, Email: a.Email, Record: a.Record, Prefill: a.Prefill, Left: a.Unusable, Match: letters(4)}
	if row.Sealed, err = vault.SealJSON(s.vault, placeOfLaunch(row.ID), about); err != nil {
		return Launched{}, err
	}
	if err := s.write(ctx, func(tx *store.Tx) error {
		if n, err := tx.LaunchesSince(ctx, c.Key, row.Subject, now.Add(-time.Minute)); err != nil || n >= launchesPerMinute {
			return cmp.Or(err, errOften())
		}
		if a.Expires.IsZero() {
			if err := tx.SpendLaunch(ctx, c.Key, a.ReplayKey, s.markOf(c.Key, a.Secret.Reveal())); err != nil {
				return err
			}
		}
		if err := s.renew(ctx, tx, c, a.Subject); err != nil {
			return err
		}
		return tx.AddLaunch(ctx, row)
	}); err != nil {
		return Launched{}, err
	}
	return s.read(ctx, c, row)
}

// read opens a launch and finds whose log-in it is. A person whose account is closed, or
// who has left the client's company, is nobody.
func (s *Service) read(ctx context.Context, c Client, row store.Launch) (Launched, error) {
	about, err := vault.UnsealJSON[said](s.vault, placeOfLaunch(row.ID), row.Sealed)
	if err != nil {
		return Launched{}, err
	}
	l := Launched{
		ID: row.ID, Client: c, Origin: row.Origin, Subject: about.Subject, Name: about.Name, Email: about.Email, Record: about.Record, Prefill: about.Prefill, Left: about.Left,
		Match: about.Match, Created: store.Instant(row.CreatedAt), row: row,
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
func (s *Service) Find(ctx context.Context, key, id string) (Launched, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Launched{}, err
	}
	row, err := s.store.Launch(ctx, c.Key, id)
	if err != nil {
		return Launched{}, err
	}
	if row.EndedAt != 0 || !s.Now().Before(store.Instant(row.CreatedAt).Add(kept)) {
		return Launched{}, fault.New(fault.NotFound, "This record was opened too long ago, or was closed. Open it again in the CRM.")
	}
	return s.read(ctx, c, row)
}

func hexRandom() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// letters are n random ones, to be read aloud and typed.
func letters(n int) string {
	var all strings.Builder
	for all.Len() < n {
		all.WriteString(strings.Trim(rand.Text()[:1], "234567"))
	}
	return all.String()
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
