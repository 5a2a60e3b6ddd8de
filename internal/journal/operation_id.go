package journal

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// operationIDPrefix starts every operation id, so that the lender's staff can see where it came from.
const operationIDPrefix = "hl-"

// NewOperationID makes the signed operation id of a form that is being rendered. It is bound to the user, the kind,
// the lead and the fingerprint of the form's step.
func (j *Journal) NewOperationID(actor access.Actor, kind heloc.Operation, app heloc.AppID, fingerprint string) string {
	id := operationIDPrefix + ulid.MustNew(uint64(store.Millis(j.now())), ulid.DefaultEntropy()).String()
	return id + "." + fingerprint + "." + j.operationIDMAC(actor, kind, app, id, fingerprint)
}

func (j *Journal) operationIDMAC(actor access.Actor, kind heloc.Operation, app heloc.AppID,
	id, fingerprint string) string {
	return j.vault.MAC(vault.MACOperationID, actor.UserID, string(kind), string(app), id, fingerprint)
}

// parseOperationID returns the id and the step fingerprint of a signed operation id that belongs to this user, kind
// and lead.
func (j *Journal) parseOperationID(in Intent) (id, fingerprint string, err error) {
	id, rest, _ := strings.Cut(in.OperationID, ".")
	fingerprint, mac, _ := strings.Cut(rest, ".")
	ok := strings.HasPrefix(id, operationIDPrefix) &&
		j.vault.VerifyMAC(mac, vault.MACOperationID, in.Actor.UserID, string(in.Kind), string(in.App), id, fingerprint)
	if !ok {
		return "", "", fault.New(fault.Invalid,
			"This form is no longer valid. Nothing was sent. Open the page again and send it from there.")
	}
	return id, fingerprint, nil
}

// StepFingerprint identifies the step that a form was rendered for, and how many times the lender has asked for it.
func StepFingerprint(l lead.Row) string {
	return string(l.Step) + "-" + strconv.Itoa(l.Attempt)
}

// ParseReference returns the operation id in an id that the lender echoes; ok is false for anything else.
func ParseReference(echo string) (id string, ok bool) {
	if !strings.HasPrefix(echo, operationIDPrefix) {
		return "", false
	}
	_, err := ulid.ParseStrict(strings.TrimPrefix(echo, operationIDPrefix))
	return echo, err == nil
}

// sameContent reports whether an operation was made from the same content, under any key.
func (j *Journal) sameContent(op lead.Operation, in Intent) bool {
	return slices.Contains(j.digests(in), op.Digest)
}

// digests returns the digests of everything that is sent, under every key, the current one first.
func (j *Journal) digests(in Intent) []string {
	return j.vault.Digests(vault.IndexOperation,
		append([]string{string(in.Kind), string(in.App), in.DraftID}, in.DigestContent...)...)
}

// answerRepeat handles a form that was sent before: it returns the first result for the same content, and a conflict
// for any other.
func (j *Journal) answerRepeat(ctx context.Context, op lead.Operation, in Intent) (Outcome, error) {
	if !j.sameContent(op, in) {
		return Outcome{Operation: j.WithMessages(op)}, contentConflict()
	}
	if verdict, running := j.running.Load(op.ID); running {
		select {
		case <-verdict.(chan struct{}):
		case <-time.After(leaseDuration):
		}
	}
	now, err := j.store.Operation(ctx, op.ID)
	if err != nil {
		return Outcome{op, err}, nil // what was sent before, under this id
	}
	return j.outcomeOf(now), nil
}

func (j *Journal) unregisterRunning(id string) {
	if c, ok := j.running.LoadAndDelete(id); ok {
		close(c.(chan struct{}))
	}
}

// ExistingOutcome returns the outcome of the operation that a form already created; fault.NotFound when there is none,
// fault.Conflict when it had different content.
func (j *Journal) ExistingOutcome(ctx context.Context, in Intent) (Outcome, error) {
	id, _, err := j.parseOperationID(in)
	if err != nil {
		return Outcome{}, err
	}
	op, err := j.store.Operation(ctx, id)
	if err == nil && !j.sameContent(op, in) {
		err = contentConflict()
	}
	return j.outcomeOf(op), err
}

// contentConflict is the error for a form whose operation was made from different content. The receipt shows when
// that was sent, in the user's time zone.
func contentConflict() error {
	return fault.New(fault.Conflict,
		"An earlier version of this form was already sent. Your changes were not. Open the page again to see the result.")
}
