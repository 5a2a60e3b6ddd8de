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
	maxPeople           = 50              // of one search
	lenderLookupTimeout = 4 * time.Second // while the lender is asked for somebody who is missing
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

// DirectoryResult is the answer to a search for people.
type DirectoryResult struct {
	People       []store.Originator
	Total        int       // how many fit; People holds the first of them
	SyncedAt     time.Time // when the lender showed the youngest of them last
	LenderAsked  bool      // the directory had nobody, so the lender was asked by e-mail
	LenderSilent bool      // and did not answer

	// Licenses are what is known of each one's right to act where the leads' properties lie.
	// Nothing where nothing was asked, or no state is known.
	Licenses map[heloc.OriginatorID][]LicenseInState
}

// Find searches by the beginnings of names, by e-mail or by NMLS number. Nothing typed
// is everybody.
func (dir *Directory) Find(ctx context.Context, typed string) (DirectoryResult, error) {
	if err := dir.d.may(access.SeeDirectory); err != nil {
		return DirectoryResult{}, err
	}
	if dir.d.Actor.Role == access.Admin {
		return dir.d.findOriginators(ctx, typed, dir.d.Store.AllOriginators)
	}
	return dir.d.findOriginators(ctx, typed, func(ctx context.Context) ([]store.Originator, error) {
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

// findOriginators looks through a list, and asks the lender for an e-mail that nobody there has.
func (d *Desk) findOriginators(ctx context.Context, typed string, list func(context.Context) ([]store.Originator, error)) (DirectoryResult, error) {
	all, err := list(ctx)
	if err != nil {
		return DirectoryResult{}, err
	}
	f := DirectoryResult{People: filterOriginators(all, typed)}
	if len(f.People) == 0 && isEmail(typed) {
		f.LenderAsked = true
		if f.LenderSilent = d.FetchOriginator(ctx, strings.TrimSpace(typed)) != nil; !f.LenderSilent {
			if all, err = list(ctx); err != nil {
				return f, err
			}
			f.People = filterOriginators(all, typed)
		}
	}
	for _, o := range all {
		if at := store.Instant(o.SyncedAt); at.After(f.SyncedAt) {
			f.SyncedAt = at
		}
	}
	f.Total = len(f.People)
	f.People = f.People[:min(f.Total, maxPeople)]
	return f, nil
}

// FetchOriginator fetches one originator from the lender by e-mail into the directory. What the
// lender shows besides, an older service may, is left to the hourly reading.
func (r *Service) FetchOriginator(ctx context.Context, email string) error {
	ctx, stop := context.WithTimeout(ctx, lenderLookupTimeout)
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

func filterOriginators(all []store.Originator, typed string) []store.Originator {
	var kept []store.Originator
	for _, o := range all {
		if fits := originatorMatches(o, typed); fits {
			kept = append(kept, o)
		}
	}
	return kept
}

// originatorMatches says whether every word that was typed begins a name of the originator, is
// in their e-mail or begins their NMLS number.
func originatorMatches(o store.Originator, typed string) bool {
	names := strings.Fields(heloc.FoldForSearch(o.FirstName + " " + o.MiddleName + " " + o.LastName))
	email := strings.ToLower(o.Email)
next:
	for _, word := range strings.Fields(strings.ToLower(typed)) {
		if strings.Contains(email, word) || strings.HasPrefix(o.NMLS, word) {
			continue
		}
		for _, part := range strings.Fields(heloc.FoldForSearch(word)) {
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
