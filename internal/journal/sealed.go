package journal

import (
	"encoding/base64"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
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

// ChosenOffer is the part of a choice that names the selected offer.
type ChosenOffer struct {
	Offer string `json:"offer,omitempty"`
}

// PartVersion is the version of the canonical JSON of parts. A part of another version counts as absent and is
// fetched again.
const PartVersion = 1

// LastReading is what we remember about the latest reading of a lead besides its data. It is encrypted as a part,
// because the lender's messages may quote the borrower.
type LastReading struct {
	// Missing names the known values that came as null. If they are null in a later reading too, they are removed;
	// until then, the known values stay.
	Missing []string `json:"missing,omitempty"`
	// Since is when each of them was first missed, in milliseconds. Two readings within seconds count as one.
	Since map[string]int64 `json:"since,omitempty"`
	// FailedAt is when the lender last responded without the lead, in milliseconds; zero after a successful reading.
	FailedAt int64 `json:"failedAt,omitempty"`
	// Said is the start of the lender's message in that response; it may be empty.
	Said string `json:"said,omitempty"`
	// Claim is what the latest reading would remove from the lead, until a second reading confirms it.
	Claim lead.Claim `json:"claim,omitzero"`
}

// Noticed reports whether the page of the lead has a notice about the reading.
func (l LastReading) Noticed() bool { return l.FailedAt != 0 || l.Said != "" || l.Claim.Made() }

// Empty reports whether there is nothing to remember.
func (l LastReading) Empty() bool { return len(l.Missing) == 0 && !l.Noticed() }

// Blind indexes find rows without decrypting them: they are keyed, valid within a company, and only compared. The
// stored ones are made with the current key and record its id. A search uses every key, because a lead may not have
// been reencrypted yet.

// StoredTokens returns the search tokens of terms for storage.
func StoredTokens(v *vault.Vault, company string, terms []heloc.Term) store.Tokens {
	tokens := store.Tokens{KeyID: v.TokenKey(), Values: make([]int64, len(terms))}
	for i, t := range terms {
		tokens.Values[i] = v.Token(company, t.Field, t.Text)
	}
	return tokens
}

// References returns the blind indexes of record ids of other systems for storage. It skips empty ids.
func References(v *vault.Vault, company string, ids ...string) store.References {
	refs := store.References{KeyID: v.DigestKey()}
	for _, id := range ids {
		if strings.TrimSpace(id) != "" {
			refs.BlindIndexes = append(refs.BlindIndexes, v.ReferenceIndexes(company, id)[0])
		}
	}
	return refs
}
