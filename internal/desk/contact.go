package desk

import (
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// The ways to reach a borrower.
const (
	ByCall     = "call"
	ByText     = "text"
	ByEmail    = "email"
	ByLink     = "link"
	ByInPerson = "in-person"
)

// Contact is a contact with the borrower that is to be made, or was.
type Contact struct {
	Method  string
	Note    string // kept as a note of the team; may be empty
	LogOnly bool   // log it and show nothing: it has happened already
}

// maxContactNote is how long the line beside a contact may be.
const maxContactNote = 500

// Contact logs a contact and gives the one field that it needs, or none: a phone number,
// an e-mail address, the borrower's link. A field that the lender does not have is no
// contact.
func (l *Lead) Contact(ctx context.Context, c Contact) (pii.Secret[string], error) {
	none := pii.Secret[string]{}
	if err := l.d.may(access.AnnotateLead); err != nil {
		return none, err
	}
	c.Note = strings.TrimSpace(c.Note)
	switch c.Method {
	case ByCall, ByText, ByEmail, ByLink, ByInPerson:
	default:
		return none, fault.InvalidFields(fault.Field{Name: "contact.how", Message: "Choose how"})
	}
	if len(c.Note) > maxContactNote {
		return none, fault.InvalidFields(fault.Field{Name: "contact.note", Message: "Say it in 500 characters"})
	}
	field := none
	if !c.LogOnly && c.Method != ByInPerson {
		var err error
		if field, err = l.revealField(ctx, c.Method); err != nil {
			return none, err
		}
	}
	return field, l.logContact(ctx, c)
}

// revealField reveals the one field of a way.
func (l *Lead) revealField(ctx context.Context, how string) (pii.Secret[string], error) {
	none := pii.Secret[string]{}
	if how == ByLink {
		return l.BorrowerLink(ctx)
	}
	if err := l.d.may(access.ContactBorrower); err != nil {
		return none, err
	}
	name, missing := "phone", "The lender has no phone number of this borrower. Nothing was logged."
	if how == ByEmail {
		name, missing = "e-mail", "The lender has no e-mail address of this borrower. Nothing was logged."
	}
	if err := l.logReveal(ctx, revealRequest{action: store.ActionContact, fields: []string{name}, reason: reasonContact}); err != nil {
		return none, err
	}
	got, err := l.d.Lender.Signers(ctx, l.row.App)
	if err != nil {
		return none, err
	}
	value := got.Value.Primary.Phone
	if how == ByEmail {
		value = got.Value.Primary.Email
	}
	if strings.TrimSpace(value) == "" {
		return none, fault.New(fault.Conflict, missing)
	}
	return pii.Wrap(value), nil
}

// BorrowerLink gives the borrower's own way in, as the lender told it last. Every press
// is written down like a look at the borrower.
func (l *Lead) BorrowerLink(ctx context.Context) (pii.Secret[string], error) {
	none := pii.Secret[string]{}
	if err := l.d.may(access.ContactBorrower); err != nil {
		return none, err
	}
	parts, err := l.d.Store.Parts(ctx, l.row.App)
	if err != nil {
		return none, err
	}
	details, _, err := decryptPart[heloc.Details](l, parts, store.PartDetails)
	if err != nil {
		return none, err
	}
	if !strings.HasPrefix(details.BorrowerAppLink, "https://") {
		return none, fault.New(fault.Conflict, "The lender has not given this borrower a link yet.")
	}
	if err := l.logReveal(ctx, revealRequest{action: store.ActionBorrowerLink, fields: []string{"link"}, reason: reasonContact}); err != nil {
		return none, err
	}
	return pii.Wrap(details.BorrowerAppLink), nil
}

// logContact makes it the last contact, which also answers a chase.
func (l *Lead) logContact(ctx context.Context, c Contact) error {
	note, err := l.encryptNote(c.Note)
	if err != nil {
		return err
	}
	note.Contact = c.Method
	return l.updateRow(ctx, func(tx *store.Tx, row *store.Lead) error {
		row.LastContactAt, row.LastContact = store.Millis(l.d.Now()), c.Method
		if c.Note != "" {
			if err := tx.AddNote(ctx, note); err != nil {
				return err
			}
		}
		return tx.AddEvent(ctx, l.newEvent(store.EventContact, c.Method))
	})
}

// updateRow is one transaction on the lead's row as it stands now, announced afterwards.
func (l *Lead) updateRow(ctx context.Context, f func(tx *store.Tx, row *store.Lead) error) error {
	err := l.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.Lead(ctx, l.d.Actor.Scope(), l.row.App)
		if err != nil {
			return err
		}
		if err := f(tx, &row); err != nil {
			return err
		}
		if err := tx.SaveLead(ctx, &row, l.d.Now(), true); err != nil {
			return err
		}
		l.row = row
		return nil
	})
	if err == nil {
		l.d.publish(ctx, l.row.App)
	}
	return err
}
