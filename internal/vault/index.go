package vault

import (
	"strings"

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
