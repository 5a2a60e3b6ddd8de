package reencrypt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// leadsPerBatch blocks the writer for some ten milliseconds at a million leads.
const leadsPerBatch = 5

func (r *Runner) updateLeads(ctx context.Context, tx *store.Tx, at *store.Reencryption) (looked int, err error) {
	apps, err := tx.LeadsAfter(ctx, heloc.AppID(at.AfterRow), leadsPerBatch)
	for _, app := range apps {
		if err := r.updateLead(ctx, tx, at, app); err != nil {
			return 0, fmt.Errorf("lead %s: %w", app, err)
		}
		at.AfterRow = string(app)
	}
	return len(apps), err
}

// updateLead replaces the blind indexes and search tokens of one lead.
func (r *Runner) updateLead(ctx context.Context, tx *store.Tx, at *store.Reencryption, app heloc.AppID) error {
	l, err := tx.AnyLead(ctx, app)
	if err != nil {
		return err
	}
	m := leadIndexes{r: r, tx: tx, lead: l}
	if err := m.read(ctx); err != nil || !m.stale() {
		return err
	}
	known, err := r.decryptKnown(ctx, tx, l)
	if err != nil {
		return err
	}
	if err := m.update(ctx, known); err != nil {
		return err
	}
	if m.changed {
		at.Leads++
	}
	// an ended lead is nobody's duplicate
	if len(m.tokens)+len(m.refs) > 0 || m.duplicateKeyStale() && l.Lane != heloc.LaneEnded {
		at.Remaining++
	}
	return nil
}

// plaintexts are the decrypted values from which a lead's indexes can be made.
type plaintexts struct {
	terms         []heloc.Term
	ids           []string            // record ids of other systems
	duplicateKeys []lead.DuplicateKey // candidates for the duplicate index
}

// decryptKnown decrypts the name, the snapshot of the start while its draft exists, and the lender's details. It does
// no harm if they contain more than the lead's indexes use, because an index is only replaced, never added. A value
// that cannot be decrypted is ignored.
func (r *Runner) decryptKnown(ctx context.Context, tx *store.Tx, l lead.Row) (plaintexts, error) {
	var w plaintexts
	name, err := r.vault.UnsealName(l.App, l.Borrower)
	if ignoreError(err, vault.ErrUndecryptable) != nil {
		return w, err
	}
	w.terms = heloc.SearchTerms(name, "", "", "")
	draft, err := tx.DraftOfLead(ctx, l.App)
	if err == nil {
		err = w.addDraft(r.vault, draft)
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return w, err
	}
	parts, err := tx.Parts(ctx, l.App)
	if err != nil {
		return w, err
	}
	if p, ok := parts[lead.PartDetails]; ok && p.Version == journal.PartVersion {
		details, err := vault.UnsealJSON[heloc.Details](r.vault, vault.PartAAD(l.App, lead.PartDetails), p.Sealed)
		if ignoreError(err, vault.ErrUndecryptable) != nil {
			return w, err
		}
		w.terms = append(w.terms, heloc.SearchTerms(heloc.Name{}, "", "", details.App.PropertyAddress.Street1)...)
		w.ids = append(w.ids, details.App.Integrations.ApplicationID, details.App.Integrations.ReferenceID,
			details.App.Integrations.CustomerID)
	}
	return w, nil
}

// addDraft adds the snapshots of a draft.
func (p *plaintexts) addDraft(v *vault.Vault, draft store.Draft) error {
	snapshots, err := journal.DecryptStartSnapshots(v, draft)
	for _, b := range snapshots {
		p.terms = append(p.terms, heloc.SearchTerms(b.Name, b.Phone, b.Email, b.Address.Street1)...)
		p.ids = append(p.ids, b.References...)
		p.duplicateKeys = append(p.duplicateKeys, b.DuplicateKey)
	}
	return ignoreError(err, vault.ErrUndecryptable)
}

