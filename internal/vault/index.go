package vault

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/tink-crypto/tink-go/v2/prf"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// IndexKind is what a digest identifies. It is part of the digest, so that the digests of two kinds never match.
type IndexKind string

// The kinds. Stored digests contain them, so they must never change.
const (
	IndexOperation  IndexKind = "operation" // what an operation sends
	IndexDuplicate  IndexKind = "duplicate" // inquiries for the same borrower and property
	IndexReference  IndexKind = "reference" // an id of a lead in some other system
	IndexCRMRecord  IndexKind = "record"    // a record of one CRM
	IndexNoRecord   IndexKind = "embed no record"
	IndexCRMUser    IndexKind = "embed subject" // a user of one CRM
	IndexNotice     IndexKind = "notice"        // the fact that a notice is about
	IndexWebhook    IndexKind = "webhook"       // the body of a webhook
	IndexInvitation IndexKind = "invitation"    // the email address that a link was sent to
	IndexAddress    IndexKind = "address"       // the email address of a rejected sign-in, in the audit
	IndexRateLimit  IndexKind = "bucket"        // a limit of attempts
	IndexSearch     IndexKind = "search"        // the first letters of a search, in the audit

	IndexSignIn             IndexKind = "log-in"         // failed sign-ins by account
	IndexSignInAddress      IndexKind = "log-in from"    // by account and address
	IndexSignInNetwork      IndexKind = "log-in network" // by account and network
	IndexSignInDevice       IndexKind = "log-in device"  // by account and known device
	IndexSignInTurn         IndexKind = "log-in turn"    // when an account that is under attack was last tried
	IndexLinkRequest        IndexKind = "ask from"       // requests for links by network
	IndexLinkTo             IndexKind = "link to"        // links by email address
	IndexPresentPassword    IndexKind = "present password"
	IndexStepUp             IndexKind = "step-up"
	IndexSecondFactor       IndexKind = "second factor"
	IndexSecondFactorDevice IndexKind = "second factor device"
)

// The first part of every MAC, which names its purpose. The audit's own MACs start with the words of internal/store.
const (
	MACOperationID = "ticket"       // signs the operation id of a form
	MACDevice      = "device"       // signs the cookie of a device
	MACFrameCookie = "embed cookie" // binds the token in a frame's cookie to its user
	MACSecret      = "embed secret" // the blind index of a CRM's secret
)

// SearchTokens returns the search tokens of terms for a search: for each term, one per key.
func (v *Vault) SearchTokens(company string, terms []heloc.Term) [][]int64 {
	tokens := make([][]int64, len(terms))
	for i, t := range terms {
		tokens[i] = v.Tokens(company, t.Field, t.Text)
	}
	return tokens
}

// DuplicateIndexes returns the blind indexes of a duplicate key under every encryption key, the current one first; nil
// for an empty one.
func (v *Vault) DuplicateIndexes(key lead.DuplicateKey) []string {
	if len(key) == 0 {
		return nil
	}
	return v.Digests(IndexDuplicate, key...)
}

// DuplicateIndex returns the blind index to store, under the current key; empty for an empty key.
func (v *Vault) DuplicateIndex(key lead.DuplicateKey) string {
	if indexes := v.DuplicateIndexes(key); len(indexes) > 0 {
		return indexes[0]
	}
	return ""
}

// CRMRecord is a CRM's record, from which blind indexes are made.
type CRMRecord struct {
	Client string
	Type   string // in lower case; "" if the client gives none
	ID     string
}

// RecordIndexes returns the blind indexes of a record under every key, the current one first. They find the record's
// leads. A record with the same id but another client or type has other indexes.
func (v *Vault) RecordIndexes(company string, r CRMRecord) []string {
	parts := []string{company, r.Client}
	if r.Type != "" {
		parts = append(parts, r.Type)
	}
	return v.Digests(IndexCRMRecord, append(parts, strings.TrimSpace(r.ID))...)
}

// ReferenceIndexes returns the blind indexes of one id under every key, the current one first. They find the leads of
// a company that have this id of another system as a reference, whichever system that is.
func (v *Vault) ReferenceIndexes(company, id string) []string {
	return v.Digests(IndexReference, company, strings.TrimSpace(id))
}

