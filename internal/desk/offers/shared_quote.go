package offers

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	maxActiveShares = 20  // per lead
	maxListedShares = 100 // the active ones come first
)

// ShareDays are the choices of how long a link shows its quote; DefaultShareDays is preselected.
func ShareDays() []int { return []int{1, 3, 7, 14} }

// DefaultShareDays is the usual lifetime of a link.
const DefaultShareDays = 7

// errShareEnded refuses a link of a lead that has ended: its links show only whom to call.
var errShareEnded = fault.New(fault.Invalid, "This lead has ended, so its offers can’t be shared.")

// ShareForm is a quote to share.
type ShareForm struct {
	Quote    lead.BorrowerQuote // as it is shown at this moment
	Days     int
	Language string // "en" or "es": how the link opens
}

// SharedQuote is a link of a lead.
type SharedQuote struct {
	store.SharedQuote
	LinkToken string // the last part of the link's path
	IsActive  bool   // not revoked and not expired
	Quote     lead.BorrowerQuote
}

// Share creates a link to a quote and returns its id. The quote is stored as it is now, encrypted; later changes of the
// lead do not change it. The link never outlives the lender's inquiry. A field error names the control expires.
func (of *Offers) Share(ctx context.Context, form ShareForm) (string, error) {
	if err := of.d.May(access.ActOnLead); err != nil {
		return "", err
	}
	if of.d.Row.Lane == heloc.LaneEnded {
		return "", errShareEnded
	}
	now := of.d.Now()
	expires, lastDay, err := of.shareExpiry(form.Days, now)
	if err != nil {
		return "", err
	}
	form.Quote.LinkExpires = lastDay
	if err := checkShareable(form.Quote); err != nil {
		return "", err
	}
	token := rand.Text()
	row := store.SharedQuote{
		ID: ulid.MustNew(uint64(store.Millis(now)), rand.Reader).String(), App: of.d.Row.App, TokenDigest: shareDigest(token),
		Language: form.Language, ActorID: of.d.Actor.UserID, ActorName: of.d.Actor.Name, CreatedAt: store.Millis(now),
		ExpiresAt: store.Millis(expires),
	}
	if row.Token, err = of.d.Vault.Seal(vault.ShareTokenAAD(row.ID), []byte(token)); err != nil {
		return "", err
	}
	if row.Sealed, err = vault.SealJSON(of.d.Vault, vault.SharedQuoteAAD(row.ID), form.Quote); err != nil {
		return "", err
	}
	return row.ID, of.d.AddToRow(ctx, func(tx *store.Tx, _ *lead.Row) error {
		if err := of.d.ReauthorizeLead(ctx, tx, access.ActOnLead); err != nil {
			return err
		}
		active, err := tx.CountActiveShares(ctx, of.d.Row.App, now)
		if err != nil {
			return err
		}
		if active >= maxActiveShares {
			return fault.InvalidField("expires", "This lead has 20 active links. Revoke one first")
		}
		if err := tx.AddSharedQuote(ctx, row); err != nil {
			return err
		}
		return of.d.AuditEvent(ctx, tx, of.d.NewEvent(lead.EventShared, ""), store.ActionShare, "done", "share:"+row.ID)
	})
}

// shareExpiry is when a link ends, and on which day for the user: after the chosen days, but not after the day on which
// the inquiry expires.
func (of *Offers) shareExpiry(days int, now time.Time) (expires time.Time, lastDay heloc.Date, err error) {
	if !slices.Contains(ShareDays(), days) {
		return expires, "", fault.InvalidField("expires", "Choose how long the link works")
	}
	expires = now.AddDate(0, 0, days)
	if day, ok := of.d.Row.ExpirationDate.Time(); ok {
		end := time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, of.d.Actor.Zone())
		if !end.After(now) {
			return expires, "", fault.New(fault.Invalid, "The inquiry has expired at the lender, so its offers can’t be shared.")
		}
		if end.Before(expires) {
			expires = end
		}
	}
	return expires, heloc.DateOf(expires.Add(-time.Millisecond).In(of.d.Actor.Zone())), nil
}

// checkShareable refuses a quote that a borrower could not make sense of alone.
func checkShareable(q lead.BorrowerQuote) error {
	switch {
	case len(q.Offers) == 0:
		return fault.New(fault.Invalid, "There are no offers to share for this amount.")
	case q.Draw <= 0:
		return fault.New(fault.Invalid, "Enter a draw before you share the offers.")
	case q.PaysOff() > q.Draw:
		return fault.New(fault.Invalid,
			"The debts exceed the draw. Increase the draw or pay off fewer debts before you share the offers.")
	default:
		return nil
	}
}

// SharedQuotes lists the lead's links, the active ones first.
func (of *Offers) SharedQuotes(ctx context.Context) ([]SharedQuote, error) {
	if err := of.d.May(access.SeeLead); err != nil {
		return nil, err
	}
	rows, err := of.d.Store.SharedQuotes(ctx, of.d.Row.App, of.d.Now(), maxListedShares)
	if err != nil {
		return nil, err
	}
	all := make([]SharedQuote, len(rows))
	for i, row := range rows {
		if all[i], err = openSharedQuote(of.d.Services, row); err != nil {
			return nil, err
		}
		token, err := of.d.Vault.Unseal(vault.ShareTokenAAD(row.ID), row.Token)
		if err != nil {
			return nil, err
		}
		all[i].LinkToken = string(token)
	}
	return all, nil
}

