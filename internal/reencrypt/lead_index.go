package reencrypt

import (
	"context"
	"slices"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// leadIndexes are the search tokens and blind indexes of one lead.
type leadIndexes struct {
	r       *Runner
	tx      *store.Tx
	lead    lead.Row
	tokens  []store.Token     // under older keys
	refs    []store.Reference // under older keys
	changed bool
}

func (m *leadIndexes) read(ctx context.Context) (err error) {
	if m.tokens, err = m.tx.TokensOf(ctx, m.lead.App); err != nil {
		return err
	}
	if m.refs, err = m.tx.ReferencesOf(ctx, m.lead.App); err != nil {
		return err
	}
	keys := m.r.keys()
	m.tokens = slices.DeleteFunc(m.tokens, func(t store.Token) bool { return slices.Contains(keys.Tokens, t.KeyID) })
	m.refs = slices.DeleteFunc(m.refs, func(r store.Reference) bool { return slices.Contains(keys.Digests, r.KeyID) })
	return nil
}

func (m *leadIndexes) stale() bool { return len(m.tokens)+len(m.refs) > 0 || m.duplicateKeyStale() }

func (m *leadIndexes) duplicateKeyStale() bool {
	return m.lead.DuplicateKey != "" && !slices.Contains(m.r.keys().Digests, m.lead.DuplicateKeyID)
}

// update replaces every index that can be made again from the plaintexts.
func (m *leadIndexes) update(ctx context.Context, w plaintexts) error {
	if err := m.updateTokens(ctx, w.terms); err != nil {
		return err
	}
	if err := m.updateReferences(ctx, w.ids); err != nil {
		return err
	}
	index, ok := m.r.duplicateKeyIndex(m.lead.DuplicateKey, w.duplicateKeys)
	if !ok || !m.duplicateKeyStale() {
		return nil
	}
	m.lead.DuplicateKey, m.lead.DuplicateKeyID, m.changed = index, m.r.vault.DigestKey(), true
	return m.tx.UpdateLeadDuplicateKey(ctx, m.lead.App, index, m.lead.DuplicateKeyID)
}

func (m *leadIndexes) updateTokens(ctx context.Context, terms []heloc.Term) error {
	fresh := map[int64]int64{} // from the token under an older key to the token of the same word under the current one
	for _, t := range terms {
		by := m.r.vault.Tokens(m.lead.Company, t.Field, t.Text)
		for _, old := range by[1:] {
			fresh[old] = by[0]
		}
	}
	var left, dropped, added []store.Token
	for _, old := range m.tokens {
		value, ok := fresh[old.Token]
		if !ok {
			left = append(left, old)
			continue
		}
		dropped, added = append(dropped, old), append(added, store.Token{Token: value, KeyID: m.r.vault.TokenKey()})
	}
	if len(added) > 0 {
		if err := m.tx.ReplaceTokens(ctx, m.lead.App, dropped, added); err != nil {
			return err
		}
	}
	m.tokens, m.changed = left, m.changed || len(added) > 0
	return nil
}

func (m *leadIndexes) updateReferences(ctx context.Context, ids []string) error {
	var left []store.Reference
	for _, old := range m.refs {
		index, ok := m.r.referenceIndex(old, m.lead.Company, ids)
		if !ok {
			left = append(left, old)
			continue
		}
		if err := m.tx.DropReference(ctx, old); err != nil {
			return err
		}
		m.changed = true
		if err := m.tx.AddReference(ctx, store.Reference{App: old.App, BlindIndex: index, Client: old.Client, Type: old.Type, KeyID: m.r.vault.DigestKey()}); err != nil {
			return err
		}
	}
	m.refs = left
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
