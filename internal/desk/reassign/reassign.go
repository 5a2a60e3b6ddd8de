// Package reassign has the handles that give leads to other originators: one lead, many at once, and by rules.
//
//	reassign.go, undo.go  one lead, what goes with it, and undoing it or a whole run
//	bulk.go, plan.go, split.go, targets.go  many leads: who would get which
//	run.go           the run, and who sees it
//	out.go, return.go  the leads of somebody who is out: a proposal, and giving them back
//	rules.go, rule_page.go, rule_run.go, rule_choice.go  unassigned leads that are assigned automatically
//	former_colleagues.go  the leads and drafts of users who have left the company
package reassign

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// confirmTimeout is how long a reassignment waits for the details that confirm it. If they come later, the lead's
// refresh moves it.
const confirmTimeout = 4 * time.Second

// Request is a form that reassigns one lead.
type Request struct {
	OperationID string
	Assignee    string // the new originator's uuid
	Note        string // is passed on to the new originator, encrypted

	row *runRow // of a run
}

// Assignees finds who can take this lead: the originators of its organization and broker company, except the current
// one. They are in the order of the targets of a bulk reassignment.
func Assignees(ctx context.Context, l core.Lead, typed string) (Targets, error) {
	if err := l.May(access.ReassignLead); err != nil {
		return Targets{}, err
	}
	facts, err := l.Desk.CandidateFacts(ctx)
	if err != nil {
		return Targets{}, err
	}
	plan := Plan{Leads: []PlannedLead{{PipelineRow: lead.PipelineRow{Row: &l.Row}}}, facts: facts}
	eligible := func(o lead.Originator) bool { return lead.AssigneeProblem(l.Row, o) == "" }
	return reassignTargets(ctx, l.Desk, targetSearch{typed: typed, limit: core.MaxPeople, eligible: eligible}, plan)
}

// Reassign moves the lead to another originator (section 4.7). It needs the permission, but not the new originator's
// consent. It reads the details again before it returns, so that the lead shows the lender's answer.
func Reassign(ctx context.Context, l core.Lead, h Request) (lead.Operation, error) {
	if err := l.May(access.ReassignLead); err != nil {
		return lead.Operation{}, err
	}
	note, err := parseReassignNote(h.Note)
	if err != nil {
		return lead.Operation{}, err
	}
	to, err := heloc.ParseOriginatorID(h.Assignee)
	if err != nil {
		return lead.Operation{}, lead.AssigneeError("Choose an originator")
	}
	departure := ""
	if h.row != nil && h.row.job.Kind == lead.JobDeparture {
		departure = h.row.job.ID
	}
	op, err := l.Submit(ctx, core.LeadWrite{
		DepartureRun: departure,
		Kind:         heloc.OpReassign, Permission: access.ReassignLead, OperationID: h.OperationID,
		DigestContent: []string{string(to), note}, Assignee: to,
		Prepare: func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error {
			if h.row != nil && h.row.job.Kind == lead.JobRule {
				if err := checkRule(ctx, l.Desk, tx, row, to); err != nil {
					return err
				}
			}
			if h.row != nil && h.row.job.Kind == lead.JobReturn {
				if err := checkReturn(ctx, tx, row, *h.row); err != nil {
					return err
				}
			}
			if err := checkAssignee(ctx, tx, row, to); err != nil {
				return err
			}
			// The journal has checked that the user still works for the same originators.
			if !l.WorksFor(string(to), row.BrokerID(), row.Organization) {
				return lead.AssigneeError("You can reassign only to originators you work for")
			}
			return saveReassignment(ctx, l.Desk, tx, row, reassignmentWrite{assignee: to, note: note, row: h.row}, id)
		},
		Send: func(ctx context.Context, _ heloc.OriginatorID) (partner.WriteResult, error) {
			return l.Lender.Reassign(ctx, l.Row.App, to)
		},
	})
	if err == nil && op.State == lead.OpSucceeded {
		confirmReassign(ctx, l.Desk, l.Row.App, to)
	}
	return op, err
}

// checkAssignee refuses an originator outside the lead's organization and broker company, before the lender has to.
func checkAssignee(ctx context.Context, tx *store.Tx, row lead.Row, to heloc.OriginatorID) error {
	o, canWork, err := tx.Assignee(ctx, to)
	if fault.Is(err, fault.NotFound) {
		return lead.AssigneeError("Choose an originator at the same broker company")
	}
	if err != nil {
		return err
	}
	if why := lead.AssigneeProblem(row, o); why != "" {
		return lead.AssigneeError(why)
	}
	if !canWork {
		return lead.AssigneeError(lead.ProblemClosedAccount)
	}
	may, err := core.CheckMayActIn(ctx, tx.Queries, o.UUID, row.State)
	if err == nil && !may {
		err = lead.AssigneeError(lead.ProblemUnlicensed)
	}
	return err
}

// confirmReassign reads the details until they name the new originator, at most twice: the first reading may have
// begun before the lender received the reassignment.
func confirmReassign(ctx context.Context, d core.Desk, app heloc.AppID, to heloc.OriginatorID) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), confirmTimeout)
	defer stop()
	for range 2 {
		if d.Refresher.Refresh(ctx, app) != nil {
			return // the lead's own refresh tries again
		}
		if row, err := d.Store.AnyLead(ctx, app); err != nil || row.Originator == to {
			return
		}
	}
}

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
		text, err := d.UnsealText(vault.FollowUpAAD(f.ID), f.Sealed)
		if err != nil {
			return err
		}
		b.FollowUps = append(b.FollowUps, SummaryFollowUp{Text: text, Due: f.DueAt, By: f.ActorName})
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
