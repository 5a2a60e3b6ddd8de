package lead

import (
	"slices"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// OpState is the state of an operation.
type OpState string

// The states of an operation: sent → one of the next four. An unknown outcome later becomes one of
// the last three.
const (
	OpSent      OpState = "sent"
	OpSucceeded OpState = "succeeded"
	OpRejected  OpState = "rejected"
	OpNotSent   OpState = "not_sent"
	OpUnknown   OpState = "unknown"
	OpConfirmed OpState = "confirmed"
	OpAbsent    OpState = "absent"
	OpAbandoned OpState = "abandoned"
)

// UnsettledLimit is how many of a user's starts with an unknown outcome are listed.
const UnsettledLimit = 20

// Operation is one row of the journal. It contains no SSN and no payload: Digest is keyed.
type Operation struct {
	ID             string             `db:"id"`
	Kind           heloc.Operation    `db:"kind"`
	App            heloc.AppID        `db:"app"`
	DraftID        string             `db:"draft_id"`
	ActorID        string             `db:"actor_id"`
	ActorName      string             `db:"actor_name"`
	Originator     heloc.OriginatorID `db:"originator"`
	Company        string             `db:"company"`
	Digest         string             `db:"digest"`
	State          OpState            `db:"state"`
	StepBefore     heloc.Step         `db:"step_before"`
	HistoryBefore  int                `db:"history_before"`
	DuplicateKey   string             `db:"duplicate_key"`
	DuplicateKeyID int64              `db:"duplicate_key_id"` // the key that made it
	HTTPStatus     int                `db:"http_status"`
	RequestID      string             `db:"request_id"`
	Messages       string             `db:"messages"` // the lender's messages, up to a maximum length
	CreatedAt      int64              `db:"created_at"`
	SentAt         int64              `db:"sent_at"`
	AnsweredAt     int64              `db:"answered_at"`
	SettledAt      int64              `db:"settled_at"`
	// when a reading showed the effect of an operation whose verdict was rejected, absent or abandoned
	CorrectedAt   int64              `db:"corrected_at"`
	StepChangedAt int64              `db:"step_changed_at"` // when the step changed after the operation
	StepAfter     heloc.Step         `db:"step_after"`
	LeaseOwner    string             `db:"lease_owner"`
	LeaseUntil    int64              `db:"lease_until"`
	ResolvedBy    string             `db:"resolved_by"`
	Reason        string             `db:"reason"` // why a user marked it as not received; sealed
	Target        heloc.OriginatorID `db:"target"` // the new originator of a reassignment
	Unsaved       bool               `db:"-"`      // the database does not have the lender's answer yet
}

// Blocks reports whether an operation whose outcome is unknown prevents sending one of a kind while the lead is at a
// step, because both could take effect: two forms of one step would be two credit pulls. Once the lead is at another
// step, a form repeats nothing. Canceling is always possible, but not twice.
func (o Operation) Blocks(kind heloc.Operation, step heloc.Step) bool {
	switch {
	case o.State != OpUnknown:
		return false
	case kind == heloc.OpCancel || kind == heloc.OpReassign:
		return o.Kind == kind && o.StepChangedAt == 0
	default:
		return kind.MovesStep() && o.Kind.MovesStep() && (o.StepChangedAt == 0 || o.StepBefore == step)
	}
}

// MayRepeat reports whether another operation of a kind would repeat this one at the lead's step: it did not show up
// at the lender, which may have received it, or the lender accepted it, and the lead has not changed since.
func (o Operation) MayRepeat(kind heloc.Operation, row Row) bool {
	same := o.Kind == kind || kind == heloc.OpAssetDepletion && o.Kind == heloc.OpAddIncome // one step accepts both
	unseen := o.State == OpAbsent || o.State == OpAbandoned ||
		o.State == OpSucceeded && o.ID == row.PendingOp && o.StepChangedAt == 0
	return same && unseen && o.StepBefore == row.Step
}

// unseenAfter is how long the lender's records may contradict an accepted operation before the portal says so.
const unseenAfter = 48 * time.Hour

// AcceptedUnseen reports whether the lender accepted an operation days ago and its records still contradict it. Only a
// cancellation, a reassignment or a selection leaves something in the records that can contradict it. If the lead's
// events show a reassignment since then, the target may have had the lead in the meantime.
func (o Operation) AcceptedUnseen(row Row, events []Event, now time.Time) bool {
	if o.State != OpSucceeded || now.Sub(Instant(o.AnsweredAt)) < unseenAfter ||
		Instant(row.RefreshedAt).Sub(Instant(o.AnsweredAt)) < unseenAfter {
		return false
	}
	switch o.Kind {
	case heloc.OpCancel:
		return row.CanCancel()
	case heloc.OpReassign:
		return row.Originator != "" && row.Originator != o.Target && !slices.ContainsFunc(events, func(e Event) bool {
			return e.Kind == EventReassigned && e.At >= o.SentAt
		})
	case heloc.OpSelectOffer:
		return o.StepBefore == heloc.StepOffersAvailable && row.Step == o.StepBefore && row.SelectedAmount == 0 &&
			o.StepChangedAt == 0
	default:
		return false
	}
}

// UsualWait is how long the lender takes for an operation, according to our records.
type UsualWait struct {
	Median time.Duration // half of the operations finish within it
	P95    time.Duration // 95 of 100 operations finish within it
	Known  bool          // there are enough records to show it to users
}

// RepullState is the state of a planned re-pull.
type RepullState string

// The states. Trying is committed before anything else happens, so that a restart cannot try a second time.
const (
	RepullWaiting  RepullState = "waiting"
	RepullTrying   RepullState = "trying"
	RepullDone     RepullState = "done"    // requested; the journal has the result
	RepullSkipped  RepullState = "missed"  // not requested; Outcome is the reason
	RepullCanceled RepullState = "dropped" // a user canceled it, or requested a re-pull manually
)

// Repull is a single credit re-pull that was planned with a consent.
type Repull struct {
	ID          string             `db:"id"`
	App         heloc.AppID        `db:"app"`
	UserID      string             `db:"user_id"`
	Originator  heloc.OriginatorID `db:"originator"`
	Method      string             `db:"method"`
	TextVersion string             `db:"text_version"`
	LiftedAt    int64              `db:"lifted_at"`
	UntilAt     int64              `db:"until_at"` // when the lift ends; 0 when unknown
	DueAt       int64              `db:"due_at"`
	CreatedAt   int64              `db:"created_at"` // also when the consent was recorded
	State       RepullState        `db:"state"`
	TriedAt     int64              `db:"tried_at"`
	Outcome     string             `db:"outcome"`
	Bureaus     string             `db:"bureaus"` // where the freeze is lifted, by the lender's names, separated by commas
	// who recorded the consent: not UserID when the lead was reassigned since
	ConsentBy  string             `db:"consent_by"`
	ConsentFor heloc.OriginatorID `db:"consent_for"` // and as which originator
}

// Consent is what the borrower agreed to, and how, before a credit pull.
type Consent struct {
	OpID        string             `db:"op_id"`
	App         heloc.AppID        `db:"app"`
	UserID      string             `db:"user_id"`
	Originator  heloc.OriginatorID `db:"originator"`
	Method      string             `db:"method"`
	TextVersion string             `db:"text_version"`
	At          int64              `db:"at"`
}

// ConsentText is one version of the text that was read to borrowers, and how often borrowers agreed to it.
type ConsentText struct {
	Version  string `db:"version"`
	Text     string `db:"text"`
	SinceAt  int64  `db:"since_at"`
	Consents int    `db:"consents"`
}

// ConsentForm is what the form contains about the borrower's consent to a credit pull.
type ConsentForm struct {
	Attested bool
	Method   string
	Version  string
}

// ConsentMethods lists the ways in which a borrower can consent.
func ConsentMethods() []string { return []string{"in-person", "recorded-call", "link"} }

// StartSnapshot is what a start stores for its future lead: the data that the lender does not return, in the
// borrower's own spelling.
type StartSnapshot struct {
	Name            heloc.Name    `json:"name"`
	Phone           string        `json:"phone"`
	Email           string        `json:"email"`
	Address         heloc.Address `json:"address"`
	RequestedAmount heloc.Money   `json:"requestedAmount"`
	References      []string      `json:"references,omitempty"`   // record ids of other systems
	DuplicateKey    DuplicateKey  `json:"duplicateKey,omitempty"` // for the blind index that finds duplicates
}

// Describes reports whether an inquiry at the lender, with this borrower and property, can be the one that was started:
// the borrower has the same first and last name, and the property's parts that both sides have are the same. Spelling
// that the lender may change does not count: case, accents, punctuation, "Ave" for "Avenue", the unit and the last four
// digits of a ZIP+4.
func (s StartSnapshot) Describes(name heloc.Name, at heloc.Address) bool {
	who := func(n heloc.Name) string { return heloc.FoldForSearch(n.First + " " + n.Last) }
	if who(s.Name) == "" || who(name) != who(s.Name) {
		return false
	}
	zip := func(a heloc.Address) string { return a.ZIP[:min(len(a.ZIP), 5)] }
	parts := [][2]string{
		{s.Address.State, at.State}, {s.Address.Street1, at.Street1}, {s.Address.City, at.City}, {zip(s.Address), zip(at)},
	}
	// a ZIP code can have several city names
	if ours, theirs := s.Address.Building(), at.Building(); ours != "" && theirs != "" {
		parts = append(parts[:1], [2]string{ours, theirs})
	}
	for _, part := range parts {
		ours, theirs := heloc.FoldForSearch(part[0]), heloc.FoldForSearch(part[1])
		if ours != "" && theirs != "" && ours != theirs {
			return false
		}
	}
	return true
}

// DuplicateKey is what two inquiries for the same borrower and property have in common: company, name, birth date,
// street and ZIP. It is empty when one of them is missing.
type DuplicateKey []string

// DuplicateKeyOf returns the key of an inquiry.
func DuplicateKeyOf(company string, in heloc.Inquiry) DuplicateKey {
	a := in.Applicant
	who, where := heloc.FoldForSearch(a.Name.First+" "+a.Name.Last),
		heloc.FoldForSearch(in.Property.Address.Street1+" "+in.Property.Address.ZIP)
	if strings.TrimSpace(who) == "" || a.DateOfBirth == "" || strings.TrimSpace(where) == "" {
		return nil
	}
	return DuplicateKey{company, who, string(a.DateOfBirth), where}
}
