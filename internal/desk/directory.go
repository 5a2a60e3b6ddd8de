package desk

import (
	"context"
	"net/mail"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/input"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

const (
	maxPeople           = 50              // of one search
	lenderLookupTimeout = 4 * time.Second // while we ask the lender for an originator who is not in the directory
)

// Directory is the lender's list of originators that a user may see: those of their own company, or all of them for
// an administrator.
type Directory struct{ d *Desk }

// Directory returns the directory; fault.Denied without the permission.
func (d *Desk) Directory() (*Directory, error) {
	if err := d.may(access.SeeDirectory); err != nil {
		return nil, err
	}
	return &Directory{d}, nil
}

// DirectoryResult is the result of a search for originators.
type DirectoryResult struct {
	People       []lead.Originator
	Total        int       // how many match; People holds the first of them
	SyncedAt     time.Time // when the lender last listed the most recently listed of them
	LenderAsked  bool      // nobody in the directory matched, so we searched at the lender by email
	LenderSilent bool      // and the lender did not respond
}

// Find searches by the start of a name, by email or by NMLS number. An empty query matches everybody.
func (dir *Directory) Find(ctx context.Context, typed string) (DirectoryResult, error) {
	if err := dir.d.may(access.SeeDirectory); err != nil {
		return DirectoryResult{}, err
	}
	return dir.d.findOriginators(ctx, typed, dir.list)
}

// list returns every originator of this directory. The caller has checked the permission.
func (dir *Directory) list(ctx context.Context) ([]lead.Originator, error) {
	if dir.d.Actor.Role == access.Admin {
		return dir.d.store.AllOriginators(ctx)
	}
	return dir.d.colleagues(ctx, dir.d.Actor.BrokerID, dir.d.Actor.Organization)
}

// colleagues lists the originators of one broker company or, without a broker company, those who work for the
// organization directly.
func (d *Desk) colleagues(ctx context.Context, brokerID, organization string) ([]lead.Originator, error) {
	reach := access.Scope{BrokerID: brokerID}
	if brokerID == "" {
		reach = access.Scope{Organization: organization}
	}
	return d.store.OriginatorsOf(ctx, reach)
}

// findOriginators searches a list for the first people who match.
func (d *Desk) findOriginators(ctx context.Context, typed string, list func(context.Context) ([]lead.Originator, error)) (DirectoryResult, error) {
	f, err := d.searchOriginators(ctx, typed, list)
	f.People = f.People[:min(f.Total, maxPeople)]
	return f, err
}

// searchOriginators searches a list for everybody who matches. If nobody in it has the email that was typed, it asks the
// lender.
func (d *Desk) searchOriginators(ctx context.Context, typed string, list func(context.Context) ([]lead.Originator, error)) (DirectoryResult, error) {
	if typed = input.Line(typed).Text; strings.Contains(typed, "@") {
		typed = input.Email(typed).Text
	}
	all, err := list(ctx)
	if err != nil {
		return DirectoryResult{}, err
	}
	f := DirectoryResult{People: filterOriginators(all, typed)}
	if len(f.People) == 0 && isEmail(typed) {
		f.LenderAsked = true
		if f.LenderSilent = d.fetchOriginator(ctx, typed) != nil; !f.LenderSilent {
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
	return f, nil
}

// fetchOriginator fetches one originator from the lender by email and stores it in the directory. An older lender
// service may return others too; the hourly sync handles those.
func (b *backend) fetchOriginator(ctx context.Context, email string) error {
	ctx, stop := context.WithTimeout(ctx, lenderLookupTimeout)
	defer stop()
	got, err := b.lender.Originators(ctx, partner.OriginatorQuery{Emails: []string{strings.ToLower(email)}})
	if err != nil {
		return err
	}
	return b.store.Write(ctx, func(tx *store.Tx) error {
		for _, o := range got.Value.Originators {
			if !strings.EqualFold(o.Email, email) {
				continue
			}
			if err := tx.SeeOriginator(ctx, o, b.now()); err != nil {
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

// filterOriginators returns the originators that match what was typed or, if none does, another spelling of it.
func filterOriginators(all []lead.Originator, typed string) []lead.Originator {
	for _, spelling := range []string{typed, heloc.OtherSpelling(typed)} {
		var originators []lead.Originator
		for _, o := range all {
			if originatorMatches(o, spelling) {
				originators = append(originators, o)
			}
		}
		if len(originators) > 0 || heloc.OtherSpelling(typed) == "" {
			return originators
		}
	}
	return nil
}

// originatorMatches reports whether every word of the query starts a name of the originator, is part of their email
// or starts their NMLS number.
func originatorMatches(o lead.Originator, typed string) bool {
	names := strings.Fields(heloc.FoldForSearch(o.FirstName + " " + o.MiddleName + " " + o.LastName))
	email := strings.ToLower(o.Email)
next:
	for _, word := range strings.Fields(strings.ToLower(input.Plain(typed))) {
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

// FetchOriginator looks an originator up at the lender by email and stores who is found.
func (r *Service) FetchOriginator(ctx context.Context, email string) error {
	return r.fetchOriginator(ctx, email)
}
