package embed

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/lead"
	"hearthline/internal/publicnet"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	eventTimeout = 10 * time.Second
	// eventsTriedFor is how long an event is tried, from when it was queued.
	eventsTriedFor = 72 * time.Hour
)

// eventPauses returns the pauses after each failed try but the last. Each is shortened at random by up to a fifth, so
// that all tries are over within eventsTriedFor.
func eventPauses() []time.Duration {
	return []time.Duration{5 * time.Second, 30 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
		5 * time.Hour, 10 * time.Hour, 14 * time.Hour, store.MaxCRMEventPause, store.MaxCRMEventPause}
}

// The answers of an endpoint that has not answered with an HTTP status.
const (
	AnswerTimeout     = "timeout"
	AnswerPrivate     = "private"     // the address is not public
	AnswerUnreachable = "unreachable" // no connection, no certificate, no name
	AnswerNotSent     = "not-sent"    // the event could not be composed
)

// DeliverEvent sends one event that is due to its CRM, and reports whether there was one. When the process ends between
// sending it and recording the answer, it is sent again with the same id.
func (s *Service) DeliverEvent(ctx context.Context) (more bool, err error) {
	e, ok, err := s.store.LeaseCRMEvent(ctx, s.Now())
	if err != nil || !ok {
		return false, err
	}
	ctx = context.WithoutCancel(ctx) // finish a try that has begun
	began := s.Now()
	answer, err := s.sendEvent(ctx, e)
	if errors.Is(err, errUnlinked) {
		return true, s.store.Write(ctx, func(tx *store.Tx) error { return tx.DropCRMEvent(ctx, e.ID) })
	}
	e.Answer, e.TriedAt, e.TookMillis = answer, store.Millis(s.Now()), s.Now().Sub(began).Milliseconds()
	pauses := eventPauses()
	switch {
	case accepted(answer):
		e.State = lead.CRMEventSent
	case e.Tries > len(pauses) || s.Now().Sub(lead.Instant(e.QueuedAt)) >= eventsTriedFor:
		e.State = lead.CRMEventFailed
	default:
		pause := pauses[max(e.Tries, 1)-1]
		last := lead.Instant(e.QueuedAt).Add(eventsTriedFor)
		e.NextAt = min(store.Millis(s.Now().Add(pause-rand.N(pause/5))), store.Millis(last))
	}
	return true, errors.Join(err, s.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.FinishCRMEvent(ctx, e); err != nil || e.State != lead.CRMEventFailed {
			return err
		}
		return s.announceFailedEvents(ctx, tx, e.Client)
	}))
}

// errUnlinked means that the lead of an event is not the client's any more.
var errUnlinked = errors.New("embed: the lead is no longer linked to the CRM")

// sendEvent makes one try and returns the answer. The error is ours, not the CRM's.
func (s *Service) sendEvent(ctx context.Context, e lead.CRMEvent) (answer string, err error) {
	row, err := s.store.EmbedClient(ctx, e.Client)
	if err != nil {
		return AnswerNotSent, err
	}
	keys, err := vault.UnsealJSON[signingKeys](s.vault, vault.SigningKeysAAD(row.Key), row.Sealed)
	if err != nil {
		return AnswerNotSent, err
	}
	body, linked, err := s.eventOf(ctx, row, keys.Events.Amounts, e)
	if err != nil {
		return AnswerNotSent, err
	}
	if !linked {
		return "", errUnlinked
	}
	return s.postEvent(ctx, keys.Events, keys.Events.URL, body)
}

// postEvent posts a signed event and returns the HTTP status of the answer, or why there is none.
func (s *Service) postEvent(ctx context.Context, setup eventsSetup, to string, e Event) (answer string, err error) {
	body, err := json.Marshal(e)
	if err != nil {
		return AnswerNotSent, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return AnswerNotSent, errors.New("embed: the URL for events is malformed") // never the URL itself
	}
	now := s.Now()
	var signatures []string
	for _, secret := range setup.valid(now) {
		signatures = append(signatures, eventSignature(secret, e.ID, now, body))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Hearthline")
	req.Header.Set("Webhook-Id", e.ID)
	req.Header.Set("Webhook-Timestamp", strconv.FormatInt(now.Unix(), 10))
	req.Header.Set("Webhook-Signature", strings.Join(signatures, " "))
	res, err := s.CRMClient.Do(req)
	if err != nil {
		return noAnswer(err), nil
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, 4<<10) // lets the connection be used again
	return strconv.Itoa(res.StatusCode), nil
}

// noAnswer returns why there is no answer, without the URL that the error contains.
func noAnswer(err error) string {
	timeout, ok := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, publicnet.ErrPrivate):
		return AnswerPrivate
	case ok && timeout.Timeout():
		return AnswerTimeout
	default:
		return AnswerUnreachable
	}
}

// accepted reports whether an answer is a 2xx status.
func accepted(answer string) bool { return len(answer) == 3 && answer[0] == '2' }

// eventSignature signs an event as the Standard Webhooks specification says.
func eventSignature(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
