package reassign

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	maxReassignNote      = 300 // characters of the free-text note
	maxSummaryOperations = 6   // operations listed in a summary
	// maxSummaryFollowUps is how many follow-ups a summary lists; all of them move with the lead.
	maxSummaryFollowUps = 5
)

// The controls of a reassignment, which its field errors name.
const (
	ReassignNoteControl = "handOver.line"
)

// Summary is the summary that accompanies a lead: its status at the time of the reassignment, from the
// journal, and a one-line note from the user.
type Summary struct {
	Note       string             `json:"line,omitempty"`
	StatusKey  heloc.StatusKey    `json:"stand"`
	Step       heloc.Step         `json:"step"`
	Since      int64              `json:"since"`
	Due        int64              `json:"due,omitempty"`
	ContactAt  int64              `json:"contactAt,omitempty"`
	Contact    string             `json:"contact,omitempty"`
	Expires    heloc.Date         `json:"expires,omitempty"`
	Notary     heloc.Date         `json:"notary,omitempty"`
	Signing    heloc.Date         `json:"signing,omitempty"`
	Rescinds   heloc.Date         `json:"rescinds,omitempty"`
	Operations []SummaryOperation `json:"sent,omitempty"`
	// FollowUps lists the follow-ups that were open, earliest first. NoteCount is how many notes move with the lead.
	FollowUps []SummaryFollowUp `json:"promised,omitempty"`
	NoteCount int               `json:"notes,omitempty"`
	// Former is who had a lead before it became unassigned, and FormerUntil when that was.
	Former      heloc.OriginatorID `json:"former,omitempty"`
	FormerUntil int64              `json:"formerUntil,omitempty"`
}

// SummaryFollowUp is a follow-up that was not completed.
type SummaryFollowUp struct {
	Text string `json:"text,omitempty"`
	Due  int64  `json:"due"`
	By   string `json:"by"`
}

// SummaryOperation is one operation that was sent to the lender.
type SummaryOperation struct {
	Kind  heloc.Operation `json:"kind"`
	State lead.OpState    `json:"state"`
	At    int64           `json:"at"`
}

func summarize(l lead.Row, ops []lead.Operation, note string) Summary {
	b := Summary{
		Note: note, StatusKey: l.StatusKey, Step: l.Step, Since: l.StepSince,
		Due: l.DueAt(), ContactAt: l.LastContactAt, Contact: l.LastContact,
		Expires: l.ExpirationDate, Notary: l.NotaryDate, Signing: l.SigningDate, Rescinds: l.RescissionDate,
	}
	for _, op := range ops {
		if op.SentAt != 0 && op.Kind != heloc.OpReassign && len(b.Operations) < maxSummaryOperations {
			b.Operations = append(b.Operations, SummaryOperation{op.Kind, op.State, op.SentAt})
		}
	}
	return b
}

// addOpenFollowUps adds the open follow-ups and the number of notes to a summary.
func addOpenFollowUps(ctx context.Context, d core.Desk, tx *store.Tx, app heloc.AppID, b *Summary) error {
	open, err := tx.FollowUps(ctx, app)
	if err != nil {
		return err
	}
	for _, f := range open[:min(len(open), maxSummaryFollowUps)] {
		p := SummaryFollowUp{Due: f.DueAt, By: f.ActorName}
		if len(f.Sealed) > 0 {
			text, err := d.Vault.Unseal(vault.FollowUpAAD(f.ID), f.Sealed)
			if err != nil {
				return err
			}
			p.Text = string(text)
		}
		b.FollowUps = append(b.FollowUps, p)
	}
	notes, err := tx.Notes(ctx, app, desklead.MaxNotes)
	b.NoteCount = len(notes)
	return err
}

// parseReassignNote reads the note: one line, without characters that cannot be displayed.
func parseReassignNote(typed string) (string, error) {
	note := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(typed, ""), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if utf8.RuneCountInString(note) > maxReassignNote {
		return "", fault.InvalidField(ReassignNoteControl, "This is too long")
	}
	return note, nil
}

// ReassignmentDetails is a reassignment as users with access see it: its summary, and both originators by name.
type ReassignmentDetails struct {
	lead.Reassignment
	Summary  Summary
	FromName string
	ToName   string
	ToNMLS   string
	// the lead has been reassigned again or left unassigned since; only among the user's recent reassignments
	MovedOn bool
}

// Received returns the reassignment that gave the lead to its current originator; nil when there was none.
func Received(ctx context.Context, l core.Lead) (*ReassignmentDetails, error) {
	if err := l.May(access.SeeLead); err != nil {
		return nil, err
	}
	row, err := l.Store.LastAcceptedReassignment(ctx, l.Row.App)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil || row.ToOriginator != l.Row.Originator || row.Undoes != "" {
		return nil, err
	}
	details := withNames(ctx, l.Desk, row)
	details.Summary, err = vault.UnsealJSON[Summary](l.Vault, vault.ReassignSummaryAAD(row.OpID), row.Sealed)
	if former := details.Summary.Former; err == nil && row.FromOriginator == "" && former != "" {
		if o, err := l.Store.Originator(ctx, former); err == nil {
			details.FromName = o.Name()
		}
	}
	return &details, err
}

// withNames adds the names of the two originators. An originator who is no longer in the directory has none.
func withNames(ctx context.Context, d core.Desk, row lead.Reassignment) ReassignmentDetails {
	h := ReassignmentDetails{Reassignment: row}
	if o, err := d.Store.Originator(ctx, row.FromOriginator); err == nil {
		h.FromName = o.Name()
	}
	if o, err := d.Store.Originator(ctx, row.ToOriginator); err == nil {
		h.ToName, h.ToNMLS = o.Name(), o.NMLS
	}
	return h
}

// reassignmentWrite is what a reassignment stores before it is sent: the summary, and the result of the checks that
// need the lead's current row.
type reassignmentWrite struct {
	assignee heloc.OriginatorID
	note     string
	undoes   string
	row      *runRow // of a run
}

func saveReassignment(ctx context.Context, d core.Desk, tx *store.Tx, row lead.Row, a reassignmentWrite,
	id string) error {
	ops, err := tx.Operations(ctx, row.App, 20)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(ops, isUnconfirmed) { // the journal refuses it after an older one too
		return fault.New(fault.Conflict, "We don’t know yet whether the lender received the last reassignment of this "+
			"lead. Nothing more was sent. Wait for the result.")
	}
	b := summarize(row, ops, a.note)
	if err := addOpenFollowUps(ctx, d, tx, row.App, &b); err != nil {
		return err
	}
	if row.Originator == "" && row.FormerOriginator != "" {
		events, err := tx.UnassignedEvents(ctx, []heloc.AppID{row.App})
		if err != nil {
			return err
		}
		b.Former, b.FormerUntil = row.FormerOriginator, events[row.App].At
	}
	sealed, err := vault.SealJSON(d.Vault, vault.ReassignSummaryAAD(id), b)
	if err != nil {
		return err
	}
	made := lead.Reassignment{
		OpID: id, App: row.App, ActorID: d.Actor.UserID, ActorName: d.Actor.Name, FromOriginator: row.Originator,
		ToOriginator: a.assignee, Undoes: a.undoes, Sealed: sealed, At: store.Millis(d.Now()),
	}
	if a.row != nil {
		made.JobID = a.row.JobID
		if err := a.row.begin(ctx, tx, id); err != nil {
			return err
		}
	}
	return tx.AddReassignment(ctx, made)
}
