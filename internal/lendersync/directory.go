package lendersync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/trace"
)

const (
	directoryEvery    = time.Hour
	directoryRetry    = time.Minute
	directoryPage     = 100
	maxDirectoryPages = 1000 // in case a lender returns the same page forever

	// directoryConfirm is how long an originator must be absent, according to two complete reads.
	directoryConfirm = 10 * time.Minute
)

// directoryLoop reads the lender's originators at startup, hourly, and when one is missing, but at most once a
// minute.
func (s *Service) directoryLoop(ctx context.Context) {
	for first := true; ; first = false {
		pause := directoryEvery
		if !s.awaitDuty(ctx, s.originatorMissing) {
			return
		}
		var read *directoryRead // nil for the first read, which may run at the same time as a read for a lookup
		if !first {
			if read = s.awaitRead(ctx); read == nil {
				return
			}
		}
		traced, span := trace.StartWork(ctx, "read directory")
		again, err := s.syncDirectory(traced)
		span.End()
		if read != nil {
			read.end(err)
		}
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(traced, "the directory could not be read", "cause", err.Error())
		}
		switch {
		case errors.Is(err, errIncomplete), err == nil && again:
			pause = directoryConfirm
		case err != nil:
			pause = directoryRetry
		}
		if !s.waitOrWake(ctx, directoryRetry, nil) || !s.waitOrWake(ctx, pause-directoryRetry, s.originatorMissing) {
			return
		}
	}
}

// awaitRead waits until a minute has passed since the directory was last read for an unknown originator, and then
// begins a read. It returns nil if the context ends first.
func (s *Service) awaitRead(ctx context.Context) *directoryRead {
	for {
		read, begin := s.lookUps.read(s.Now())
		if begin {
			return read
		}
		if !s.waitOrWake(ctx, read.at.Add(directoryRetry).Sub(s.Now()), nil) {
			return nil
		}
	}
}

// waitOrWake waits until the pause has passed or wake receives a signal; false when the context has ended.
func (s *Service) waitOrWake(ctx context.Context, pause time.Duration, wake <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
	case <-wake:
	}
	return true
}

// errIncomplete means that the lender answered, but not with all originators.
var errIncomplete = errors.New("the lender’s directory was not read completely")

func incomplete(why string) error { return fmt.Errorf("%w: %s", errIncomplete, why) }

// SyncDirectory reads all originators by pages. What takes something from people, an absence or
// another broker company, counts only when the read is complete; an absence only when it has been
// read twice, directoryConfirm apart; and an administrator decides when too many people are affected.
// If a read lists too many new people, an administrator decides about them, too.
func (s *Service) SyncDirectory(ctx context.Context) error {
	_, err := s.syncDirectory(ctx)
	return err
}

// syncDirectory returns again when another read should confirm an absence soon. Reads run one after
// another, so that an older one never overwrites a newer one.
func (s *Service) syncDirectory(ctx context.Context) (again bool, err error) {
	select {
	case s.directory <- struct{}{}:
		defer func() { <-s.directory }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	release, err := s.holdDirectory(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	began := s.Now()
	all, unread := s.readDirectory(ctx)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err := s.seeOriginators(ctx, directoryAnswer{all, unread == nil}); err != nil {
		return false, err
	}
	if unread != nil {
		err := s.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.SaveSetting(ctx, store.DirectoryUnread, whyUnread(unread))
		})
		return false, errors.Join(unread, err)
	}
	j := &judgment{w: s, began: began, listed: make(map[heloc.OriginatorID]heloc.Originator, len(all))}
	for _, o := range all {
		j.listed[o.ID] = o
	}
	ahead, err := j.unassignAhead(ctx)
	announce := sync.OnceFunc(ahead)
	defer announce()
	if err != nil {
		return false, s.continueLater(ctx, err)
	}
	err = s.writeDirectory(ctx, func(tx *store.Tx) error { return j.judge(ctx, tx) })
	announce()
	if err != nil {
		return false, err
	}
	apps, err := s.Store.Explained(ctx)
	for _, l := range apps {
		s.queue.add(refreshRequest{app: l.App, company: l.Company})
	}
	if failed := s.continueLater(ctx, j.giveBack(ctx)); failed != nil {
		s.Log.Error("leads could not be returned to their originators; the next read of the directory continues", "cause",
			failed.Error())
	}
	return j.again, err
}

