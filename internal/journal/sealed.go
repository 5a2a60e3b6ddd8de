package journal

import (
	"encoding/base64"

	"hearthline/internal/lead"
	"hearthline/internal/vault"
)

// The lender's messages may quote the borrower, and so may a user's reason for abandoning an operation. Both are
// stored encrypted, and decrypted only for users who may see the operation.

// encryptMessages returns the encrypted form of a text; empty for an empty text.
func (j *Journal) encryptMessages(aad vault.AAD, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	sealed, err := j.vault.Seal(aad, []byte(text))
	return base64.RawStdEncoding.EncodeToString(sealed), err
}

// decryptMessages decrypts a text. It returns nothing for a text that cannot be decrypted: the operation itself shows
// what happened.
func (j *Journal) decryptMessages(aad vault.AAD, encrypted string) string {
	raw, err := base64.RawStdEncoding.DecodeString(encrypted)
	if err != nil || len(raw) == 0 {
		return ""
	}
	text, err := j.vault.Unseal(aad, raw)
	if err != nil {
		return ""
	}
	return string(text)
}

// WithMessages returns an operation from the store with its messages decrypted, and with the lender's answer if only
// this process knows it yet.
func (j *Journal) WithMessages(op lead.Operation) lead.Operation {
	if u, unsaved := j.unsavedOf(op.ID); unsaved && op.AnsweredAt == 0 {
		op = u.applyTo(op, MessageText(u.Messages))
		op.Unsaved = true
		return op
	}
	op.Messages = j.decryptMessages(vault.OperationMessagesAAD(op.ID), op.Messages)
	op.Reason = j.decryptMessages(vault.AbandonReasonAAD(op.ID), op.Reason)
	return op
}
