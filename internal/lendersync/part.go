package lendersync

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// newPartWriter reads the stored parts of a lead and applies hold to what was read now.
func (w *Service) newPartWriter(ctx context.Context, tx *store.Tx, app heloc.AppID, r reading) (*partWriter, error) {
	parts, err := tx.Parts(ctx, app)
	if err != nil {
		return nil, err
	}
	k := &partWriter{w: w, tx: tx, app: app, reading: r, stored: parts, last: w.lastReading(app, parts)}
	k.hold()
	return k, nil
}

// save encrypts and stores what was read, and records whether any of it differs from what was stored. Conditions and
// funding are separate parts. Values that are kept from before keep their age.
func (k *partWriter) save(ctx context.Context) error {
	d := k.details
	conditions, funding := d.App.Conditions, d.App.Funding
	d.App.Conditions, d.App.Funding = nil, nil
	at := k.at
	if k.detailsHeld {
		at = store.Instant(k.stored[lead.PartDetails].FetchedAt)
	}
	err := savePartAt(ctx, k, lead.PartDetails, d, at)
	if err == nil && k.closing && !k.conditionsHeld {
		err = savePart(ctx, k, lead.PartConditions, conditions)
	}
	if err == nil && k.closing && !k.fundingHeld {
		err = savePart(ctx, k, lead.PartFunding, funding)
	}
	if err == nil && k.properties != nil {
		err = savePart(ctx, k, lead.PartProperties, *k.properties)
	}
	if err == nil && k.reading.documents != nil {
		err = savePart(ctx, k, lead.PartDocuments, k.documents(k.reading.documents))
	}
	if err == nil && !(k.missing.Empty() && k.last.Empty()) {
		// What a reading misses is no change of the lead: pages that fetched it at once would be the second reading.
		changed := k.changed
		err = savePart(ctx, k, lead.PartReading, k.missing)
		if k.last.FailedAt == 0 && k.last.Said == "" {
			k.changed = changed
		}
	}
	return err
}

// partWriter writes the parts of one reading.
type partWriter struct {
	w   *Service
	tx  *store.Tx
	app heloc.AppID
	reading
	stored    map[lead.Part]store.SealedPart
	last      journal.LastReading
	said      heloc.Details       // the details as the lender sent them; those of reading have what is kept
	missing   journal.LastReading // what this reading misses, and keeps
	missedNow bool                // this very reading missed something
	changed   bool

	detailsHeld, conditionsHeld, fundingHeld bool
}

// previous returns the stored part; nil when there was none or it cannot be read.
func (k *partWriter) previous(part lead.Part) []byte {
	old, ok := k.stored[part]
	if !ok || old.Version != journal.PartVersion {
		return nil
	}
	plain, err := k.w.Vault.Unseal(vault.PartAAD(k.app, part), old.Sealed)
	if err != nil {
		return nil
	}
	return plain
}

// storedPart decrypts the stored part. A part that was never read is the zero value. readable is false for a part
// that can no longer be read: then nothing counts as new.
func storedPart[T any](k *partWriter, part lead.Part) (value T, readable bool) {
	if _, ok := k.stored[part]; !ok {
		return value, true
	}
	plain := k.previous(part)
	return value, plain != nil && json.Unmarshal(plain, &value) == nil
}

func savePart[T any](ctx context.Context, k *partWriter, part lead.Part, value T) error {
	return savePartAt(ctx, k, part, value, k.at)
}

func savePartAt[T any](ctx context.Context, k *partWriter, part lead.Part, value T, at time.Time) error {
	aad := vault.PartAAD(k.app, part)
	sealed, err := vault.SealJSON(k.w.Vault, aad, value)
	if err != nil {
		return err
	}
	now, err := json.Marshal(value)
	k.changed = k.changed || err != nil || !bytes.Equal(now, k.previous(part))
	return k.tx.SavePart(ctx, store.SealedPart{
		App: k.app, Part: part, Version: journal.PartVersion, Sealed: sealed, FetchedAt: store.Millis(at),
	})
}

// documents keeps the time since when each document has been known.
func (k *partWriter) documents(shown []heloc.Document) []lead.KnownDocument {
	var old []lead.KnownDocument
	if plain := k.previous(lead.PartDocuments); plain != nil {
		if err := json.Unmarshal(plain, &old); err != nil {
			old = nil // then all of them count as new
		}
	}
	since := map[string]int64{}
	for _, d := range old {
		since[d.UUID] = d.Since
	}
	known := make([]lead.KnownDocument, 0, len(shown))
	for _, d := range shown {
		at, seen := since[d.UUID]
		if !seen {
			at = store.Millis(k.savedAt)
		}
		known = append(known, lead.KnownDocument{Document: d, Since: at})
	}
	return known
}
