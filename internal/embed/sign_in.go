package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// SignIn is a CRM's sign-in that is to count as a second factor.
type SignIn struct {
	Client   string // the CRM's key
	Name     string // the CRM's name
	Approver string // who approved it in writing
	Digest   string // of what identifies the CRM and its users
}

// clientReader is the database or a transaction.
type clientReader interface {
	EmbedClient(ctx context.Context, key string) (store.EmbedClient, error)
}

// SignIn returns the sign-in of a CRM as it is now. fault.Invalid if the approver's name is not a readable line of
// text.
func (s *Service) SignIn(ctx context.Context, from clientReader, key, approver string) (SignIn, error) {
	row, err := from.EmbedClient(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return SignIn{}, errNoCRM()
	}
	if err != nil {
		return SignIn{}, err
	}
	digest, err := s.signInDigest(row)
	if err != nil {
		return SignIn{}, err
	}
	signIn := SignIn{Client: key, Name: row.Name, Approver: oneLine(approver), Digest: digest}
	return signIn, checkApprover(approver)
}

// SignInOutdated returns why a sign-in can no longer be approved, as a sentence; "" if it can.
func (s *Service) SignInOutdated(ctx context.Context, from clientReader, was SignIn) (string, error) {
	row, err := from.EmbedClient(ctx, was.Client)
	if err != nil {
		return "", err
	}
	if row.AttestedAt != 0 {
		return "The CRM’s sign-in is already approved.", nil
	}
	if digest, err := s.signInDigest(row); err != nil || digest != was.Digest {
		return "The CRM’s keys, secrets, issuer, organization or company have changed since this was requested.", err
	}
	return "", nil
}

// signInDigest is a digest of the keys and of everything else that a reset of the trust in a CRM depends on.
func (s *Service) signInDigest(row store.EmbedClient) (string, error) {
	keys, err := vault.UnsealJSON[signingKeys](s.vault, vault.SigningKeysAAD(row.Key), row.Sealed)
	if err != nil {
		return "", err
	}
	keys.Events, keys.RecordURL = eventsSetup{}, ""
	if keys.KeySource.URL != "" { // the trust is in the URL, whatever keys it has at the moment
		keys.Keys, keys.KeySource = nil, KeySource{URL: keys.KeySource.URL}
	}
	text, err := json.Marshal([]any{row.Kind, row.BrokerID, keys})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// Attest records for the operator who approved, in writing, that the CRM's sign-in is a second factor. fault.Invalid
// if the name is not a readable line of text, fault.Denied for anybody but the operator: everyone else needs a second
// person, and package approval calls AttestIn.
func (s *Service) Attest(ctx context.Context, by access.By, key, approver string) error {
	if !by.IsOperator() {
		return fault.New(fault.Denied, "Another administrator must approve this. Request it.")
	}
	if err := checkApprover(approver); err != nil {
		return err
	}
	return s.changeClient(ctx, by, key, store.ActionEmbedAttest, s.attested(approver))
}

// AttestIn records an approval that two people decided, in the transaction of the decision.
func (s *Service) AttestIn(ctx context.Context, tx *store.Tx, by access.Actor, approved SignIn) error {
	return s.changeClientIn(ctx, tx, access.By{Actor: by}, approved.Client, store.ActionEmbedAttest,
		s.attested(approved.Approver))
}

func (s *Service) attested(approver string) func(c clientChange) error {
	return func(c clientChange) error {
		c.AttestedBy, c.AttestedAt = oneLine(approver), store.Millis(s.Now())
		return nil
	}
}

const maxApprover = 120 // characters

func checkApprover(name string) error {
	if problem := lineProblem(name, maxApprover,
		"Enter the name of the person who approved it in writing"); problem != "" {
		return fault.InvalidFields(fault.Field{Name: "approver", Message: problem})
	}
	return nil
}
