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

// idPrefix begins every operation id, so that the lender's people know whose it is.
const idPrefix = "hl-"

// Ticket makes the operation id of a form that is being rendered, bound to the person,
// the kind, the lead and the mark of the step that the form was made for.
func (j *Journal) Ticket(actor access.Actor, kind heloc.Operation, app heloc.AppID, mark string) string {
	id := idPrefix + ulid.MustNew(uint64(store.Millis(j.now())), ulid.DefaultEntropy()).String()
	return id + "." + mark + "." + j.bind(actor, kind, app, id, mark)
}

func (j *Journal) bind(actor access.Actor, kind heloc.Operation, app heloc.AppID, id, mark string) string {
	return j.vault.MAC("ticket", actor.UserID, string(kind), string(app), id, mark)
}

// readTicket gives the id and the mark of a ticket that is this person's, for this
// kind and this lead.
func (j *Journal) readTicket(in Intent) (id, mark string, err error) {
	id, rest, _ := strings.Cut(in.Ticket, ".")
	mark, mac, _ := strings.Cut(rest, ".")
	ok := strings.HasPrefix(id, idPrefix) &&
		j.vault.VerifyMAC(mac, "ticket", in.Actor.UserID, string(in.Kind), string(in.App), id, mark)
	if !ok {
		return "", "", fault.New(fault.Invalid, "This form has lost its operation number. Nothing was sent. What you typed is below; look it over and send it again.")
	}
	return id, mark, nil
}

// Mark names the step, and which asking of it, that a form was rendered for.
func Mark(l store.Lead) string {
	return string(l.Step) + "-" + strconv.Itoa(l.Attempt)
}

// ReferenceOf reads an operation id out of what the lender echoes; ok is false for
// anything that is not one.
func ReferenceOf(echo string) (id string, ok bool) {
	if !strings.HasPrefix(echo, idPrefix) {
		return "", false
	}
	_, err := ulid.ParseStrict(strings.TrimPrefix(echo, idPrefix))
	return echo, err == nil
}

// same says whether an operation was made of the same content, by whichever key it was
// digested.
func (j *Journal) same(op store.Operation, in Intent) bool {
	return slices.Contains(j.digests(in), op.Digest)
}

// digests are the digests of all that is sent, by every key, the present one's first.
func (j *Journal) digests(in Intent) []string {
	return j.vault.Digests(append([]string{"operation", string(in.Kind), string(in.App), in.DraftID}, in.Content...)...)
}
