package journal

import (
	"slices"
	"strconv"
	"strings"

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
