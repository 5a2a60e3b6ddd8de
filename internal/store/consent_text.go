package store

import (
	"context"
	"fmt"

	"hearthline/internal/lead"
)

// SaveConsentText stores a text under its version. A different text under the same version is an error,
// because it would no longer be clear what a borrower agreed to.
func (s *Store) SaveConsentText(ctx context.Context, version, text string) error {
	return s.Write(ctx, func(tx *Tx) error {
		stored, err := list[string](ctx, tx.queries, `SELECT text FROM consent_texts WHERE version = ?`, version)
		if err != nil {
			return err
		}
		switch {
		case len(stored) == 0:
			return tx.exec(ctx, `INSERT INTO consent_texts (version, text, since_at) VALUES (?, ?, ?)`,
				version, text, Millis(tx.now()))
		case stored[0] != text:
			return fmt.Errorf("the consent text differs from the one that was used under the version %q: "+
				"give the new text a new version", version)
		}
		return nil
	})
}

// ConsentTexts lists every text with its number of consents, newest first. A version with consents whose text
// was never stored is listed with an empty text.
func (q queries) ConsentTexts(ctx context.Context) ([]lead.ConsentText, error) {
	return list[lead.ConsentText](ctx, q, `SELECT v.version, coalesce(t.text, '') AS text,
		coalesce(t.since_at, 0) AS since_at,
		(SELECT count(*) FROM consents c WHERE c.text_version = v.version) AS consents
		FROM (SELECT version FROM consent_texts UNION SELECT DISTINCT text_version FROM consents) v
		LEFT JOIN consent_texts t ON t.version = v.version ORDER BY since_at DESC, v.version DESC`)
}
