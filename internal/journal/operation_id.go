package journal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// operationIDPrefix begins every operation id, so that the lender's people know whose it is.
const operationIDPrefix = "hl-"

// NewOperationID makes the operation id of a form that is being rendered, bound to the person,
// the kind, the lead and the mark of the step that the form was made for.
func (j *Journal) NewOperationID(actor access.Actor, kind heloc.Operation, app heloc.AppID, mark string) string {
	id := operationIDPrefix + ulid.MustNew(uint64(store.Millis(j.now())), ulid.DefaultEntropy()).String()
	return id + "." + mark + "." + j.operationIDMAC(actor, kind, app, id, mark)
}

func (j *Journal) operationIDMAC(actor access.Actor, kind heloc.Operation, app heloc.AppID, id, mark string) string {
	return j.vault.MAC("ticket", actor.UserID, string(kind), string(app), id, mark)
}

// parseOperationID gives the id and the mark of a ticket that is this person's, for this
// kind and this lead.
func (j *Journal) parseOperationID(in Intent) (id, mark string, err error) {
	id, rest, _ := strings.Cut(in.OperationID, ".")
	mark, mac, _ := strings.Cut(rest, ".")
	ok := strings.HasPrefix(id, operationIDPrefix) &&
		j.vault.VerifyMAC(mac, "ticket", in.Actor.UserID, string(in.Kind), string(in.App), id, mark)
	if !ok {
		return "", "", fault.New(fault.Invalid, "This form has lost its operation number. Nothing was sent. What you typed is below; look it over and send it again.")
	}
	return id, mark, nil
}

// StepFingerprint names the step, and which asking of it, that a form was rendered for.
func StepFingerprint(l store.Lead) string {
	return string(l.Step) + "-" + strconv.Itoa(l.Attempt)
}

// ParseReference reads an operation id out of what the lender echoes; ok is false for
// anything that is not one.
func ParseReference(echo string) (id string, ok bool) {
	if !strings.HasPrefix(echo, operationIDPrefix) {
		return "", false
	}
	_, err := ulid.ParseStrict(strings.TrimPrefix(echo, operationIDPrefix))
	return echo, err == nil
}

// sameContent says whether an operation was made of the same content, by whichever key it was
// digested.
func (j *Journal) sameContent(op store.Operation, in Intent) bool {
	return slices.Contains(j.digests(in), op.Digest)
}

// digests are the digests of all that is sent, by every key, the present one's first.
func (j *Journal) digests(in Intent) []string {
	return j.vault.Digests(append([]string{"operation", string(in.Kind), string(in.App), in.DraftID}, in.DigestContent...)...)
}
