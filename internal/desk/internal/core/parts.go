package core

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

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
