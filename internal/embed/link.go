package embed

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Link is a CRM user that is linked to an account.
type Link struct {
	ID       string // in URLs
	Client   string // the CRM's key
	CRM      string // the CRM's name
	Disabled bool   // the CRM is disabled
	crmLogin
	ConnectedAt time.Time
	UsedAt      time.Time // when it last opened a frame; zero if never
}

// crmLogin is a CRM user as the CRM names them, stored encrypted.
type crmLogin struct {
	Subject string `json:"subject"`        // the user's id in the CRM
	Name    string `json:"name,omitempty"` // in the CRM; may be empty
	Email   string `json:"email,omitempty"`
}

// Links lists the CRM users that are linked to a user, the newest first.
func (s *Service) Links(ctx context.Context, userID string) ([]Link, error) {
	rows, err := s.store.EmbedLinksOf(ctx, userID)
	if err != nil {
		return nil, err
	}
	all := make([]Link, len(rows))
	for i, row := range rows {
		c, err := s.store.EmbedClient(ctx, row.Client)
		if err != nil {
			return nil, err
		}
		all[i] = Link{ID: row.Subject, Client: c.Key, CRM: c.Name, Disabled: c.DisabledAt != 0,
			ConnectedAt: store.Instant(row.LinkedAt), UsedAt: store.Instant(row.UsedAt)}
		if all[i].crmLogin, err = vault.UnsealJSON[crmLogin](s.vault, vault.CRMLoginAAD(row.Subject),
			row.Sealed); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// newLink is the link of a launch's CRM user to a portal user.
func (s *Service) newLink(l VerifiedLaunch, person access.Actor) (store.EmbedLink, error) {
	link := store.EmbedLink{Client: l.Client.Key, Subject: l.row.Subject, UserID: person.UserID, KeyID: l.row.KeyID,
		LinkedAt: store.Millis(s.Now())}
	var err error
	link.Sealed, err = vault.SealJSON(s.vault, vault.CRMLoginAAD(link.Subject),
		crmLogin{Subject: l.Subject, Name: l.Name, Email: l.Email})
	return link, err
}

// UpdateLinkIndex stores a link's blind index under the current key, computed again from the CRM user's id in the link;
// renewed is false if it is under that key already.
func UpdateLinkIndex(ctx context.Context, tx *store.Tx, v *vault.Vault,
	link store.EmbedLink) (renewed bool, err error) {
	old := link.Subject
	named, err := vault.UnsealJSON[crmLogin](v, vault.CRMLoginAAD(old), link.Sealed)
	if err != nil {
		return false, err
	}
	indexes := v.CRMUserIndexes(link.Client, named.Subject)
	if !slices.Contains(indexes[1:], old) {
		return false, nil
	}
	link.Subject, link.KeyID = indexes[0], v.DigestKey()
	if link.Sealed, err = vault.SealJSON(v, vault.CRMLoginAAD(link.Subject), named); err != nil {
		return false, err
	}
	return true, tx.UpdateEmbedLinkIndex(ctx, link, old)
}

// updateLinkIndex updates the link of the CRM user in a launch to the current key.
func (s *Service) updateLinkIndex(ctx context.Context, tx *store.Tx, c Client, subject string) error {
	for _, old := range s.vault.CRMUserIndexes(c.Key, subject)[1:] {
		link, err := tx.EmbedLink(ctx, c.Key, old)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := UpdateLinkIndex(ctx, tx, s.vault, link); err != nil {
			return err
		}
	}
	return nil
}

// noteUse records that a CRM user has opened a frame, with the name that the CRM gives now.
func (s *Service) noteUse(ctx context.Context, tx *store.Tx, l VerifiedLaunch) error {
	link, err := s.newLink(l, l.Person.Actor)
	if err != nil {
		return err
	}
	link.UsedAt = store.Millis(s.Now())
	return tx.UseEmbedLink(ctx, link)
}

// Disconnect removes one of a user's links to a CRM, by its id. Later launches of the CRM user
// are not signed in, and the open sessions end in the same transaction.
func (s *Service) Disconnect(ctx context.Context, by access.By, userID, id string) error {
	return s.disconnect(ctx, by, userID, func(l store.EmbedLink) bool { return l.Subject == id })
}

// DisconnectAll removes all of a user's links to one CRM.
func (s *Service) DisconnectAll(ctx context.Context, by access.By, userID, key string) error {
	if _, err := s.store.EmbedClient(ctx, key); err != nil {
		if fault.Is(err, fault.NotFound) {
			err = errNoCRM()
		}
		return err
	}
	return s.disconnect(ctx, by, userID, func(l store.EmbedLink) bool { return l.Client == key })
}

func (s *Service) disconnect(ctx context.Context, by access.By, userID string, match func(store.EmbedLink) bool) error {
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		person, err := tx.User(ctx, userID)
		if err != nil {
			return err
		}
		links, err := tx.EmbedLinksOf(ctx, userID)
		if err != nil {
			return err
		}
		found := false
		for _, link := range links {
			if !match(link) {
				continue
			}
			found = true
			c, err := tx.EmbedClient(ctx, link.Client)
			if err != nil {
				return err
			}
			if err := s.unlink(ctx, tx, link, person, unlinkReason{by: by.UserID, action: store.ActionEmbedDisconnect,
				mailText: "A sign-in from " + c.Name + " was disconnected from your account"}); err != nil {
				return err
			}
		}
		if !found {
			return fault.New(fault.NotFound, "This CRM user is no longer connected.")
		}
		return nil
	})
}

// unlinkReason describes who removes a link, and the notification of it.
type unlinkReason struct {
	by       string
	action   store.AuditAction
	mailText string // for the email to the user
}

// unlink removes one link, and ends its open sessions and launches.
func (s *Service) unlink(ctx context.Context, tx *store.Tx, link store.EmbedLink, person access.User,
	c unlinkReason) error {
	if _, err := tx.DropEmbedLink(ctx, link.UserID, link.Client, link.Subject); err != nil {
		return err
	}
	if err := tx.EndFrameSessionsOf(ctx, link.UserID, link.Client); err != nil {
		return err
	}
	if err := tx.EndLaunchesOfSubject(ctx, link.Client, link.Subject); err != nil {
		return err
	}
	if err := s.notify(ctx, tx, person, c.mailText); err != nil {
		return err
	}
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: c.by, Company: access.CompanyOf(person.BrokerID, person.Organization), Action: c.action,
		Object: "user:" + link.UserID, Outcome: "done", Detail: link.Client,
	})
}

func (s *Service) notify(ctx context.Context, tx *store.Tx, person access.User, what string) error {
	if s.Notify == nil {
		return nil
	}
	return s.Notify(ctx, tx, person, what)
}
