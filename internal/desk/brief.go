package desk

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	lineLimit = 300 // characters of the free line
	briefSent = 6   // operations told in a brief
	// briefPromises is how many follow-ups a brief tells; all of them go along.
	briefPromises = 5
)

// The controls of a hand-over, by which a complaint is said beside them.
const (
	TakerControl = "newLoanOriginatorUuid"
	LineControl  = "handOver.line"
)

// Brief is what goes along with a lead: where it stood when it was handed over, made
// from the journal, and one line in the person's own words.
type Brief struct {
	Line      string      `json:"line,omitempty"`
	Stand     heloc.Stand `json:"stand"`
	Step      heloc.Step  `json:"step"`
	Since     int64       `json:"since"`
	Due       int64       `json:"due,omitempty"`
	ContactAt int64       `json:"contactAt,omitempty"`
	Contact   string      `json:"contact,omitempty"`
	Expires   heloc.Date  `json:"expires,omitempty"`
	Notary    heloc.Date  `json:"notary,omitempty"`
	Signing   heloc.Date  `json:"signing,omitempty"`
	Rescinds  heloc.Date  `json:"rescinds,omitempty"`
	Sent      []BriefSent `json:"sent,omitempty"`
	// Promised are the follow-ups that were open, the earliest first; Notes is how many
	// notes go along.
	Promised []BriefPromise `json:"promised,omitempty"`
	Notes    int            `json:"notes,omitempty"`
}

// BriefPromise is a follow-up that was not done.
type BriefPromise struct {
	Text string `json:"text,omitempty"`
	Due  int64  `json:"due"`
	By   string `json:"by"`
}

// BriefSent is one thing that was sent to the lender, newest first.
type BriefSent struct {
	Kind  heloc.Operation `json:"kind"`
	State store.OpState   `json:"state"`
	At    int64           `json:"at"`
}

// placeOfBrief is where the brief of a hand-over lies.
func placeOfBrief(opID string) vault.Place {
	return vault.Place{Table: "hand_overs", Row: opID, Column: "sealed"}
}

func briefOf(l store.Lead, ops []store.Operation, line string) Brief {
	b := Brief{
		Line: line, Stand: l.Stand, Step: l.Step, Since: l.StepSince, Due: l.DueAt, ContactAt: l.LastContactAt, Contact: l.LastContact,
		Expires: l.ExpirationDate, Notary: l.NotaryDate, Signing: l.SigningDate, Rescinds: l.RescissionDate,
	}
	for _, op := range ops {
		if op.SentAt != 0 && op.Kind != heloc.OpReassign && len(b.Sent) < briefSent {
			b.Sent = append(b.Sent, BriefSent{op.Kind, op.State, op.SentAt})
		}
	}
	return b
}

// promised writes into a brief what is still to be done for the borrower.
func (d *Desk) promised(ctx context.Context, tx *store.Tx, app heloc.AppID, b *Brief) error {
	open, err := tx.FollowUps(ctx, app)
	if err != nil {
		return err
	}
	for _, f := range open[:min(len(open), briefPromises)] {
		p := BriefPromise{Due: f.DueAt, By: f.ActorName}
		if len(f.Sealed) > 0 {
			text, err := d.Vault.Unseal(placeOfFollowUp(f.ID), f.Sealed)
			if err != nil {
				return err
			}
			p.Text = string(text)
		}
		b.Promised = append(b.Promised, p)
	}
	notes, err := tx.Notes(ctx, app, notesShown)
	b.Notes = len(notes)
	return err
}

// lineOf reads the free line: one line, without anything that cannot be shown.
func lineOf(typed string) (string, error) {
	line := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(typed, ""), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if utf8.RuneCountInString(line) > lineLimit {
		return "", fault.InvalidFields(fault.Field{Name: LineControl, Message: "This is too long: one line is enough"})
	}
	return line, nil
}

// Handed is a hand-over as those see it who may: its brief, and both people by name.
type Handed struct {
	store.HandOver
	Brief    Brief
	FromName string
	ToName   string
	ToNMLS   string
}

// Received is how the lead came to who has it now; nil when nobody handed it to them.
func (l *Lead) Received(ctx context.Context) (*Handed, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return nil, err
	}
	row, err := l.d.Store.LastHandOver(ctx, l.row.App)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil || row.To != l.row.Originator || row.Undoes != "" {
		return nil, err
	}
	handed := l.d.named(ctx, row)
	handed.Brief, err = vault.UnsealJSON[Brief](l.d.Vault, placeOfBrief(row.OpID), row.Sealed)
	return &handed, err
}

// named puts names to the two originators. One who left the directory has none.
func (d *Desk) named(ctx context.Context, row store.HandOver) Handed {
	h := Handed{HandOver: row}
	if o, err := d.Store.Originator(ctx, row.From); err == nil {
		h.FromName = o.Name()
	}
	if o, err := d.Store.Originator(ctx, row.To); err == nil {
		h.ToName, h.ToNMLS = o.Name(), o.NMLS
	}
	return h
}

// along is what a reassignment writes down before it is sent: the checks that need the
// lead as it stands at this very moment, and the brief.
type along struct {
	to     heloc.OriginatorID
	line   string
	job    string
	undoes string
}

func (d *Desk) writeAlong(ctx context.Context, tx *store.Tx, row store.Lead, a along, id string) error {
	unknown, err := tx.UnknownOperations(ctx, row.App)
	if err != nil {
		return err
	}
	for _, op := range unknown {
		if op.Kind == heloc.OpReassign {
			return fault.New(fault.Conflict, "It is not known yet whether the last hand-over of this lead has arrived. Nothing more was sent. Wait until that is found out.")
		}
	}
	ops, err := tx.Operations(ctx, row.App, 20)
	if err != nil {
		return err
	}
	b := briefOf(row, ops, a.line)
	if err := d.promised(ctx, tx, row.App, &b); err != nil {
		return err
	}
	sealed, err := vault.SealJSON(d.Vault, placeOfBrief(id), b)
	if err != nil {
		return err
	}
	return tx.AddHandOver(ctx, store.HandOver{
		OpID: id, App: row.App, ActorID: d.Actor.UserID, ActorName: d.Actor.Name, From: row.Originator, To: a.to,
		Undoes: a.undoes, JobID: a.job, Sealed: sealed, At: store.Millis(d.Now()),
	})
}

// ticketID is the operation id that a ticket carries.
func ticketID(ticket string) string {
	id, _, _ := strings.Cut(ticket, ".")
	return id
}
