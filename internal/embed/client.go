package embed

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Client is a CRM with the portal's decisions about it.
type Client struct {
	launch.Client
	AttestedBy string    // who approved the CRM's sign-in as a second factor; "" if nobody did
	AttestedAt time.Time // when it was approved
	KeySource  KeySource
	RecordLink string // the URL of its records, with placeholders; "" if there is none. Use RecordURL
	Disabled   bool
	Created    time.Time
}

// Attested reports whether the CRM's sign-in counts as a second factor.
func (c Client) Attested() bool { return !c.AttestedAt.IsZero() }

// signingKeys is the encrypted part of a client: what verifies its launches, and where its events are sent.
type signingKeys struct {
	Issuer         string          `json:"issuer,omitempty"`
	Keys           json.RawMessage `json:"keys,omitempty"`
	KeySource      KeySource       `json:"keySource,omitzero"`
	Secret         []byte          `json:"secret,omitempty"`
	SecretNext     []byte          `json:"secretNext,omitempty"`
	Organization   string          `json:"organization,omitempty"`
	RecordURL      string          `json:"recordUrl,omitempty"`
	RetiredSecrets []string        `json:"ended,omitempty"` // blind indexes of secrets that are no longer valid
	Events         eventsSetup     `json:"events,omitzero"`
}

func (s *Service) decryptClient(row store.EmbedClient) (Client, error) {
	keys, err := vault.UnsealJSON[signingKeys](s.vault, vault.SigningKeysAAD(row.Key), row.Sealed)
	if err != nil {
		return Client{}, err
	}
	c := Client{
		Client: launch.Client{
			Key: row.Key, Name: row.Name, BrokerID: row.BrokerID, Origins: strings.Fields(row.Origins),
			Kind: launch.Kind(row.Kind), Issuer: keys.Issuer, Secret: pii.Wrap(keys.Secret),
			SecretNext: pii.Wrap(keys.SecretNext), Organization: keys.Organization,
		},
		AttestedBy: row.AttestedBy, AttestedAt: store.Instant(row.AttestedAt), Disabled: row.DisabledAt != 0,
		KeySource: keys.KeySource, RecordLink: keys.RecordURL, Created: store.Instant(row.CreatedAt),
	}
	if len(keys.Keys) > 0 {
		err = json.Unmarshal(keys.Keys, &c.Keys) // validated when they were entered, and again by each launch
	}
	return c, err
}

// AnyClient finds a client, including a disabled one; fault.NotFound otherwise.
func (s *Service) AnyClient(ctx context.Context, key string) (Client, error) {
	row, err := s.store.EmbedClient(ctx, key)
	if err != nil {
		return Client{}, err
	}
	return s.decryptClient(row)
}

// Client finds an enabled client; fault.NotFound otherwise.
func (s *Service) Client(ctx context.Context, key string) (Client, error) {
	c, err := s.AnyClient(ctx, key)
	if err == nil && c.Disabled {
		return Client{}, fault.New(fault.NotFound, "Page not found.")
	}
	return c, err
}

// Origins are the origins that may frame a client's pages; none for a client that is
// disabled or does not exist.
func (s *Service) Origins(ctx context.Context, key string) []string {
	row, err := s.store.EmbedClient(ctx, key)
	if err != nil || row.DisabledAt != 0 {
		return nil
	}
	return strings.Fields(row.Origins)
}

// Clients lists all clients, including disabled ones.
func (s *Service) Clients(ctx context.Context) ([]Client, error) {
	rows, err := s.store.EmbedClients(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]Client, len(rows))
	for i, row := range rows {
		if all[i], err = s.decryptClient(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// secretIndex is a blind index of a secret; launches that it signed are stored under it. A
// retired secret is never accepted again: its launches are forgotten and could be replayed.
func (s *Service) secretIndex(key string, secret []byte) string {
	return s.vault.MAC(vault.MACSecret, key, string(secret))
}

// matchesSecretIndex reports whether an index is that of a secret, for any key.
func (s *Service) matchesSecretIndex(index, key string, secret []byte) bool {
	return s.vault.VerifyMAC(index, vault.MACSecret, key, string(secret))
}

// wasRetired reports whether the entered secret was used and retired before.
func (s *Service) wasRetired(was signingKeys, e Setup) bool {
	return slices.ContainsFunc(was.RetiredSecrets, func(index string) bool {
		return s.matchesSecretIndex(index, e.Key, []byte(e.Secret))
	})
}

// dropConsumedUnder deletes the replay keys of launches that a retired secret signed.
func (s *Service) dropConsumedUnder(ctx context.Context, tx *store.Tx, key string, secret []byte) error {
	indexes, err := tx.ConsumedSecretIndexes(ctx, key)
	for _, index := range indexes {
		if err == nil && s.matchesSecretIndex(index, key, secret) {
			err = tx.DropConsumedLaunches(ctx, key, index)
		}
	}
	return err
}