// CRMUserIndexes returns the blind indexes of a CRM's user under every key, the current one first.
func (v *Vault) CRMUserIndexes(client, subject string) []string {
	return v.Digests(IndexCRMUser, client, subject)
}

// InvitationIndexes returns the blind indexes by which the links to a folded email are found, under every key, the
// current one first.
func (v *Vault) InvitationIndexes(email string) []string { return v.Digests(IndexInvitation, email) }

// WebhookDigests returns the digests of a webhook's body under every key, the current one first.
func (v *Vault) WebhookDigests(body []byte) []string { return v.Digests(IndexWebhook, string(body)) }

// NoticeDedupKeys returns the keys that identify the fact of a notice, under every encryption key, the current one
// first.
func (v *Vault) NoticeDedupKeys(parts ...string) []string {
	keys := v.Digests(IndexNotice, parts...)
	for i := range keys {
		keys[i] = keys[i][:32]
	}
	return keys
}

// digestBytes is the length of a digest before hex encoding.
const digestBytes = 32

// tokenBytes is the length of a search token, except that of a word of a name, which is one byte: many words share
// each value, so frequencies do not reveal the names (DECISIONS.md), and the portal decrypts the names of the
// leads that it finds and compares them.
const tokenBytes = 4

// Token returns the search token of a normalized word in one field of one broker company: an unsigned number of at most
// 32 bits, so that it fits a BIGINT column and compares the same in both databases. The same word has a
// different token in another company, so the table reveals nothing across companies.
//
// Use Token for values to store. It uses the current key; store that key's name (TokenKey) with the token.
// Use Tokens for lookups.
func (v *Vault) Token(company, field, normalized string) int64 {
	return tokenBy(v.tokens.keys[0], company, field, normalized)
}

// Tokens returns the tokens of a word under every key in the keyset: the current one first, then older keys,
// which rows may still use until they are re-encrypted.
func (v *Vault) Tokens(company, field, normalized string) []int64 {
	all := make([]int64, len(v.tokens.keys))
	for i, key := range v.tokens.keys {
		all[i] = tokenBy(key, company, field, normalized)
	}
	return all
}

// TokenKey returns the name of the key that Token uses, to be stored with the token. It reveals nothing about
// the key.
func (v *Vault) TokenKey() int64 { return v.tokens.currentID }

// Digest returns a keyed digest of a kind and parts, 64 hex digits. It makes it possible to compare contents without
// storing them, and nobody without the keys can test guesses against it. Each part is length-prefixed: ("ab",
// "c") and ("a", "bc") differ.
//
// Use Digest for values to store, with the current key (DigestKey), and Digests for lookups.
func (v *Vault) Digest(kind IndexKind, parts ...string) string {
	return digestBy(v.digests.keys[0], kind, parts)
}

// Digests returns the digests of a kind and parts under every key in the keyset, the current one first.
func (v *Vault) Digests(kind IndexKind, parts ...string) []string {
	all := make([]string, len(v.digests.keys))
	for i, key := range v.digests.keys {
		all[i] = digestBy(key, kind, parts)
	}
	return all
}

// DigestKey returns the name of the key that Digest uses, like TokenKey.
func (v *Vault) DigestKey() int64 { return v.digests.currentID }

// HasOlderKeys reports whether the keyset has older keys for values, tokens or digests, so that rows may
// still use them.
func (v *Vault) HasOlderKeys() bool { return v.hasOlderKeys }

func tokenBy(key prf.PRF, company, field, normalized string) int64 {
	out := mustCompute(key, frameParts("token/v1", company, field, normalized), tokenBytes)
	if field == heloc.TermName {
		return int64(out[0])
	}
	return int64(binary.BigEndian.Uint32(out))
}

func digestBy(key prf.PRF, kind IndexKind, parts []string) string {
	framed := frameParts("digest/v1", append([]string{string(kind)}, parts...)...)
	return hex.EncodeToString(mustCompute(key, framed, digestBytes))
}

// mustCompute runs a keyed function that was tested when the vault was opened and cannot fail for inputs of
// these lengths.
func mustCompute(f prf.PRF, input []byte, length uint32) []byte {
	out, err := f.ComputePRF(input, length)
	if err != nil {
		panic(fmt.Sprintf("vault: prf: %v", err))
	}
	return out
}
