package lendersync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

const (
	directoryEvery    = time.Hour
	directoryRetry    = time.Minute
	directoryPage     = 100
	maxDirectoryPages = 1000 // should a lender show the same page for ever

	// directoryConfirm is how long an originator must be absent, by two complete reads.
	directoryConfirm = 10 * time.Minute
)

// directoryLoop reads the lender's originators at once, hourly, and when somebody is
// missing, but never more than once a minute.
func (w *Service) directoryLoop(ctx context.Context) {
	for first := true; ; first = false {
		pause := directoryEvery
		if !first && !w.awaitReadForLookUp(ctx) {
			return
		}
		again, err := w.syncDirectory(ctx)
		if !first {
			w.lookUps.endRead(err)
		}
		if err != nil && ctx.Err() == nil {
			w.Log.Warn("the directory could not be read", "cause", err.Error())
		}
		switch {
		case errors.Is(err, errIncomplete), err == nil && again:
			pause = directoryConfirm
		case err != nil:
			pause = directoryRetry
		}
		if !w.waitOrWake(ctx, directoryRetry, nil) || !w.waitOrWake(ctx, pause-directoryRetry, w.originatorMissing) {
			return
		}
	}
}

// awaitReadForLookUp waits until a minute has passed since the directory was read for an unknown
// originator; false when the context has ended.
func (w *Service) awaitReadForLookUp(ctx context.Context) bool {
	for {
		wait := w.lookUps.beginRead(w.Now())
		if wait <= 0 {
			return true
		}
		if !w.waitOrWake(ctx, wait, nil) {
			return false
		}
	}
}

// waitOrWake waits until a time has passed or a bell rings; false when the context has ended.
func (w *Service) waitOrWake(ctx context.Context, pause time.Duration, bell <-chan struct{}) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	case <-bell:
	}
	return true
}

// errIncomplete is a read of the directory that was answered, but not with all originators.
var errIncomplete = errors.New("the lender’s directory was not read completely")

func incomplete(why string) error { return fmt.Errorf("%w: %s", errIncomplete, why) }

// SyncDirectory reads all originators by pages. What takes something from people, an absence or
// another broker company, counts only when the read is complete; an absence only when it has been
// read twice, directoryConfirm apart; and an administrator decides when too many people are affected.
func (w *Service) SyncDirectory(ctx context.Context) error {
	_, err := w.syncDirectory(ctx)
	return err
}

// syncDirectory answers whether an absence is to be confirmed by another read soon. One read
// follows the other, so that no older one prevails.
func (w *Service) syncDirectory(ctx context.Context) (again bool, err error) {
	select {
	case w.directory <- struct{}{}:
		defer func() { <-w.directory }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	began := w.Now()
	all, unread := w.readDirectory(ctx)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	for some := range slices.Chunk(all, directoryPage) {
		err := w.writeDirectory(ctx, func(tx *store.Tx) error {
			for _, o := range some {
				if err := tx.SeeOriginator(ctx, o, w.Now()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	if unread != nil {
		err := w.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, store.DirectoryUnread, whyUnread(unread)) })
		return false, errors.Join(unread, err)
	}
	j := &judgment{w: w, began: began, listed: make(map[heloc.OriginatorID]heloc.Originator, len(all))}
	for _, o := range all {
		j.listed[o.ID] = o
	}
	err = w.writeDirectory(ctx, func(tx *store.Tx) error { return j.judge(ctx, tx) })
	if err != nil {
		return false, err
	}
	w.publishInboxes(j.told)
	apps, err := w.Store.Explained(ctx)
	for _, app := range apps {
		w.queue.add(refreshRequest{app: app})
	}
	return j.again, err
}

// whyUnread says to administrators why a read was not complete.
func whyUnread(err error) string {
	if why, ok := strings.CutPrefix(err.Error(), errIncomplete.Error()+": "); ok {
		return strings.ToUpper(why[:1]) + why[1:] + "."
	}
	return fault.Public(err)
}

// readDirectory reads the originators of all pages. With an error the read is not complete, and
// they are those that could be used.
func (w *Service) readDirectory(ctx context.Context) (all []heloc.Originator, err error) {
	offset, total := 0, 0
	seen := map[heloc.OriginatorID]bool{}
	for page := range maxDirectoryPages {
		got, err := w.Lender.Originators(ctx, partner.OriginatorQuery{Offset: offset, Limit: directoryPage})
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

// completeness judges how many distinct usable originators were read. A directory of nobody is
// never believed: nobody could ask for it.
func completeness(usable, total int) error {
	if usable != total || total == 0 {
		return incomplete(fmt.Sprintf("%d of %d entries are usable", usable, total))
	}
	return nil
}

// writeDirectory changes the directory, tells who had a lead and who manages its company
// when it has become nobody's, and announces such leads and those that return.
func (w *Service) writeDirectory(ctx context.Context, change func(tx *store.Tx) error) error {
	type waiting struct{ before, after store.Lead }
	var moved []waiting
	var told []string
	err := w.Store.Write(ctx, func(tx *store.Tx) error {
		moved, told = nil, nil
		if err := change(tx); err != nil {
			return err
		}
		for _, before := range tx.Unassigned {
			after, err := tx.AnyLead(ctx, before.App)
			if err != nil {
				return err
			}
			said, err := w.notify(ctx, tx, savedChange{before: before, after: after, at: store.Millis(w.Now()), events: []store.Event{{Kind: store.EventReassigned}}})
			if err != nil {
				return err
			}
			moved, told = append(moved, waiting{before, after}), append(told, said...)
		}
		for _, before := range tx.Returned {
			after, err := tx.AnyLead(ctx, before.App)
			if err != nil {
				return err
			}
			moved = append(moved, waiting{before, after})
		}
		for _, who := range tx.Departed {
			asked, err := w.notifyDeparture(ctx, tx, who)
			if err != nil {
				return err
			}
			told = append(told, asked...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range moved {
		w.announce(m.after, m.before)
	}
	w.publishInboxes(told)
	return nil
}

// notifyDeparture asks who keeps a company to whom the work of somebody goes who has left it; nobody
// when they left none. It gives the ids of those who were asked.
func (w *Service) notifyDeparture(ctx context.Context, tx *store.Tx, who store.DepartedUser) (asked []string, err error) {
	leads, drafts, err := tx.DepartedCounts(ctx, who)
	if err != nil || leads+drafts == 0 {
		return nil, err
	}
	keepers, err := tx.ResponsibleManagers(ctx, who.Company)
	at := store.Millis(w.Now())
	for _, keeper := range keepers {
		if err != nil {
			return nil, err
		}
		var fresh bool
		facts := journal.NoticeDedupKeys(w.Vault, "left", who.UserID, who.Company, strconv.FormatInt(at, 10))
		fresh, err = tx.Notify(ctx, store.Notification{
			UserID: keeper.UserID, Company: store.UserScopeOf(keeper.Actor).Company, Person: who.UserID, Kind: store.NoticeDeparted, ByName: who.Name, N: leads + drafts, At: at,
			DedupKey: facts[0], OldDedupKeys: facts[1:],
		})
		if fresh {
			asked = append(asked, keeper.UserID)
		}
	}
	return asked, err
}
