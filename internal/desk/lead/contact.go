package lead

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// The ways to contact a borrower.
const (
	ByCall     = "call"
	ByText     = "text"
	ByEmail    = "email"
	ByLink     = "link"
	ByInPerson = "in-person"
)

// Contact is a contact with the borrower that has taken place.
type Contact struct {
	Method string
	Note   string // saved as a team note; may be empty
}

const (
	maxContactNote = 500              // characters
	sameContact    = 30 * time.Second // a button pressed twice logs one contact
)

// ContactDetail shows the one field that a way of contact needs: a phone number, an email address or the borrower's
// link. It is a view, logged like a reveal, and not a contact: the user has not reached the borrower yet, and may not.
func (l *Lead) ContactDetail(ctx context.Context, method string) (pii.Secret[string], error) {
	none := pii.Secret[string]{}
	if err := l.d.May(access.ContactBorrower); err != nil {
		return none, err
	}
	name, missing := "phone", "The lender has no phone number for this borrower."
	switch method {
	case ByCall, ByText:
	case ByEmail:
		name, missing = "email", "The lender has no email for this borrower."
	case ByLink:
		return l.BorrowerLink(ctx)
	default:
		return none, unknownContactMethod()
	}
	value := ""
	as := RevealRequest{Action: store.ActionContact, Fields: []string{name}, Reason: reasonContact}
	err := l.revealAfter(ctx, as, func() error {
		got, err := l.d.Lender.Signers(ctx, l.d.Row.App)
		if err != nil {
			return err
		}
		value = got.Value.Primary.Phone
		if method == ByEmail {
			value = got.Value.Primary.Email
		}
		if strings.TrimSpace(value) == "" {
			return fault.New(fault.Conflict, missing)
		}
		return nil
	})
	if err != nil {
		return none, err
	}
	return pii.Wrap(value), nil
}

func unknownContactMethod() error {
	return fault.InvalidField("contact.how", "Choose a contact method")
}

// BorrowerLink returns the borrower's own link, as the lender last returned it. Each call is logged like a reveal of
// borrower details.
func (l *Lead) BorrowerLink(ctx context.Context) (pii.Secret[string], error) {
	return l.borrowerLink(ctx, 0)
}

// BorrowerLinkOnce is BorrowerLink for a page that shows the link unasked; fault.Conflict if the user has viewed it
// since.
func (l *Lead) BorrowerLinkOnce(ctx context.Context, since int64) (pii.Secret[string], error) {
	return l.borrowerLink(ctx, since)
}

func (l *Lead) borrowerLink(ctx context.Context, unlessSince int64) (pii.Secret[string], error) {
	none := pii.Secret[string]{}
	if err := l.d.May(access.ContactBorrower); err != nil {
		return none, err
	}
	parts, err := l.d.Store.Parts(ctx, l.d.Row.App)
	if err != nil {
		return none, err
	}
	details, _, err := core.DecryptPart[heloc.Details](l.d, parts, lead.PartDetails)
	if err != nil {
		return none, err
	}
	if !strings.HasPrefix(details.BorrowerAppLink, "https://") {
		return none, fault.New(fault.Conflict, "The lender hasn’t provided a link for this borrower yet.")
	}
	if err := l.logReveal(ctx, RevealRequest{Action: store.ActionBorrowerLink, Fields: []string{"link"},
		Reason: reasonContact, unlessSince: unlessSince}); err != nil {
		return none, err
	}
	return pii.Wrap(details.BorrowerAppLink), nil
}

// LogContact logs a contact that the user says took place. It becomes the last contact, and counts as the follow-up
// with the borrower that was due.
func (l *Lead) LogContact(ctx context.Context, c Contact) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	c.Note = strings.TrimSpace(c.Note)
	switch c.Method {
	case ByCall, ByText, ByEmail, ByLink, ByInPerson:
	default:
		return unknownContactMethod()
	}
	if utf8.RuneCountInString(c.Note) > maxContactNote {
		return fault.InvalidField("contact.note", "Use at most 500 characters")
	}
	note, err := l.encryptNote(c.Note)
	if err != nil {
		return err
	}
	note.Contact = c.Method
	return l.d.AddToRow(ctx, func(tx *store.Tx, row *lead.Row) error {
		now := store.Millis(l.d.Now())
		if c.Note == "" && c.Method == row.LastContact && now-row.LastContactAt < sameContact.Milliseconds() {
			return nil
		}
		row.LastContactAt, row.LastContact = now, c.Method
		if c.Note != "" {
			if err := tx.AddNote(ctx, note); err != nil {
				return err
			}
		}
		return l.d.AuditEvent(ctx, tx, l.d.NewEvent(lead.EventContact, c.Method), store.ActionContactLog, "done",
			"method:"+c.Method)
	})
}
