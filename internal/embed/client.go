package embed

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Client is a CRM with what the portal has decided about it.
type Client struct {
	launch.Client
	AttestedBy string    // who approved that its log-in is a second factor; "" nobody
	AttestedAt time.Time // and when
	Disabled   bool
	Created    time.Time
}

// Attested says whether the CRM's log-in counts as a second factor.
func (c Client) Attested() bool { return !c.AttestedAt.IsZero() }

// signingKeys is what signs launches, as it is sealed.
type signingKeys struct {
	Issuer         string          `json:"issuer,omitempty"`
	Keys           json.RawMessage `json:"keys,omitempty"`
	Secret         []byte          `json:"secret,omitempty"`
	SecretNext     []byte          `json:"secretNext,omitempty"`
	Organization   string          `json:"organization,omitempty"`
	RetiredSecrets []string        `json:"ended,omitempty"` // marks of secrets that hold no more
}

func signingKeysAAD(key string) vault.AAD {
	return vault.AAD{Table: "embed_clients", Row: key, Column: "sealed"}
}

func (s *Service) decryptClient(row store.EmbedClient) (Client, error) {
	said, err := vault.UnsealJSON[signingKeys](s.vault, signingKeysAAD(row.Key), row.Sealed)
	if err != nil {
		return Client{}, err
	}
	c := Client{
		Client: launch.Client{
			Key: row.Key, Name: row.Name, BrokerID: row.BrokerID, Origins: strings.Fields(row.Origins), Kind: launch.Kind(row.Kind),
			Issuer: said.Issuer, Secret: pii.Wrap(said.Secret), SecretNext: pii.Wrap(said.SecretNext), Organization: said.Organization,
		},
		AttestedBy: row.AttestedBy, AttestedAt: store.Instant(row.AttestedAt), Disabled: row.DisabledAt != 0, Created: store.Instant(row.CreatedAt),
	}
	if len(said.Keys) > 0 {
		err = json.Unmarshal(said.Keys, &c.Keys) // were judged when they were entered, and are by each launch
	}
	return c, err
}

// Client finds a client that is open; fault.NotFound otherwise.
func (s *Service) Client(ctx context.Context, key string) (Client, error) {
	row, err := s.store.EmbedClient(ctx, key)
	if err == nil && row.DisabledAt != 0 {
		err = fault.New(fault.NotFound, "There is nothing at this address.")
	}
	if err != nil {
		return Client{}, err
	}
	return s.decryptClient(row)
}

// admits says whether a person may come by a client: their account is open, and they are
// of its broker company.
func (c Client) admits(person access.User) bool {
	return !person.Disabled && person.BrokerID != "" && person.BrokerID == c.BrokerID
}

// Origins are the pages that may frame a client's addresses; nobody may frame those of a
// client that is closed or does not exist.
func (s *Service) Origins(ctx context.Context, key string) []string {
	row, err := s.store.EmbedClient(ctx, key)
	if err != nil || row.DisabledAt != 0 {
		return nil
	}
	return strings.Fields(row.Origins)
}

// Clients lists all, closed ones too.
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