func openSharedQuote(s core.Services, row store.SharedQuote) (SharedQuote, error) {
	quote, err := vault.UnsealJSON[lead.BorrowerQuote](s.Vault, vault.SharedQuoteAAD(row.ID), row.Sealed)
	return SharedQuote{SharedQuote: row, IsActive: row.Active(s.Now()), Quote: quote}, err
}

// RevokeShare makes a link show its quote no longer. Whoever follows up on the lead may: it only protects.
func (of *Offers) RevokeShare(ctx context.Context, id string) error {
	if err := of.d.May(access.AnnotateLead); err != nil {
		return err
	}
	return of.d.UpdateRow(ctx, func(tx *store.Tx, _ *lead.Row) error {
		if err := of.d.ReauthorizeLead(ctx, tx, access.AnnotateLead); err != nil {
			return err
		}
		revoked, err := tx.RevokeSharedQuote(ctx,
			store.SharedQuote{ID: id, App: of.d.Row.App, RevokedAt: store.Millis(of.d.Now()), RevokedBy: of.d.Actor.Name})
		if err != nil {
			return err
		}
		if !revoked {
			return fault.New(fault.NotFound, "This link doesn’t exist or was already revoked.")
		}
		return of.d.AuditEvent(ctx, tx, of.d.NewEvent(lead.EventShareRevoked, ""), store.ActionShareRevoke, "done",
			"share:"+id)
	})
}

// OpenedQuote is what a shared link shows. Ended means that it shows only whom to call: it has expired, was revoked, or
// the lead has ended.
type OpenedQuote struct {
	SharedQuote
	Ended   bool
	Contact BorrowerContact // of the lead's originator now, who can answer for it
}

// OpenSharedQuote finds what a link shows, for whoever has the link; fault.NotFound for a token that does not exist. It
// does not count the opening.
func OpenSharedQuote(ctx context.Context, s core.Services, token string) (OpenedQuote, error) {
	row, err := s.Store.SharedQuoteByToken(ctx, shareDigest(token))
	if err != nil {
		return OpenedQuote{}, err
	}
	l, err := leadOfShare(ctx, s, row.App)
	if err != nil {
		return OpenedQuote{}, err
	}
	var opened OpenedQuote
	if opened.SharedQuote, err = openSharedQuote(s, row); err != nil {
		return opened, err
	}
	if err := dropStoppedPayments(ctx, s, &opened.Quote); err != nil {
		return opened, err
	}
	opened.Ended = !opened.IsActive || l.Row.Lane == heloc.LaneEnded
	opened.Contact, err = Of(l).borrowerContact(ctx)
	return opened, err
}

// dropStoppedPayments removes the payments of rate types whose estimates were stopped since the quote was shared,
// because they were wrong.
func dropStoppedPayments(ctx context.Context, s core.Services, q *lead.BorrowerQuote) error {
	setting, err := s.Store.Setting(ctx, store.PaymentsUnconfirmed)
	if err != nil {
		return err
	}
	stopped := s.PaymentModel(setting).Unconfirmed
	for i := range q.Offers {
		q.Offers[i].NoPayment = q.Offers[i].NoPayment || slices.Contains(stopped, q.Offers[i].RateType)
	}
	return nil
}

// leadOfShare opens a lead for the link's own work, in nobody's name.
func leadOfShare(ctx context.Context, s core.Services, app heloc.AppID) (core.Lead, error) {
	row, err := s.Store.AnyLead(ctx, app)
	return s.For(access.Actor{}).LeadOf(row, heloc.Name{}), err
}

// CountOpening counts an opening of a link, and audits it once a day. The first opening is an event of the lead, and
// its originator is notified. Who opened it is not known.
func CountOpening(ctx context.Context, s core.Services, token string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		row, counted, err := tx.CountOpening(ctx, shareDigest(token), s.Now())
		if err != nil || !counted {
			return err
		}
		of, err := tx.AnyLead(ctx, row.App)
		if err != nil {
			return err
		}
		if err := tx.AuditDaily(ctx, store.AuditEntry{ActorID: "system", Company: of.Company, Action: store.ActionShareOpen,
			Object: "lead:" + string(row.App), Outcome: "opened", Detail: "share:" + row.ID,
			At: store.Millis(s.Now())}); err != nil {
			return err
		}
		if row.Opened > 1 {
			return tx.RaiseRevision(ctx, row.App)
		}
		return recordFirstOpening(ctx, s, tx, of, row)
	})
}

// recordFirstOpening writes the event and the notifications.
func recordFirstOpening(ctx context.Context, s core.Services, tx *store.Tx, row lead.Row,
	opened store.SharedQuote) error {
	if err := tx.AddEvent(ctx, lead.Event{App: row.App, Originator: row.Originator, At: opened.LastOpenedAt,
		Kind: lead.EventShareOpened, StepBefore: row.Step, StepAfter: row.Step, StatusKey: row.StatusKey}); err != nil {
		return err
	}
	if err := tx.SaveLead(ctx, &row, s.Now(), true); err != nil {
		return err
	}
	people, err := tx.NotifiedOf(ctx, row.Originator, row.Company)
	if err != nil {
		return err
	}
	return core.NotifyAll(ctx, tx, people, lead.Notice{
		Company: row.Company, App: row.App, ShortID: row.ShortID, Kind: lead.NoticeShareOpened,
		DedupKey: "share:" + opened.ID, At: opened.LastOpenedAt,
	})
}

// shareDigest is how a token is found. A token has 130 random bits, so its digest needs no key.
func shareDigest(token string) string {
	sum := sha256.Sum256([]byte("shared quote\x00" + token))
	return hex.EncodeToString(sum[:])
}
