package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/crm"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// Desk acts for one user. Create it with Service.For.
type Desk struct {
	Actor *access.Actor // of the desk and of every handle that was opened from it
	core  core.Desk
}

// ConsentText returns the text that is read to a borrower, with its version.
func (d *Desk) ConsentText() core.ConsentText { return d.core.Consent }

// TermUnit returns the unit of an offer's term.
func (d *Desk) TermUnit() heloc.TermUnit { return d.core.Payments.Term }

// LenderDownSince reports since when the lender has not responded; zero while it responds.
func (d *Desk) LenderDownSince() time.Time { return d.core.LenderDownSince() }

// LiveDialect reports whether the lender speaks the live dialect, whose forms offer more; false without a lender.
func (d *Desk) LiveDialect() bool { return d.core.LiveDialect() }

// FreeReferences lists the controls of an inquiry's references that are the originator's own.
func (d *Desk) FreeReferences() []string { return d.core.FreeReferences() }

// WithActor marks calls to the lender under this context as the user's, so that the rate limiter serves companies and
// users in turn.
func (d *Desk) WithActor(ctx context.Context) context.Context {
	return partner.WithCaller(ctx, partner.Caller{User: d.Actor.UserID, Company: d.Actor.Company()})
}

// Changes subscribes to the changes that the user may see, until stop is called.
func (d *Desk) Changes() (changes <-chan pubsub.Event, stop func()) {
	return d.core.Hub.Subscribe(d.Actor.Topics()...)
}

// LogDenied records that this user was refused: an action that their role does not include, or something that does
// not exist for them. Route is the name of the route; it includes the requested id when the object does not.
func (d *Desk) LogDenied(ctx context.Context, route, object string) error {
	return d.core.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.AuditEntry{ActorID: d.Actor.UserID, Company: d.Actor.Company(), Action: store.ActionDenied,
			Object: object, Outcome: "refused", Detail: route})
	})
}

// SetLaunchRecord sets the record of a launch that this user completed. Drafts that are begun at this desk are begun
// for that record.
func (d *Desk) SetLaunchRecord(l embed.VerifiedLaunch) { crm.SetLaunchRecord(d.core, l) }
