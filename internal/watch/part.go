package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// saveParts seals what was read, and reports whether any of it differs from what was
// known. Conditions and funding are parts of their own.
func (w *Watch) saveParts(ctx context.Context, tx *store.Tx, app heloc.AppID, r reading) (changed bool, err error) {
	parts, err := tx.Parts(ctx, app)
	if err != nil {
		return false, err
	}
	keeper := &keeper{w: w, tx: tx, app: app, at: r.at, known: parts}
	d := r.details
	conditions, funding := d.App.Conditions, d.App.Funding
	d.App.Conditions, d.App.Funding = nil, nil
	err = savePart(ctx, keeper, store.PartDetails, d)
	if err == nil && r.closing {
		if err = savePart(ctx, keeper, store.PartConditions, conditions); err == nil {
			err = savePart(ctx, keeper, store.PartFunding, funding)
		}
	}
	if err == nil && r.properties != nil {
		err = savePart(ctx, keeper, store.PartProperties, *r.properties)
	}
	if err == nil && r.documents != nil {
		err = savePart(ctx, keeper, store.PartDocuments, keeper.documents(r.documents))
	}
	return keeper.changed, err
}

// keeper writes the parts of one reading.
type keeper struct {
	w       *Watch
	tx      *store.Tx
	app     heloc.AppID
	at      time.Time
	known   map[store.Part]store.SealedPart
	changed bool
}

// before is a part as it was; nil when there was none that can be read.
func (k *keeper) before(part store.Part) []byte {
	old, ok := k.known[part]
	if !ok || old.Version != journal.PartVersion {
		return nil
	}
	plain, err := k.w.Vault.Unseal(journal.PlaceOfPart(k.app, part), old.Sealed)
	if err != nil {
		return nil
	}
	return plain
}

func savePart[T any](ctx context.Context, k *keeper, part store.Part, value T) error {
	place := journal.PlaceOfPart(k.app, part)
	sealed, err := vault.SealJSON(k.w.Vault, place, value)
	if err != nil {
		return err
	}
	now, err := json.Marshal(value)
	k.changed = k.changed || err != nil || !bytes.Equal(now, k.before(part))
	return k.tx.SavePart(ctx, store.SealedPart{
		App: k.app, Part: part, Version: journal.PartVersion, Sealed: sealed, FetchedAt: store.Millis(k.at),
	})
}

// documents carries over since when each document has been there.
func (k *keeper) documents(shown []heloc.Document) []journal.KnownDocument {
	var old []journal.KnownDocument
	if plain := k.before(store.PartDocuments); plain != nil {
		if err := json.Unmarshal(plain, &old); err != nil {
			old = nil // then all of them are new
		}
	}
	since := map[string]int64{}
	for _, d := range old {
		since[d.UUID] = d.Since
	}
	known := make([]journal.KnownDocument, 0, len(shown))
	for _, d := range shown {
		at, seen := since[d.UUID]
		if !seen {
			at = store.Millis(k.at)
		}
		known = append(known, journal.KnownDocument{Document: d, Since: at})
	}
	return known
}
