package journal

import (
	"encoding/base64"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// What the lender says beside an answer may quote the borrower, and so may the reason for
// which a person gives an operation up: both are kept sealed, and opened only for who may
// see the operation.

func messagesAAD(id string) vault.AAD {
	return vault.AAD{Table: "operations", Row: id, Column: "messages"}
}

func abandonReasonAAD(id string) vault.AAD {
	return vault.AAD{Table: "operations", Row: id, Column: "reason"}
}

// encryptMessages gives words as they are kept at a place; nothing for no words.
func (j *Journal) encryptMessages(place vault.AAD, words string) (string, error) {
	if words == "" {
		return "", nil
	}
	sealed, err := j.vault.Seal(place, []byte(words))
	return base64.RawStdEncoding.EncodeToString(sealed), err
}

// decryptMessages reads them again. Words that do not open are left out: the operation itself
// says what happened.
func (j *Journal) decryptMessages(place vault.AAD, kept string) string {
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

// withMessages is an operation with the lender's words as it is kept.
func (j *Journal) withMessages(op store.Operation) (_ store.Operation, err error) {
	op.Messages, err = j.encryptMessages(messagesAAD(op.ID), op.Messages)
	return op, err
}

// WithMessages is an operation as it was read from the store, with its words legible.
func (j *Journal) WithMessages(op store.Operation) store.Operation {
	op.Messages = j.decryptMessages(messagesAAD(op.ID), op.Messages)
	op.Reason = j.decryptMessages(abandonReasonAAD(op.ID), op.Reason)
	return op
}
