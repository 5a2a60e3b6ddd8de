package core

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Lead is one lead opened by one user, as the handles of all areas share it. Opening it checked that the user may see
// it.
type Lead struct {
	Desk
	*OpenedLead
}

// OpenedLead is a lead as it was opened.
type OpenedLead struct {
	Row    lead.Row
	ReadAt time.Time // when it was opened; the user has not seen what came later
	Name   heloc.Name
	// RepeatConfirmed reports whether the user agreed to resend something that may already have arrived.
	RepeatConfirmed bool
}

// OpenLead opens a lead. It returns fault.NotFound for a lead that does not exist, that this user cannot access, or
// that their role may not see: the three cases look alike.
func (d Desk) OpenLead(ctx context.Context, app string) (Lead, error) {
	id, err := heloc.ParseAppID(app)
	if err != nil || !d.Actor.Can(access.SeeLead) {
		return Lead{}, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	readAt := d.Now()
	row, err := d.Store.Lead(ctx, d.Actor.Scope(), id)
	if err != nil {
		return Lead{}, err
	}
	name, err := d.BorrowerName(row.App, row.Borrower)
	return Lead{d, &OpenedLead{Row: row, ReadAt: readAt, Name: name}}, err
}

// LeadOf opens a lead that was read within the user's scope.
func (d Desk) LeadOf(row lead.Row, name heloc.Name) Lead {
	return Lead{d, &OpenedLead{Row: row, Name: name}}
}

// AsDeputy reports whether the user has access to the lead only because they cover for its originator.
func (l Lead) AsDeputy() bool { return l.Actor.Scope().AsDeputy(l.Row.Owner()) }

// NewEvent returns an event that this user causes now.
func (l Lead) NewEvent(kind lead.EventKind, detail string) lead.Event {
	return lead.Event{
		App: l.Row.App, Originator: l.Row.Originator, At: store.Millis(l.Now()), Kind: kind,
		ActorID: l.Actor.UserID, ActorName: l.Actor.Name, Detail: detail,
	}
}

// UpdateRow updates the current row of the lead in one transaction.
func (l Lead) UpdateRow(ctx context.Context, f func(tx *store.Tx, row *lead.Row) error) error {
	return l.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.Lead(ctx, l.Actor.Scope(), l.Row.App)
		if err != nil {
			return err
		}
		if err := f(tx, &row); err != nil {
			return err
		}
		if err := tx.SaveLead(ctx, &row, l.Now(), true); err != nil {
			return err
		}
		l.Row = row
		return nil
	})
}

// AddToRow is UpdateRow for what a user adds to a lead, which the hourly limit counts. What only protects, such as
// revoking a link, is never limited.
func (l Lead) AddToRow(ctx context.Context, f func(tx *store.Tx, row *lead.Row) error) error {
	return l.RecordLimit(ctx, l.UpdateRow(ctx, func(tx *store.Tx, row *lead.Row) error {
		if err := l.CountUse(ctx, tx, UseChanges); err != nil {
			return err
		}
		return f(tx, row)
	}))
}

// CheckAccessible returns an error when the user can no longer access the lead.
func (l Lead) CheckAccessible(ctx context.Context) error {
	_, err := l.Store.Lead(ctx, l.Actor.Scope(), l.Row.App)
	return err
}

// May is Desk.May for this lead. It also returns fault.Denied for what a deputy may not do for the lead's originator.
func (l Lead) May(p access.Permission) error {
	if err := l.Desk.May(p); err != nil {
		return err
	}
	if p.OwnerOnly() && l.AsDeputy() {
		return fault.New(fault.Denied,
			"You cover for the originator of this lead. Only the originator or a manager can reassign it.")
	}
	return nil
}

// NewOperationID makes the operation id of a form for this lead at its current step.
func (l Lead) NewOperationID(kind heloc.Operation) string {
	return l.Journal.NewOperationID(l.Actor, kind, l.Row.App, journal.StepFingerprint(l.Row))
}

// ReauthorizeLead checks again, in the transaction of a write, whether the user may still do it to this lead: before a
// slow form arrives, the lead can be reassigned, and the user's role or account can change.
func (l Lead) ReauthorizeLead(ctx context.Context, tx *store.Tx, p access.Permission) error {
	user, err := l.Reauthorize(ctx, tx, p)
	if err != nil {
		return err
	}
	_, err = tx.Lead(ctx, user.Scope(), l.Row.App)
	return err
}

// Audit writes that this user did something to the lead.
func (l Lead) Audit(ctx context.Context, tx *store.Tx, action store.AuditAction, outcome, detail string) error {
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: l.Actor.UserID, Company: l.Row.Company, Action: action, Object: "lead:" + string(l.Row.App),
		Outcome: outcome, Detail: detail,
	})
}

