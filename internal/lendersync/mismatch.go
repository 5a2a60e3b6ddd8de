package lendersync

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

const (
	lookUpPatience = 5 * time.Second // while the lender's directory is read for one originator
	lookUpsKept    = 1000
)

// lookUps stores when originators who are not in the directory may be looked up again, so that not every reading of
// their leads also reads the lender's directory.
type lookUps struct {
	mu   sync.Mutex
	next map[heloc.OriginatorID]lookUp
	last lookUp        // the last read of the whole directory for one of them
	done chan struct{} // closed when that read has ended
}

type lookUp struct {
	at  time.Time
	was lead.MismatchReason
}

func (l *lookUps) known(id heloc.OriginatorID, now time.Time) (lead.MismatchReason, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one, ok := l.next[id]
	return one.was, ok && now.Before(one.at)
}

func (l *lookUps) keep(id heloc.OriginatorID, one lookUp) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil || len(l.next) >= lookUpsKept {
		l.next = map[heloc.OriginatorID]lookUp{}
	}
	l.next[id] = one
}

// beginRead notes a read of the whole directory, unless one was begun less than directoryRetry ago:
// then it returns how long to wait.
func (l *lookUps) beginRead(now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait = l.last.at.Add(directoryRetry).Sub(now); wait > 0 {
		return wait
	}
	l.last, l.done = lookUp{now, lead.MismatchUnreachable}, make(chan struct{})
	return 0
}

// endRead notes whether that read was complete.
func (l *lookUps) endRead(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last.was = lead.MismatchUnknown; err != nil {
		l.last.was = lead.MismatchUnreachable
	}
	select {
	case <-l.done: // by another read: one that takes more than a minute does not keep others waiting
	default:
		close(l.done)
	}
}

func (l *lookUps) lastRead() (last lookUp, done <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last, l.done
}

// mismatch says why the originator whom the lender names for a lead cannot be found; empty when
// they are known, or are whoever has the lead. An unknown one is looked up in the lender's
// directory, which has no search by id: all of it is read.
func (s *Service) mismatch(ctx context.Context, row lead.Row, got partner.Result[heloc.Details]) (lead.MismatchReason, error) {
	if slices.Contains(got.Malformed, partner.OriginatorField) {
		return lead.MismatchMalformed, nil
	}
	named := got.Value.Originator.UUID
	if named == "" || named == row.Originator {
		return "", nil
	}
	return s.lookUp(ctx, named)
}

func (s *Service) lookUp(ctx context.Context, id heloc.OriginatorID) (lead.MismatchReason, error) {
	if known, err := s.listed(ctx, id); known || err != nil {
		return "", err
	}
	if why, lately := s.lookUps.known(id, s.Now()); lately {
		return why, nil
	}
	// Until this lookup is finished, other readings do not start the same one.
	s.lookUps.keep(id, lookUp{s.Now().Add(directoryRetry), lead.MismatchUnreachable})
	lookUpCtx, stop := context.WithTimeout(ctx, lookUpPatience)
	defer stop()
	if s.lookUps.beginRead(s.Now()) > 0 {
		return s.awaitLookUp(ctx, lookUpCtx, id)
	}
	unread := s.SyncDirectory(lookUpCtx)
	s.lookUps.endRead(unread)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if known, err := s.listed(ctx, id); known || err != nil {
		return "", err
	}
	if unread != nil {
		wakeUp(s.originatorMissing) // the loop tries again
		return lead.MismatchUnreachable, nil
	}
	s.lookUps.keep(id, lookUp{s.Now().Add(directoryEvery), lead.MismatchUnknown})
	return lead.MismatchUnknown, nil
}

// awaitLookUp answers for an originator by the read that was begun less than a minute ago for another,
// so that unknown ids in the lender's details do not cause one read each. The loop reads again soon.
func (s *Service) awaitLookUp(ctx, lookUpCtx context.Context, id heloc.OriginatorID) (lead.MismatchReason, error) {
	_, done := s.lookUps.lastRead()
	select {
	case <-done:
	case <-lookUpCtx.Done():
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if known, err := s.listed(ctx, id); known || err != nil {
		return "", err
	}
	last, _ := s.lookUps.lastRead()
	s.lookUps.keep(id, lookUp{last.at.Add(directoryRetry), last.was})
	wakeUp(s.originatorMissing)
	return last.was, nil
}

// listed says whether an originator is, or was, in the directory.
func (s *Service) listed(ctx context.Context, id heloc.OriginatorID) (bool, error) {
	_, err := s.Store.Originator(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// noteMismatch records, for administrators, that a lead stays with its originator although the lender names another
// one.
func (s *Service) noteMismatch(ctx context.Context, tx *store.Tx, row *lead.Row, r reading) error {
	m := lead.Mismatch{App: row.App, Reason: r.mismatch, At: store.Millis(r.at)}
	if r.mismatch != "" && r.mismatch != lead.MismatchMalformed {
		m.Named = r.details.Originator.UUID
	}
	fresh, err := tx.NoteMismatch(ctx, m)
	if fresh && err == nil {
		s.Log.Warn("the lender names an originator who cannot be found, so the lead stays", "lead", row.App, "reason", string(r.mismatch), "named", string(m.Named))
	}
	return err
}

// logMalformed logs which ids of a response are malformed. It does not log what the lender sent instead.
func (s *Service) logMalformed(app heloc.AppID, fields []string) {
	if len(fields) > 0 {
		s.Log.Warn("ids in the lender's details are no UUIDs and were read as absent", "lead", app, "fields", strings.Join(fields, " "))
	}
}