// ignoreError returns nil for the expected error, and any other error unchanged.
func ignoreError(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// leadIndexes are the search tokens and blind indexes of one lead.
type leadIndexes struct {
	r       *Runner
	tx      *store.Tx
	lead    lead.Row
	start   lead.Operation    // zero for a lead that was adopted
	tokens  []store.Token     // under older keys
	refs    []store.Reference // under older keys
	changed bool
}

func (l *leadIndexes) read(ctx context.Context) (err error) {
	if l.tokens, err = l.tx.TokensOf(ctx, l.lead.App); err != nil {
		return err
	}
	if l.refs, err = l.tx.ReferencesOf(ctx, l.lead.App); err != nil {
		return err
	}
	if l.start, err = l.tx.StartOf(ctx, l.lead.App); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	keys := l.r.keys()
	l.tokens = slices.DeleteFunc(l.tokens, func(t store.Token) bool { return slices.Contains(keys.Tokens, t.KeyID) })
	l.refs = slices.DeleteFunc(l.refs, func(r store.Reference) bool { return slices.Contains(keys.Digests, r.KeyID) })
	return nil
}

func (l *leadIndexes) stale() bool { return len(l.tokens)+len(l.refs) > 0 || l.duplicateKeyStale() }

func (l *leadIndexes) duplicateKeyStale() bool {
	return l.start.DuplicateKey != "" && !slices.Contains(l.r.keys().Digests, l.start.DuplicateKeyID)
}

// update replaces every index that can be made again from the plaintexts.
func (l *leadIndexes) update(ctx context.Context, w plaintexts) error {
	if err := l.updateTokens(ctx, w.terms); err != nil {
		return err
	}
	if err := l.updateReferences(ctx, w.ids); err != nil {
		return err
	}
	index, ok := l.r.duplicateKeyIndex(l.start.DuplicateKey, w.duplicateKeys)
	if !ok || !l.duplicateKeyStale() {
		return nil
	}
	l.start.DuplicateKeyID, l.changed = l.r.vault.DigestKey(), true
	return l.tx.UpdateStartDuplicateKey(ctx, l.start.ID, index, l.start.DuplicateKeyID)
}

func (l *leadIndexes) updateTokens(ctx context.Context, terms []heloc.Term) error {
	// from a token under an older key to the tokens of its words under the current one: two words can share the first
	fresh := map[int64][]int64{}
	for _, t := range terms {
		by := l.r.vault.Tokens(l.lead.Company, t.Field, t.Text)
		for _, old := range by[1:] {
			fresh[old] = append(fresh[old], by[0])
		}
	}
	var left, dropped, added []store.Token
	for _, old := range l.tokens {
		values, ok := fresh[old.Token]
		if !ok {
			left = append(left, old)
			continue
		}
		dropped = append(dropped, old)
		for _, value := range values {
			added = append(added, store.Token{Token: value, KeyID: l.r.vault.TokenKey()})
		}
	}
	if len(added) > 0 {
		if err := l.tx.ReplaceTokens(ctx, l.lead.App, dropped, added); err != nil {
			return err
		}
	}
	l.tokens, l.changed = left, l.changed || len(added) > 0
	return nil
}

func (l *leadIndexes) updateReferences(ctx context.Context, ids []string) error {
	var left []store.Reference
	for _, old := range l.refs {
		index, ok := l.r.referenceIndex(old, l.lead.Company, ids)
		if !ok {
			left = append(left, old)
			continue
		}
		if err := l.tx.DropReference(ctx, old); err != nil {
			return err
		}
		l.changed = true
		if err := l.tx.AddReference(ctx, store.Reference{App: old.App, BlindIndex: index, Client: old.Client, Type: old.Type,
			KeyID: l.r.vault.DigestKey()}); err != nil {
			return err
		}
	}
	l.refs = left
	return nil
}

// referenceIndex returns the blind index, under the current key, of the id that an old index was made from: that of a
// CRM record, or of an id that the lead only has as a reference.
func (r *Runner) referenceIndex(old store.Reference, company string, ids []string) (index string, ok bool) {
	for _, id := range ids {
		by := r.vault.ReferenceIndexes(company, id)
		if old.Client != "" {
			by = r.vault.RecordIndexes(company, vault.CRMRecord{Client: old.Client, Type: old.Type, ID: id})
		}
		if slices.Contains(by[1:], old.BlindIndex) {
			return by[0], true
		}
	}
	return "", false
}

// duplicateKeyIndex returns the blind index, under the current key, of the duplicate key that an old index was made
// from.
func (r *Runner) duplicateKeyIndex(old string, of []lead.DuplicateKey) (index string, ok bool) {
	for _, t := range of {
		if by := r.vault.DuplicateIndexes(t); len(by) > 0 && slices.Contains(by[1:], old) {
			return by[0], true
		}
	}
	return "", false
}
