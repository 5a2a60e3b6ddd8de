package journal

import (
	"encoding/base64"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// What the lender says beside an answer may quote the borrower, so it is kept sealed and
// opened only for who may see the operation.

func placeOfWords(id string) vault.Place {
	return vault.Place{Table: "operations", Row: id, Column: "messages"}
}

// sealed is the operation as it is kept.
func (j *Journal) sealed(op store.Operation) (store.Operation, error) {
	if op.Messages == "" {
		return op, nil
	}
	sealed, err := j.vault.Seal(placeOfWords(op.ID), []byte(op.Messages))
	op.Messages = base64.RawStdEncoding.EncodeToString(sealed)
	return op, err
}

// Opened is an operation as it was read from the store, with the lender's words legible.
// Words that do not open are left out: the operation itself says what happened.
func (j *Journal) Opened(op store.Operation) store.Operation {
	raw, err := base64.RawStdEncoding.DecodeString(op.Messages)
	op.Messages = ""
	if err == nil && len(raw) > 0 {
		if words, err := j.vault.Unseal(placeOfWords(op.ID), raw); err == nil {
			op.Messages = string(words)
		}
	}
	return op
}
