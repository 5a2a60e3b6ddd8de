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
func (s *Service) newPartWriter(ctx context.Context, tx *store.Tx, app heloc.AppID, r reading) (*partWriter, error) {
	parts, err := tx.Parts(ctx, app)
	if err != nil {
		return nil, err
	}
	k := &partWriter{w: s, tx: tx, app: app, reading: r, stored: parts, last: s.lastReading(app, parts)}
	k.hold()
	return k, nil
}

// save encrypts and stores what was read, and records whether any of it differs from what was stored. Conditions and
// funding are separate parts, and the references are stored twice, because CRMs read them of many leads. Values that
// are kept from before keep their age.
func (p *partWriter) save(ctx context.Context) error {
	d := p.details
	conditions, funding := d.App.Conditions, d.App.Funding
	d.App.Conditions, d.App.Funding = nil, nil
	at := p.at
	if p.detailsHeld {
		at = store.Instant(p.stored[lead.PartDetails].FetchedAt)
	}
	err := p.savePart(ctx, lead.PartDetails, d, at)
	save := func(part lead.Part, read bool, value any) {
		if err == nil && read {
			err = p.savePart(ctx, part, value, p.at)
		}
	}
	known, readable := storedPart[heloc.Integrations](p, lead.PartReferences)
	save(lead.PartReferences, !readable || known != d.App.Integrations, d.App.Integrations)
	save(lead.PartConditions, p.closing && !p.conditionsHeld, conditions)
	save(lead.PartFunding, p.closing && !p.fundingHeld, funding)
	save(lead.PartProperties, p.properties != nil, p.properties)
	save(lead.PartDocuments, p.reading.documents != nil, p.documents(p.reading.documents))
	if err == nil && !(p.missing.Empty() && p.last.Empty()) {
		// What a reading misses is no change of the lead: pages that fetched it at once would be the second reading.
		changed := p.changed
		err = p.savePart(ctx, lead.PartReading, p.missing, p.at)
		p.changed = changed
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
func (p *partWriter) previous(part lead.Part) []byte {
	old, ok := p.stored[part]
	if !ok || old.Version != journal.PartVersion {
		return nil
	}
	plain, err := p.w.Vault.Unseal(vault.PartAAD(p.app, part), old.Sealed)
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

func (p *partWriter) savePart(ctx context.Context, part lead.Part, value any, at time.Time) error {
	now, err := json.Marshal(value)
	if err != nil {
		return err
	}
	p.changed = p.changed || !bytes.Equal(now, p.previous(part))
	return p.w.savePart(ctx, p.tx, store.SealedPart{App: p.app, Part: part, Sealed: now, FetchedAt: store.Millis(at)})
}

// savePart seals and stores a part, given its JSON.
func (s *Service) savePart(ctx context.Context, tx *store.Tx, p store.SealedPart) (err error) {
	p.Version = journal.PartVersion
	if p.Sealed, err = s.Vault.Seal(vault.PartAAD(p.App, p.Part), p.Sealed); err != nil {
		return err
	}
	return tx.SavePart(ctx, p)
}

// documents keeps the time since when each document has been known.
func (p *partWriter) documents(shown []heloc.Document) []lead.KnownDocument {
	old, readable := storedPart[[]lead.KnownDocument](p, lead.PartDocuments)
	if !readable {
		old = nil // then all of them count as new
	}
	since := map[string]int64{}
	for _, d := range old {
		since[d.UUID] = d.Since
	}
	known := make([]lead.KnownDocument, 0, len(shown))
	for _, d := range shown {
		at, seen := since[d.UUID]
		if !seen {
			at = store.Millis(p.savedAt)
		}
		known = append(known, lead.KnownDocument{Document: d, Since: at})
	}
	return known
}
