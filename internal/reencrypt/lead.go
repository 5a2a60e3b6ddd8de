package reencrypt

import (
	"context"
	"errors"
	"fmt"

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