// holdDirectory waits until no other process reads the directory. The caller must release it.
func (s *Service) holdDirectory(ctx context.Context) (release func(), err error) {
	duty := s.duty(directoryDuty)
	if !duty.Await(ctx, s.Log, nil) {
		return nil, context.Cause(ctx)
	}
	renewing, stop := context.WithCancel(ctx)
	go func() {
		for s.waitOrWake(renewing, store.DutyCheckEvery, nil) {
			if _, err := duty.Held(renewing); err != nil && renewing.Err() == nil {
				s.Log.Warn("the duty to read the directory could not be renewed", "cause", err.Error())
			}
		}
	}()
	return func() {
		stop()
		duty.Leave(ctx, s.Log)
	}, nil
}

// seeOriginators stores the originators in an answer, except those that withoutHeld holds back.
func (s *Service) seeOriginators(ctx context.Context, answer directoryAnswer) error {
	now, err := s.withoutHeld(ctx, answer)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(now, directoryPage) {
		err := s.writeDirectory(ctx, func(tx *store.Tx) error {
			for _, o := range some {
				if err := tx.SeeOriginator(ctx, o, s.Now()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// whyUnread explains to administrators why a read was incomplete.
func whyUnread(err error) string {
	if why, ok := strings.CutPrefix(err.Error(), errIncomplete.Error()+": "); ok {
		return strings.ToUpper(why[:1]) + why[1:] + "."
	}
	if failure, ok := errors.AsType[*partner.Failure](err); ok {
		switch { // what users read would send the administrator to an administrator
		case partner.RefusesKey(failure.Status):
			return "The lender refused Hearthline’s key (HTTP " + strconv.Itoa(failure.Status) + ")."
		case fault.Is(err, fault.Internal):
			return "Something went wrong on our side. The server’s log has the reason."
		}
	}
	return fault.Public(err)
}

// readDirectory reads the originators of all pages. If it returns an error, the read is incomplete and the
// originators are those that it could use.
func (s *Service) readDirectory(ctx context.Context) (all []heloc.Originator, err error) {
	offset, total := 0, 0
	seen := map[heloc.OriginatorID]bool{}
	for page := range maxDirectoryPages {
		got, err := s.Lender.Originators(ctx, partner.OriginatorQuery{Offset: offset, Limit: directoryPage})
		if err != nil {
			return all, err
		}
		p := got.Value
		if page == 0 {
			total = p.Total
		}
		for _, o := range p.Originators {
			if !seen[o.ID] {
				all = append(all, o)
			}
			seen[o.ID] = true
		}
		offset += p.Rows
		switch {
		case p.Total != total:
			return all, incomplete("its pages do not agree on how many originators there are")
		case p.Rows == 0 || offset >= total:
			return all, completeness(len(all), total)
		}
	}
	return all, incomplete("it has too many pages")
}

// completeness checks how many distinct usable originators were read. An empty directory always counts as incomplete,
// because somebody must exist who could request it.
func completeness(usable, total int) error {
	if usable != total || total == 0 {
		return incomplete(fmt.Sprintf("%d of %d entries are usable", usable, total))
	}
	return nil
}

// writeDirectory is saveDirectory, and announces the changes at once.
func (s *Service) writeDirectory(ctx context.Context, change func(tx *store.Tx) error) error {
	announce, err := s.saveDirectory(ctx, change)
	announce()
	return err
}

// saveDirectory changes the directory. When leads become unassigned, it notifies their former originators and the
// company's managers; when covers end, it emails who covered.
func (s *Service) saveDirectory(ctx context.Context, change func(tx *store.Tx) error) (announce func(), err error) {
	return s.Store.WriteUnannounced(ctx, func(tx *store.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		for _, before := range tx.Unassigned {
			after, err := tx.AnyLead(ctx, before.App)
			if err != nil {
				return err
			}
			moved := savedChange{
				before: before, after: after, at: store.Millis(s.Now()), events: []lead.Event{{Kind: lead.EventReassigned}},
			}
			if err := s.notify(ctx, tx, moved); err != nil {
				return err
			}
		}
		if s.CoverMail == nil {
			return nil
		}
		return s.CoverMail.SendCoversEnded(ctx, tx)
	})
}
