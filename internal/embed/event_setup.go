package embed

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	eventSecretBytes = 32
	// formerSecretTime is how long a replaced secret signs events along with the new one.
	formerSecretTime  = 24 * time.Hour
	eventSecretPrefix = "whsec_"
	maxURL            = 500
)

// eventsSetup is where the events of a client are sent, and the secrets that sign them.
type eventsSetup struct {
	URL         string `json:"url,omitempty"` // it has accepted a test event
	Amounts     bool   `json:"amounts,omitempty"`
	Secret      []byte `json:"secret,omitempty"`
	SecretAt    int64  `json:"secretAt,omitempty"`
	Former      []byte `json:"former,omitempty"`
	FormerUntil int64  `json:"formerUntil,omitempty"`
	TestedAt    int64  `json:"testedAt,omitempty"`
	TestAnswer  string `json:"testAnswer,omitempty"`
}

// valid returns the secrets that sign an event, the newest first.
func (e eventsSetup) valid(now time.Time) [][]byte {
	if len(e.Former) > 0 && now.Before(lead.Instant(e.FormerUntil)) {
		return [][]byte{e.Secret, e.Former}
	}
	return [][]byte{e.Secret}
}

// EventSetup is what an administrator sees of where a client's events are sent.
type EventSetup struct {
	Key, Name   string // of the client
	BrokerID    string
	URL         string
	On          bool
	Amounts     bool
	SecretEnds  string // the last characters of the secret; "" without one
	SecretAt    time.Time
	FormerEnds  string // of the secret that it replaced, while that is valid
	FormerUntil time.Time
	TestedAt    time.Time
	TestAnswer  string
	store.CRMEventCounts
	// the newest events that were given up, wait or were sent
	FailedEvents, WaitingEvents, SentEvents []QueuedEvent
}

// Events returns where a client's events are sent and the newest of them; fault.NotFound for an unknown client.
func (s *Service) Events(ctx context.Context, key string) (EventSetup, error) {
	row, err := s.store.EmbedClient(ctx, key)
	if err != nil {
		return EventSetup{}, err
	}
	keys, err := vault.UnsealJSON[signingKeys](s.vault, vault.SigningKeysAAD(key), row.Sealed)
	if err != nil {
		return EventSetup{}, err
	}
	e := keys.Events
	setup := EventSetup{Key: key, Name: row.Name, BrokerID: row.BrokerID, URL: e.URL,
		On: row.EventsAt != 0 && row.DisabledAt == 0, Amounts: e.Amounts, TestedAt: lead.Instant(e.TestedAt),
		TestAnswer: e.TestAnswer}
	if len(e.Secret) > 0 {
		setup.SecretEnds, setup.SecretAt = secretEnd(e.Secret), lead.Instant(e.SecretAt)
	}
	if len(e.valid(s.Now())) > 1 {
		setup.FormerEnds, setup.FormerUntil = secretEnd(e.Former), lead.Instant(e.FormerUntil)
	}
	if setup.CRMEventCounts, err = s.store.CountCRMEvents(ctx, key, s.Now().Add(-24*time.Hour)); err != nil {
		return setup, err
	}
	for state, into := range map[lead.CRMEventState]*[]QueuedEvent{lead.CRMEventFailed: &setup.FailedEvents,
		lead.CRMEventWaiting: &setup.WaitingEvents, lead.CRMEventSent: &setup.SentEvents} {
		if *into, err = s.store.CRMEvents(ctx, key, state); err != nil {
			return setup, err
		}
	}
	return setup, nil
}

func eventSecretText(secret []byte) string {
	return eventSecretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// secretEnd returns the last characters of a secret as it was shown, by which people tell two of them apart.
func secretEnd(secret []byte) string {
	text := strings.TrimRight(eventSecretText(secret), "=")
	return text[len(text)-4:]
}

// changeEvents changes the events of an existing client and audits that. Nobody is signed out.
func (s *Service) changeEvents(ctx context.Context, by access.By, key string, act store.AuditAction,
	change func(row *store.EmbedClient, e *eventsSetup) error) error {
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		row, keys, err := s.readForChange(ctx, tx, key)
		if err != nil {
			return err
		}
		if row.Key == "" {
			return errNoCRM()
		}
		if err := change(&row, &keys.Events); err != nil {
			return err
		}
		if row.Sealed, err = vault.SealJSON(s.vault, vault.SigningKeysAAD(key), keys); err != nil {
			return err
		}
		return s.saveClient(ctx, tx, by, act, row)
	})
}

