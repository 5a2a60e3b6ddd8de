package journal

import (
	"encoding/base64"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// What the lender says beside an answer may quote the borrower, and so may the reason for
// which a person gives an operation up: both are kept sealed, and opened only for who may
// see the operation.

func placeOfWords(id string) vault.Place {
	return vault.Place{Table: "operations", Row: id, Column: "messages"}
}

func placeOfReason(id string) vault.Place {
	return vault.Place{Table: "operations", Row: id, Column: "reason"}
}

// sealWords gives words as they are kept at a place; nothing for no words.
func (j *Journal) sealWords(place vault.Place, words string) (string, error) {
	if words == "" {
		return "", nil
	}
	sealed, err := j.vault.Seal(place, []byte(words))
	return base64.RawStdEncoding.EncodeToString(sealed), err
}

// openWords reads them again. Words that do not open are left out: the operation itself
// says what happened.
func (j *Journal) openWords(place vault.Place, kept string) string {
	raw, err := base64.RawStdEncoding.DecodeString(kept)
	if err != nil || len(raw) == 0 {
		return ""
	}
	words, err := j.vault.Unseal(place, raw)
	if err != nil {
		return ""
	}
	return string(words)
}

// answered is an operation with the lender's words as it is kept.
func (j *Journal) answered(op store.Operation) (_ store.Operation, err error) {
	op.Messages, err = j.sealWords(placeOfWords(op.ID), op.Messages)
	return op, err
}

// Opened is an operation as it was read from the store, with its words legible.
func (j *Journal) Opened(op store.Operation) store.Operation {
	op.Messages = j.openWords(placeOfWords(op.ID), op.Messages)
	op.Reason = j.openWords(placeOfReason(op.ID), op.Reason)
	return op
}
