package embed

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Link is a log-in of a CRM that belongs to an account.
type Link struct {
	ID      string // in addresses
	Client  string // the CRM's key
	CRM     string // and its name
	Closed  bool   // it is shut out
	Subject string // the log-in's own id in the CRM; "" where it was connected before ids were kept
	Name    string // as the CRM spells it; may be empty
	Email   string
	Since   time.Time
	Used    time.Time // when it last opened a frame; zero never
}

// login is how a CRM names a log-in, sealed.
type login struct {
	Subject string `json:"subject"`
	Name    string `json:"name,omitempty"`
	Email   string `json:"email,omitempty"`
}

func placeOfLink(subject string) vault.Place {
	return vault.Place{Table: "embed_links", Row: subject, Column: "sealed"}
}

// Links are a person's log-ins in CRMs, the newest first.
func (s *Service) Links(ctx context.Context, userID string) ([]Link, error) {
	rows, err := s.store.EmbedLinksOf(ctx, userID)
	if err != nil {
		return nil, err
	}
	all := make([]Link, len(rows))
	for i, row := range rows {
		c, err := s.store.EmbedClient(ctx, row.Key)
		if err != nil {
			return nil, err
		}
		all[i] = Link{ID: row.Subject, Client: c.Key, CRM: c.Name, Closed: c.DisabledAt != 0, Since: store.Instant(row.LinkedAt), Used: store.Instant(row.UsedAt)}
		if len(row.Sealed) == 0 {
			continue
		}
		named, err := vault.UnsealJSON[login](s.vault, placeOfLink(row.Subject), row.Sealed)
		if err != nil {
			return nil, err
		}
		all[i].Subject, all[i].Name, all[i].Email = named.Subject, named.Name, named.Email
	}
	return all, nil
}

// linkOf is the link of a launch's log-in to a person.
func (s *Service) linkOf(l Launched, person access.Actor) (store.EmbedLink, error) {
	link := store.EmbedLink{Key: l.Client.Key, Subject: l.row.Subject, UserID: person.UserID, Under: l.row.Under, LinkedAt: store.Millis(s.Now())}
	var err error
	link.Sealed, err = vault.SealJSON(s.vault, placeOfLink(link.Subject), login{Subject: l.Subject, Name: l.Name, Email: l.Email})
	return link, err
}

// RenewLink gives a link the mark of the present key, where the sealed name of the log-in, or
// whoever has just named it, gives the old one again; renewed is false where nobody can.
func RenewLink(ctx context.Context, tx *store.Tx, v *vault.Vault, link store.EmbedLink, subject string) (renewed bool, err error) {
	old := link.Subject
	var named login
	if len(link.Sealed) > 0 {
		if named, err = vault.UnsealJSON[login](v, placeOfLink(old), link.Sealed); err != nil {
			return false, err
		}
	}
	marks := marksOfSubject(v, link.Key, cmp.Or(subject, named.Subject))
	if !slices.Contains(marks[1:], old) {
		return false, nil
	}
	link.Subject, link.Under = marks[0], v.DigestKey()
	if len(link.Sealed) > 0 {
		if link.Sealed, err = vault.SealJSON(v, placeOfLink(link.Subject), named); err != nil {
			return false, err
		}
	}
	return true, tx.MoveEmbedLink(ctx, link, old)
}

// marksOfSubject are the marks of a log-in in a CRM by every key, the present one's first.
func marksOfSubject(v *vault.Vault, client, subject string) []string {
	return v.Digests("embed subject", client, subject)
}

// renew brings the link of a log-in that the CRM has just named under the present key.
func (s *Service) renew(ctx context.Context, tx *store.Tx, c Client, subject string) error {
	for _, old := range marksOfSubject(s.vault, c.Key, subject)[1:] {
		link, err := tx.EmbedLink(ctx, c.Key, old)
		if fault.KindOf(err) == fault.NotFound {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := RenewLink(ctx, tx, s.vault, link, subject); err != nil {
			return err
		}
	}
	return nil
}

// used notes that a log-in has opened a frame, under the name that the CRM gives it now.
func (s *Service) used(ctx context.Context, tx *store.Tx, l Launched) error {
	link, err := s.linkOf(l, l.Person.Actor)
	if err != nil {
		return err
	}
	link.UsedAt = store.Millis(s.Now())
	return tx.UseEmbedLink(ctx, link)
}

// Disconnect takes one of a person's log-ins of a CRM away, by its id: whoever uses it
// from then on is nobody, and what is open by it ends in the same transaction.
func (s *Service) Disconnect(ctx context.Context, by access.By, userID, id string) error {
	return s.disconnect(ctx, by, userID, func(l store.EmbedLink) bool { return l.Subject == id })
}

// DisconnectAll takes all of them at one CRM away.
func (s *Service) DisconnectAll(ctx context.Context, by access.By, userID, key string) error {
	if _, err := s.store.EmbedClient(ctx, key); err != nil {
		if fault.KindOf(err) == fault.NotFound {
			err = errNoCRM()
		}
		return err
	}
	return s.disconnect(ctx, by, userID, func(l store.EmbedLink) bool { return l.Key == key })
}

func (s *Service) disconnect(ctx context.Context, by access.By, userID string, meant func(store.EmbedLink) bool) error {
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		person, err := tx.User(ctx, userID)
		if err != nil {
			return err
		}
		links, err := tx.EmbedLinksOf(ctx, userID)
		if err != nil {
			return err
		}
		none := true
		for _, link := range links {
			if !meant(link) {
				continue
			}
			none = false
			c, err := tx.EmbedClient(ctx, link.Key)
			if err != nil {
				return err
			}
			if err := s.cut(ctx, tx, link, person, cutting{by: by.UserID, act: store.ActEmbedDisconnect, what: "A log-in of " + c.Name + " was disconnected from your account"}); err != nil {
				return err
			}
		}
		if none {
			return fault.New(fault.NotFound, "This log-in of a CRM is not connected any more.")
		}
		return nil
	})
}

// cutting says who takes a log-in away, and how that is told.
type cutting struct {
	by   string
	act  store.Act
	what string // for the person's mail
}

// cut takes one log-in from its person, with everything that is open by it.
func (s *Service) cut(ctx context.Context, tx *store.Tx, link store.EmbedLink, person access.User, c cutting) error {
	if _, err := tx.DropEmbedLink(ctx, link.UserID, link.Key, link.Subject); err != nil {
		return err
	}
	if err := tx.EndSessionsAt(ctx, link.UserID, link.Key); err != nil {
		return err
	}
	if err := tx.EndLaunchesOfLogIn(ctx, link.Key, link.Subject); err != nil {
		return err
	}
	if err := s.tell(ctx, tx, person, c.what); err != nil {
		return err
	}
	return tx.Audit(ctx, store.Audited{
		ActorID: c.by, Company: store.CompanyOf(person.BrokerID, person.Organization), Action: c.act, Object: "user:" + link.UserID, Outcome: "done", Detail: link.Key,
	})
}

func (s *Service) tell(ctx context.Context, tx *store.Tx, person access.User, what string) error {
	if s.Tell == nil {
		return nil
	}
	return s.Tell(ctx, tx, person, what)
}