// AuditEvent records an action of this user on the lead, in the audit and in the lead's activity.
func (l Lead) AuditEvent(ctx context.Context, tx *store.Tx, e lead.Event, action store.AuditAction,
	outcome, detail string) error {
	if err := l.Audit(ctx, tx, action, outcome, detail); err != nil {
		return err
	}
	return tx.AddEvent(ctx, e)
}

// CheckEligibleDebts refuses to pay off a debt that the lender does not list as eligible on this lead.
func (l Lead) CheckEligibleDebts(ctx context.Context, control string, accounts []string) error {
	if len(accounts) == 0 {
		return nil
	}
	details, _, err := l.Details(ctx)
	if err != nil {
		return err
	}
	eligible := map[string]bool{}
	if existing := details.App.Payoff.Existing; existing != nil {
		for _, debt := range existing.Eligible {
			eligible[debt.ID] = true
		}
	}
	for _, id := range accounts {
		if !eligible[id] {
			return fault.InvalidField(control, "The lender can no longer pay off this debt. Choose from the debts listed")
		}
	}
	return nil
}

const (
	partMaxAge       = 15 * time.Second // an older part is refreshed in the background
	partPollInterval = 25 * time.Millisecond
)

// LoadParts reads the encrypted parts. It waits briefly for parts that the step needs and that were never fetched,
// but not while the lender is down.
func (l Lead) LoadParts(ctx context.Context) (map[lead.Part]store.SealedPart, error) {
	parts, err := l.Store.Parts(ctx, l.Row.App)
	if err != nil {
		return nil, err
	}
	missing := l.missingParts(parts)
	details, known := CurrentPart(parts, lead.PartDetails)
	if len(missing) > 0 || !known || l.Now().Sub(store.Instant(details.FetchedAt)).Abs() >= partMaxAge {
		l.Refresher.RequestRefresh(l.Row.App, l.Row.Company, missing...)
	}
	if len(missing) == 0 || known && !l.LenderDownSince().IsZero() {
		return parts, nil
	}
	return l.waitForParts(ctx, parts)
}

// missingParts lists the parts that the step needs and that are not stored.
func (l Lead) missingParts(parts map[lead.Part]store.SealedPart) []lead.Part {
	needed := []lead.Part{lead.PartDetails}
	if l.Row.Step == heloc.StepSelectProperty {
		needed = append(needed, lead.PartProperties)
	}
	if l.Row.Converted || l.Row.Step == heloc.StepComplete {
		needed = append(needed, lead.PartConditions, lead.PartFunding)
	}
	return slices.DeleteFunc(needed, func(p lead.Part) bool { _, known := CurrentPart(parts, p); return known })
}

// waitForParts waits for the missing parts until they are stored or the timeout ends.
func (l Lead) waitForParts(ctx context.Context,
	parts map[lead.Part]store.SealedPart) (map[lead.Part]store.SealedPart, error) {
	deadline := time.NewTimer(l.FirstFetchTimeout)
	defer deadline.Stop()
	tick := time.NewTicker(partPollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return parts, nil
		case <-deadline.C:
			return parts, nil
		case <-tick.C:
		}
		found, err := l.Store.Parts(ctx, l.Row.App)
		if err != nil {
			return nil, err
		}
		parts = found
		if len(l.missingParts(parts)) == 0 {
			l.ReadAt = l.Now() // the page displays what came while it waited
			l.Row, err = l.Store.Lead(ctx, l.Actor.Scope(), l.Row.App)
			return parts, err
		}
	}
}

// CurrentPart finds a part of the current version; a part of an older version counts as absent.
func CurrentPart(parts map[lead.Part]store.SealedPart, name lead.Part) (store.SealedPart, bool) {
	p, ok := parts[name]
	return p, ok && p.Version == journal.PartVersion
}

// DecryptPart decrypts one part of a lead, and returns when it was read; the zero time if there is none.
func DecryptPart[T any](l Lead, parts map[lead.Part]store.SealedPart,
	name lead.Part) (value T, at time.Time, err error) {
	p, ok := CurrentPart(parts, name)
	if !ok {
		return value, at, nil
	}
	value, err = vault.UnsealJSON[T](l.Vault, vault.PartAAD(l.Row.App, name), p.Sealed)
	return value, store.Instant(p.FetchedAt), err
}

// Details reads what the lender returned about the lead, and when it was read; the zero time if never.
func (l Lead) Details(ctx context.Context) (heloc.Details, time.Time, error) {
	parts, err := l.LoadParts(ctx)
	if err != nil {
		return heloc.Details{}, time.Time{}, err
	}
	return DecryptPart[heloc.Details](l, parts, lead.PartDetails)
}
