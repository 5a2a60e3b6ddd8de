package lead

import "hearthline/internal/heloc"

// Note is a team member's note on a lead: sealed, and never sent anywhere. Contact is the channel when the
// note belongs to a contact with the borrower.
type Note struct {
	ID          string      `db:"id"`
	App         heloc.AppID `db:"app"`
	ActorID     string      `db:"actor_id"`
	ActorName   string      `db:"actor_name"`
	Contact     string      `db:"contact"`
	Sealed      []byte      `db:"sealed"`
	At          int64       `db:"at"`
	FromApp     heloc.AppID `db:"from_app"`      // the lead that it was written on, when it was copied
	FromShortID string      `db:"from_short_id"` // and that lead's short id

	Text string `db:"-"` // Sealed, decrypted for a page
}

// FollowUp is a reminder at an instant, with an optional sealed line of text.
type FollowUp struct {
	ID        string      `db:"id"`
	App       heloc.AppID `db:"app"`
	ActorID   string      `db:"actor_id"`
	ActorName string      `db:"actor_name"`
	DueAt     int64       `db:"due_at"`
	Sealed    []byte      `db:"sealed"`
	CreatedAt int64       `db:"created_at"`
	DoneAt    int64       `db:"done_at"`
	DoneBy    string      `db:"done_by"`

	Text string `db:"-"` // Sealed, decrypted for a page
}
