package lendersync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// One read may add this many people, or this fraction of the known originators if that is more. People whom the
// lender listed by mistake would stay, because removing them later would exceed what one read may remove without an
// administrator.
const (
	fewAdditions = 20
	additionPart = 10 // one in ten
)

// directoryAnswer is what one read of the directory returned.
type directoryAnswer struct {
	all      []heloc.Originator
	complete bool
	began    time.Time
}

// withoutHeld returns the originators in an answer to store now, and how many new ones are held back. When there are
// too many new ones, they are held back until a later complete answer lists exactly the same ones. Only complete
// answers count: an incomplete one adds nobody while people are held back. Until the first complete read, nobody is
// held back, because everyone is new.
func (s *Service) withoutHeld(ctx context.Context, answer directoryAnswer) (now []heloc.Originator, held int,
	err error) {
	readBefore, err := s.Store.Setting(ctx, store.DirectoryRead)
	if err != nil || readBefore == "" {
		return answer.all, 0, err
	}
	before, err := s.Store.HeldAdditions(ctx)
	if err != nil {
		return nil, 0, err
	}
	known, fresh, tooMany, err := s.splitNew(ctx, answer.all)
	if err != nil {
		return nil, 0, err
	}
	if !answer.complete {
		if tooMany || before.People > 0 {
			return known, before.People, nil
		}
		return answer.all, 0, nil
	}
	var hold store.HeldAdditions
	if tooMany {
		hold = s.hold(before, fresh, answer.began)
	}
	if hold != before {
		err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveHeldAdditions(ctx, hold) })
		if err != nil {
			return nil, 0, err
		}
	}
	if hold.People == 0 {
		return answer.all, 0, nil
	}
	s.Log.WarnContext(ctx, "the directory lists too many new originators to add them after one read",
		"originators", hold.People)
	return known, hold.People, nil
}

// hold returns whom to hold back from a complete answer with too many new originators: nobody if an earlier answer,
// at least secondLook before this one began, listed the same.
func (s *Service) hold(before store.HeldAdditions, fresh []heloc.Originator, began time.Time) store.HeldAdditions {
	hold := store.HeldAdditions{People: len(fresh), At: store.Millis(s.Now()), Digest: digestOf(fresh)}
	pause := began.Sub(store.Instant(before.At))
	switch {
	case before.Digest != hold.Digest || pause < 0: // the clock was set back
	case pause < s.secondLook():
		hold.At = before.At
	default:
		return store.HeldAdditions{}
	}
	return hold
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
