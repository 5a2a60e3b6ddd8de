package lendersync

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// One read may add this many people, or this fraction of the known originators if that is more. People whom the
// lender listed by mistake could set up accounts, and would remain, because removing them later would exceed what one
// read may remove. So an administrator must approve more.
const (
	fewAdditions = 20
	additionPart = 10 // one in ten

	companiesNamed = 5 // of those held
)

// directoryAnswer is what one read of the directory returned.
type directoryAnswer struct {
	all      []heloc.Originator
	complete bool
}

// withoutHeld returns the originators in an answer to store now. When there are too many new ones, they are held
// back until an administrator has approved exactly these. Only complete answers count: an incomplete one adds nobody
// while people are held back. Until the first complete read, nobody is held back, because everyone is new.
func (s *Service) withoutHeld(ctx context.Context, answer directoryAnswer) (now []heloc.Originator, err error) {
	readBefore, err := s.Store.Setting(ctx, store.DirectoryRead)
	if err != nil || readBefore == "" {
		return answer.all, err
	}
	before, err := s.Store.HeldAdditions(ctx)
	if err != nil {
		return nil, err
	}
	known, fresh, tooMany, err := s.splitNew(ctx, answer.all)
	if err != nil {
		return nil, err
	}
	if !answer.complete {
		if tooMany || before.People > 0 {
			return known, nil
		}
		return answer.all, nil
	}
	var hold lead.HeldAdditions
	if tooMany {
		hold = heldOf(fresh)
	}
	switch same := hold.Digest == before.Digest; {
	case tooMany && same && before.Approved:
		hold = lead.HeldAdditions{}
	case tooMany && same:
		return known, nil
	}
	if hold.People > 0 || before.People > 0 {
		if err := s.saveHeld(ctx, before, hold); err != nil {
			return nil, err
		}
	}
	if hold.People > 0 {
		return known, nil
	}
	return answer.all, nil
}

// heldOf describes new people.
func heldOf(fresh []heloc.Originator) lead.HeldAdditions {
	counts := map[string]int{}
	for _, o := range fresh {
		_, name := companyOf(o)
		counts[name]++
	}
	companies := make([]lead.CompanyAdditions, 0, len(counts))
	for name, n := range counts {
		companies = append(companies, lead.CompanyAdditions{Name: name, People: n})
	}
	slices.SortFunc(companies, func(a, b lead.CompanyAdditions) int {
		return cmp.Or(b.People-a.People, strings.Compare(a.Name, b.Name))
	})
	return lead.HeldAdditions{People: len(fresh), Digest: digestOf(fresh),
		Companies: companies[:min(len(companies), companiesNamed)]}
}

// saveHeld records whom to hold back now, and notifies the administrators of new ones.
func (s *Service) saveHeld(ctx context.Context, before, now lead.HeldAdditions) error {
	return s.writeDirectory(ctx, func(tx *store.Tx) error {
		if err := tx.SaveHeldAdditions(ctx, now); err != nil {
			return err
		}
		audited := store.AuditEntry{ActorID: "system", Object: "directory:originators", Outcome: "done"}
		switch {
		case now.People > 0:
			if err := s.tellAdministrators(ctx, tx, now.People, s.Now()); err != nil {
				return err
			}
			audited.Action, audited.Detail = store.ActionDirectoryHold, "new:"+strconv.Itoa(now.People)
		case before.Approved:
			return nil
		default:
			if err := tx.DropSettledDirectoryNotices(ctx); err != nil {
				return err
			}
			audited.Action = store.ActionDirectoryClear
		}
		return tx.Audit(ctx, audited)
	})
}

// digestOf returns a digest of a set of originators that does not depend on their order.
func digestOf(some []heloc.Originator) string {
	ids := make([]string, 0, len(some))
	for _, o := range some {
		ids = append(ids, string(o.ID))
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	return hex.EncodeToString(sum[:])
}

// splitNew separates the originators in an answer into known ones, present or former, and new ones. It also
// says whether there are too many new ones for one read.
func (s *Service) splitNew(ctx context.Context, all []heloc.Originator) (known, fresh []heloc.Originator,
	tooMany bool, err error) {
	stored, err := s.Store.AllOriginators(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	ids, size := make(map[heloc.OriginatorID]bool, len(stored)), 0
	for _, o := range stored {
		ids[o.UUID] = true
		if o.RemovedAt == 0 {
			size++
		}
	}
	for _, o := range all {
		if ids[o.ID] {
			known = append(known, o)
		} else {
			fresh = append(fresh, o)
		}
	}
	return known, fresh, len(fresh) > max(fewAdditions, size/additionPart), nil
}
