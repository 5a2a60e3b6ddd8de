package watch

import (
	"context"
	"strconv"
	"time"

	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

const (
	directoryEvery = time.Hour
	directoryRetry = time.Minute
	directoryPage  = 100
	directoryPages = 1000 // should a lender show the same page for ever
)

// directoryLoop reads the lender's originators at once, hourly, and when somebody is
// missing, but never more than once a minute.
func (w *Watch) directoryLoop(ctx context.Context) {
	for {
		pause := directoryEvery
		if err := w.SyncDirectory(ctx); err != nil && ctx.Err() == nil {
			w.Log.Warn("the directory could not be read", "cause", err.Error())
			pause = directoryRetry
		}
		if !w.rest(ctx, directoryRetry, nil) || !w.rest(ctx, pause-directoryRetry, w.missed) {
			return
		}
	}
}

// rest waits until a time has passed or a bell rings; false when the context has ended.
func (w *Watch) rest(ctx context.Context, pause time.Duration, bell <-chan struct{}) bool {
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

// SyncDirectory reads all originators by pages. Who is no longer there is marked as gone,
// but only after a complete reading: an empty answer is a hiccup, not an exodus.
func (w *Watch) SyncDirectory(ctx context.Context) error {
	began := w.Now()
	offset := 0
	for range directoryPages {
		got, err := w.Lender.Originators(ctx, partner.OriginatorQuery{Offset: offset, Limit: directoryPage})
		if err != nil {
			return err
		}
		page := got.Value
		err = w.writeDirectory(ctx, func(tx *store.Tx) error {
			for _, o := range page.Originators {
				if err := tx.SaveOriginator(ctx, o, w.Now()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		offset += len(page.Originators)
		if len(page.Originators) == 0 || page.Total > 0 && offset >= page.Total {
			break
		}
	}
	if offset == 0 {
		return nil
	}
	return w.writeDirectory(ctx, func(tx *store.Tx) error { return tx.MarkGone(ctx, began, w.Now()) })
}

// writeDirectory changes the directory, tells who had a lead and who manages its company
// when it has become nobody's, and announces such leads.
func (w *Watch) writeDirectory(ctx context.Context, change func(tx *store.Tx) error) error {
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
			said, err := w.tell(ctx, tx, telling{before: before, after: after, at: store.Millis(w.Now()), events: []store.Event{{Kind: store.EventMoved}}})
			if err != nil {
				return err
			}
			moved, told = append(moved, waiting{before, after}), append(told, said...)
		}
		for _, who := range tx.Left {
			asked, err := w.askAbout(ctx, tx, who)
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
	w.ringFor(told)
	return nil
}

// askAbout asks who keeps a company to whom the work of somebody goes who has left it; nobody
// when they left none. It gives the ids of those who were asked.
func (w *Watch) askAbout(ctx context.Context, tx *store.Tx, who store.Leaver) (asked []string, err error) {
	leads, drafts, err := tx.LeftBy(ctx, who)
	if err != nil || leads+drafts == 0 {
		return nil, err
	}
	keepers, err := tx.Keepers(ctx, who.From)
	at := store.Millis(w.Now())
	for _, keeper := range keepers {
		if err != nil {
			return nil, err
		}
		var fresh bool
		facts := journal.Facts(w.Vault, "left", who.UserID, who.From, strconv.FormatInt(at, 10))
		fresh, err = tx.Notify(ctx, store.Notification{
			UserID: keeper.UserID, Company: store.SeatOf(keeper.Actor).Company, Person: who.UserID, Kind: store.NoticeLeft, ByName: who.Name, N: leads + drafts, At: at,
			Fact: facts[0], Older: facts[1:],
		})
		if fresh {
			asked = append(asked, keeper.UserID)
		}
	}
	return asked, err
}