// NewEventSecret makes a secret that signs the events of a client, and returns it; it is not shown again. The secret
// that it replaces signs them too for a day.
func (s *Service) NewEventSecret(ctx context.Context, by access.By, key string) (string, error) {
	secret := make([]byte, eventSecretBytes)
	_, _ = rand.Read(secret)
	err := s.changeEvents(ctx, by, key, store.ActionEmbedEventSecret, func(_ *store.EmbedClient, e *eventsSetup) error {
		e.Former, e.FormerUntil = e.Secret, 0
		if len(e.Secret) > 0 {
			e.FormerUntil = store.Millis(s.Now().Add(formerSecretTime))
		}
		e.Secret, e.SecretAt = secret, store.Millis(s.Now())
		return nil
	})
	if err != nil {
		return "", err
	}
	return eventSecretText(secret), nil
}

// EndFormerEventSecret ends the secret that was replaced.
func (s *Service) EndFormerEventSecret(ctx context.Context, by access.By, key string) error {
	return s.changeEvents(ctx, by, key, store.ActionEmbedEventSecret, func(_ *store.EmbedClient, e *eventsSetup) error {
		e.Former, e.FormerUntil = nil, 0
		return nil
	})
}

// EnableEvents sends a signed test event to a URL and, if it is accepted, sends the client's events there from now on.
// Otherwise nothing changes; fault.Invalid says why.
func (s *Service) EnableEvents(ctx context.Context, by access.By, key, to string, amounts bool) error {
	to = strings.TrimSpace(to)
	if problem := s.urlProblem(to, "Enter the URL that receives events"); problem != "" {
		return fault.InvalidField("url", problem)
	}
	row, err := s.store.EmbedClient(ctx, key)
	if err != nil {
		return err
	}
	keys, err := vault.UnsealJSON[signingKeys](s.vault, vault.SigningKeysAAD(key), row.Sealed)
	switch {
	case err != nil:
		return err
	case row.DisabledAt != 0:
		return fault.New(fault.Conflict, "This CRM is disabled. Enable it first.")
	case len(keys.Events.Secret) == 0:
		return fault.New(fault.Conflict, "Create a signing secret first. The CRM needs it to check the test event.")
	}
	test := Event{ID: "evt_" + ulid.Make().String(), Type: testEvent, Time: eventTime(s.Now()), Client: key}
	answer, err := s.postEvent(ctx, keys.Events, to, test)
	if err != nil {
		return err
	}
	if !accepted(answer) {
		return fault.InvalidField("url", testProblem(answer))
	}
	return s.changeEvents(ctx, by, key, store.ActionEmbedEvents, func(row *store.EmbedClient, e *eventsSetup) error {
		e.URL, e.Amounts, e.TestedAt, e.TestAnswer = to, amounts, store.Millis(s.Now()), answer
		if row.EventsAt == 0 {
			row.EventsAt = store.Millis(s.Now())
		}
		return nil
	})
}

// urlProblem returns what is wrong with a URL at a CRM's server; "" if the portal can connect to it.
func (s *Service) urlProblem(to, missing string) string {
	u, err := url.Parse(to)
	switch {
	case to == "":
		return missing
	case len(to) > maxURL:
		return "This is too long"
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		return "Enter a full URL without a user name, such as https://crm.example/path"
	case u.Scheme != "https" && !(u.Scheme == "http" && s.isLocal() && isLoopback(u.Hostname())):
		return "The URL must begin with https://"
	}
	return ""
}

// testProblem says why a test event was not accepted.
func testProblem(answer string) string {
	const unchanged = " Nothing was changed."
	switch answer {
	case AnswerTimeout:
		return "The endpoint didn’t answer within 10 seconds." + unchanged
	case AnswerPrivate:
		return "The address is on a private network. Events are sent only to public addresses." + unchanged
	case AnswerUnreachable:
		return "The endpoint couldn’t be reached. Check its host name and certificate." + unchanged
	default:
		return "The endpoint returned " + answer + " for the test event. A status from 200 to 299 is required." + unchanged
	}
}

// PauseEvents stops the events of a client. What waits is sent when they are enabled again.
func (s *Service) PauseEvents(ctx context.Context, by access.By, key string) error {
	return s.changeEvents(ctx, by, key, store.ActionEmbedEvents, func(row *store.EmbedClient, _ *eventsSetup) error {
		row.EventsAt = 0
		return nil
	})
}

// RepeatEvents sends an event that was given up again, or all of them if id is empty. They keep their ids and numbers.
func (s *Service) RepeatEvents(ctx context.Context, by access.By, key, id string) error {
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		n, err := tx.RepeatCRMEvents(ctx, key, id)
		if err != nil || n == 0 {
			return err
		}
		row, err := tx.EmbedClient(ctx, key)
		if err != nil {
			return err
		}
		return auditClient(ctx, tx, by, store.ActionEmbedEvents, row)
	})
}

// QueuedEvent is an event with its lead's short ID and what became of it.
type QueuedEvent = store.CRMEventRow
