package desk

import (
	"context"
	"net/mail"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

const (
	peopleShown = 50              // of one search
	askPatience = 4 * time.Second // while the lender is asked for somebody who is missing
)

// Directory is the lender's list of originators, as far as a person may see it: their
// own company's, an administrator everybody's.
type Directory struct{ d *Desk }

// Directory opens it; fault.Denied without the permission.
func (d *Desk) Directory() (*Directory, error) {
	if err := d.may(access.SeeDirectory); err != nil {
		return nil, err
	}
	return &Directory{d}, nil
}

// Found is the answer to a search for people.
type Found struct {
	People   []store.Originator
	All      int       // how many fit; People holds the first of them
	SyncedAt time.Time // when the lender showed the youngest of them last
	Asked    bool      // the directory had nobody, so the lender was asked by e-mail
	Silent   bool      // and did not answer

	// Licences are what is known of each one's right to act where the leads' properties lie.
	// Nothing where nothing was asked, or no state is known.
	Licences map[heloc.OriginatorID][]InState
}

// Find searches by the beginnings of names, by e-mail or by NMLS number. Nothing typed
// is everybody.
func (dir *Directory) Find(ctx context.Context, typed string) (Found, error) {
	if err := dir.d.may(access.SeeDirectory); err != nil {
		return Found{}, err
	}
	if dir.d.Actor.Role == access.Admin {
		return dir.d.find(ctx, typed, dir.d.Store.AllOriginators)
	}
	return dir.d.find(ctx, typed, func(ctx context.Context) ([]store.Originator, error) {
		return dir.d.colleagues(ctx, dir.d.Actor.BrokerID, dir.d.Actor.Organization)
	})
}

// colleagues are the originators of one broker company, or of the organization outside
// every broker company.
func (d *Desk) colleagues(ctx context.Context, brokerID, organization string) ([]store.Originator, error) {
	reach := access.Scope{BrokerID: brokerID}
	if brokerID == "" {
		reach = access.Scope{Organization: organization}
	}
	return d.Store.OriginatorsOf(ctx, reach)
}

// find looks through a list, and asks the lender for an e-mail that nobody there has.
func (d *Desk) find(ctx context.Context, typed string, list func(context.Context) ([]store.Originator, error)) (Found, error) {
	all, err := list(ctx)
	if err != nil {
		return Found{}, err
	}
	f := Found{People: fitting(all, typed)}
	if len(f.People) == 0 && isEmail(typed) {
		f.Asked = true
		if f.Silent = d.AskDirectory(ctx, strings.TrimSpace(typed)) != nil; !f.Silent {
			if all, err = list(ctx); err != nil {
				return f, err
			}
			f.People = fitting(all, typed)
		}
	}
	for _, o := range all {
		if at := store.Instant(o.SyncedAt); at.After(f.SyncedAt) {
			f.SyncedAt = at
		}
	}
	f.All = len(f.People)
	f.People = f.People[:min(f.All, peopleShown)]
	return f, nil
}

// AskDirectory fetches one originator from the lender by e-mail into the directory. What the
// lender shows besides, an older service may, is left to the hourly reading.
func (r *Rooms) AskDirectory(ctx context.Context, email string) error {
	ctx, stop := context.WithTimeout(ctx, askPatience)
	defer stop()
	got, err := r.Lender.Originators(ctx, partner.OriginatorQuery{Emails: []string{strings.ToLower(email)}})
	if err != nil {
		return err
	}
	return r.Store.Write(ctx, func(tx *store.Tx) error {
		for _, o := range got.Value.Originators {
			if !strings.EqualFold(o.Email, email) {
				continue
			}
			if err := tx.SeeOriginator(ctx, o, r.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

func isEmail(typed string) bool {
	a, err := mail.ParseAddress(strings.TrimSpace(typed))
	return err == nil && a.Name == "" && strings.Contains(a.Address, "@")
}

func fitting(all []store.Originator, typed string) []store.Originator {
	var kept []store.Originator
	for _, o := range all {
		if fits := fitsPerson(o, typed); fits {
			kept = append(kept, o)
		}
	}
	return kept
}

// fitsPerson says whether every word that was typed begins a name of the originator, is
// in their e-mail or begins their NMLS number.
func fitsPerson(o store.Originator, typed string) bool {
	names := strings.Fields(heloc.Folded(o.FirstName + " " + o.MiddleName + " " + o.LastName))
	email := strings.ToLower(o.Email)
next:
	for _, word := range strings.Fields(strings.ToLower(typed)) {
		if strings.Contains(email, word) || strings.HasPrefix(o.NMLS, word) {
			continue
		}
		for _, part := range strings.Fields(heloc.Folded(word)) {
			for _, name := range names {
				if strings.HasPrefix(name, part) {
					continue next
				}
			}
		}
		return false
	}
	return true
}
