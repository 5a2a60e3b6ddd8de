package desk

import (
	"context"
	"errors"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
)

// AddSearchTerms adds to some leads of an earlier release the search terms that it did not make, and reports whether
// there are more such leads. A name that no key can decrypt is found by no search, so its lead lacks nothing.
func (r *Service) AddSearchTerms(ctx context.Context, leads int) (more bool, err error) {
	defer trace.StartMethod(&ctx)()
	names, err := r.store.LeadsWithOldTerms(ctx, leads)
	if err != nil || len(names) == 0 {
		return false, err
	}
	return true, r.store.Write(ctx, func(tx *store.Tx) error {
		for _, one := range names {
			var name heloc.Name
			if len(one.Borrower) > 0 {
				if name, err = vault.UnsealJSON[heloc.Name](r.vault, vault.NameAAD(one.App), one.Borrower); err != nil && !errors.Is(err, vault.ErrUndecryptable) {
					return err
				}
			}
			if err := tx.AddTokens(ctx, one.App, journal.StoredTokens(r.vault, one.Company, heloc.SearchTerms(name, "", "", ""))); err != nil {
				return err
			}
		}
		return nil
	})
}
