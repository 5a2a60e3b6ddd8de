package lead

import "hearthline/internal/heloc"

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
