package embed

import (
	"bytes"
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

// Client is a CRM with what the portal has decided about it.
type Client struct {
	launch.Client
	AttestedBy string    // who approved that its log-in is a second factor; "" nobody
	AttestedAt time.Time // and when
	Closed     bool
	Created    time.Time
}

// Attested says whether the CRM's log-in counts as a second factor.
func (c Client) Attested() bool { return !c.AttestedAt.IsZero() }

// signing is what signs launches, as it is sealed.
type signing struct {
	Issuer       string          `json:"issuer,omitempty"`
	Keys         json.RawMessage `json:"keys,omitempty"`
	Secret       []byte          `json:"secret,omitempty"`
	SecretNext   []byte          `json:"secretNext,omitempty"`
	Organization string          `json:"organization,omitempty"`
	Ended        []string        `json:"ended,omitempty"` // marks of secrets that hold no more
}

func placeOfSigning(key string) vault.Place {
	return vault.Place{Table: "embed_clients", Row: key, Column: "sealed"}
}

func (s *Service) opened(row store.EmbedClient) (Client, error) {
	said, err := vault.UnsealJSON[signing](s.vault, placeOfSigning(row.Key), row.Sealed)
	if err != nil {
		return Client{}, err
	}
	c := Client{
		Client: launch.Client{
			Key: row.Key, Name: row.Name, BrokerID: row.BrokerID, Origins: strings.Fields(row.Origins), Kind: launch.Kind(row.Kind),
			Issuer: said.Issuer, Secret: pii.Keep(said.Secret), SecretNext: pii.Keep(said.SecretNext), Organization: said.Organization,
		},
		AttestedBy: row.AttestedBy, AttestedAt: store.Instant(row.AttestedAt), Closed: row.DisabledAt != 0, Created: store.Instant(row.CreatedAt),
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
	return s.opened(row)
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
		if all[i], err = s.opened(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Save adds a client or changes it, in somebody's name. fault.Invalid names the fields. One
// that speaks for another system than before is known to nobody: approval and links end.
func (s *Service) Save(ctx context.Context, by string, e Setup) error {
	row, was, err := s.before(ctx, e.Key)
	if err != nil {
		return err
	}
	wrong := e.wrong(was, s.local())
	if e.Fresh && row.Key != "" {
		wrong = append(wrong, fault.Field{Name: "key", Message: "This key is taken: change that CRM, or choose another"})
	}
	if s.ended(was, e) {
		wrong = append(wrong, fault.Field{Name: "secret", Message: "This secret was in use here before. Make a new one"})
	}
	if len(wrong) > 0 {
		return fault.InvalidFields(wrong...)
	}
	e.Origins = origins(e.Origins, s.local())
	now, ended := was.taking(e)
	if len(ended) > 0 {
		now.Ended = append(now.Ended, s.markOf(e.Key, ended))
	}
	if row.Sealed, err = vault.SealJSON(s.vault, placeOfSigning(e.Key), now); err != nil {
		return err
	}
	act := store.ActEmbedChange
	if row.CreatedAt == 0 {
		act, row.CreatedAt = store.ActEmbedAdd, store.Millis(s.Now())
	}
	another := row.Key != "" && (row.Kind != string(e.Kind) || row.BrokerID != e.BrokerID || was.Issuer != e.Issuer || was.Organization != e.Organization)
	if another {
		row.AttestedAt, row.AttestedBy = 0, "" // what was approved was another
	}
	row.Key, row.Name, row.BrokerID, row.Kind, row.Origins = e.Key, e.Name, e.BrokerID, string(e.Kind), strings.Join(e.Origins, " ")
	row.ChangedAt = store.Millis(s.Now())
	return s.change(ctx, by, act, row, func(tx *store.Tx) error {
		if len(ended) > 0 {
			if err := s.forget(ctx, tx, e.Key, ended); err != nil {
				return err
			}
		}
		if !another {
			return nil
		}
		if err := tx.DropClientRecords(ctx, e.Key); err != nil {
			return err
		}
		return tx.DropClientLinks(ctx, e.Key) // its log-in 17 is somebody else's now, and its record 51 another
	})
}

func (s *Service) before(ctx context.Context, key string) (store.EmbedClient, signing, error) {
	row, err := s.store.EmbedClient(ctx, key)
	if fault.KindOf(err) == fault.NotFound {
		return store.EmbedClient{}, signing{}, nil
	}
	if err != nil {
		return row, signing{}, err
	}
	was, err := vault.UnsealJSON[signing](s.vault, placeOfSigning(key), row.Sealed)
	return row, was, err
}

// taking is what signs after a change, and the secret that holds no more: a next one that
// another took the place of.
func (was signing) taking(e Setup) (now signing, ended []byte) {
	now = was
	now.Issuer, now.Organization = e.Issuer, e.Organization
	if e.Keys != "" {
		now.Keys = json.RawMessage(e.Keys)
	}
	switch secret := []byte(e.Secret); {
	case len(secret) == 0 || bytes.Equal(secret, was.Secret) || bytes.Equal(secret, was.SecretNext):
	case len(was.Secret) == 0:
		now.Secret = secret
	default:
		now.SecretNext, ended = secret, was.SecretNext
	}
	return now, ended
}

// markOf is the mark of a secret, by which what it signed is remembered. One that holds no
// more is never taken again: its envelopes are forgotten, and would be new.
func (s *Service) markOf(key string, secret []byte) string {
	return s.vault.MAC("embed secret", key, string(secret))
}

// marked says whether a mark is that of a secret, by whichever key it was made.
func (s *Service) marked(mark, key string, secret []byte) bool {
	return s.vault.VerifyMAC(mark, "embed secret", key, string(secret))
}

// ended says whether the secret that is entered was in use before.
func (s *Service) ended(was signing, e Setup) bool {
	return slices.ContainsFunc(was.Ended, func(mark string) bool { return s.marked(mark, e.Key, []byte(e.Secret)) })
}

// forget forgets what was signed under a secret that holds no more.
func (s *Service) forget(ctx context.Context, tx *store.Tx, key string, secret []byte) error {
	marks, err := tx.SpentMarks(ctx, key)
	for _, mark := range marks {
		if err == nil && s.marked(mark, key, secret) {
			err = tx.ForgetSpent(ctx, key, mark)
		}
	}
	return err
}

// Retire ends the former secret: the next one takes its place.
func (s *Service) Retire(ctx context.Context, by, key string) error {
	row, was, err := s.before(ctx, key)
	if err != nil {
		return err
	}
	if row.Key == "" || len(was.SecretNext) == 0 {
		return fault.New(fault.Conflict, "There is no next secret to go on with. Enter one first.")
	}
	ended := was.Secret
	was.Secret, was.SecretNext, was.Ended = was.SecretNext, nil, append(was.Ended, s.markOf(key, ended))
	if row.Sealed, err = vault.SealJSON(s.vault, placeOfSigning(key), was); err != nil {
		return err
	}
	return s.change(ctx, by, store.ActEmbedRotate, row, func(tx *store.Tx) error { return s.forget(ctx, tx, key, ended) })
}

// Attest notes who approved, in writing, that the CRM's log-in is a second factor; an
// empty name takes the approval back.
func (s *Service) Attest(ctx context.Context, by, key, approver string) error {
	row, _, err := s.before(ctx, key)
	if err != nil {
		return err
	}
	if row.Key == "" {
		return fault.New(fault.NotFound, "There is no such CRM.")
	}
	row.AttestedBy, row.AttestedAt = strings.TrimSpace(approver), store.Millis(s.Now())
	act := store.ActEmbedAttest
	if row.AttestedBy == "" {
		act, row.AttestedAt = store.ActEmbedUnattest, 0
	}
	return s.change(ctx, by, act, row)
}

// Close shuts a client and signs out who came by it; Open opens it again.
func (s *Service) Close(ctx context.Context, by, key string) error {
	return s.shut(ctx, by, key, store.Millis(s.Now()))
}

// Open opens a client that was closed.
func (s *Service) Open(ctx context.Context, by, key string) error { return s.shut(ctx, by, key, 0) }

func (s *Service) shut(ctx context.Context, by, key string, at int64) error {
	row, _, err := s.before(ctx, key)
	if err != nil {
		return err
	}
	if row.Key == "" {
		return fault.New(fault.NotFound, "There is no such CRM.")
	}
	row.DisabledAt = at
	act := store.ActEmbedOpen
	if at != 0 {
		act = store.ActEmbedClose
	}
	return s.change(ctx, by, act, row)
}

// change writes a client, signs out who came by it, for they were let in by what it was,
// ends every launch and its codes with them, and tells the audit.
func (s *Service) change(ctx context.Context, by string, act store.Act, row store.EmbedClient, more ...func(tx *store.Tx) error) error {
	row.ChangedAt = store.Millis(s.Now())
	return s.write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveEmbedClient(ctx, row); err != nil {
			return err
		}
		for _, also := range more {
			if err := also(tx); err != nil {
				return err
			}
		}
		if err := tx.EndSessionsOfClient(ctx, row.Key); err != nil {
			return err
		}
		if err := tx.EndLaunchesOfClient(ctx, row.Key); err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{ActorID: by, Company: row.BrokerID, Action: act, Object: "embed:" + row.Key, Outcome: "done"})
	})
}
