package renewal

import (
	"context"

	"hearthline/internal/embed"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const linksAtOnce = 20

// links renews the marks by which log-ins of CRMs are known.
func (r *Renewal) links(ctx context.Context, tx *store.Tx, at *store.Renewal) (looked int, err error) {
	links, err := tx.StaleEmbedLinks(ctx, r.keys(), at.AfterRow, linksAtOnce)
	for _, link := range links {
		at.AfterRow = link.Subject
		renewed, err := embed.RenewLink(ctx, tx, r.vault, link, "")
		if but(err, vault.ErrUnopened) != nil {
			return 0, err
		}
		if renewed {
			at.Leads++
		}
	}
	return len(links), err
}
