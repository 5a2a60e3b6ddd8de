package reencrypt

import (
	"context"

	"hearthline/internal/embed"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const linksPerBatch = 20

// updateLinks replaces the blind indexes that identify linked CRM sign-ins.
func (r *Runner) updateLinks(ctx context.Context, tx *store.Tx, at *store.Reencryption) (looked int, err error) {
	links, err := tx.StaleEmbedLinks(ctx, r.keys(), at.AfterRow, linksPerBatch)
	for _, link := range links {
		at.AfterRow = link.Subject
		renewed, err := embed.UpdateLinkIndex(ctx, tx, r.vault, link)
		if ignoreError(err, vault.ErrUndecryptable) != nil {
			return 0, err
		}
		if renewed {
			at.Leads++
		}
	}
	return len(links), err
}
