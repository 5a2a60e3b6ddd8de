package core

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

const (
	// storageCheckAge is how old the result may be that a page shows: a check reads the complete audit and every lead,
	// seconds at a million leads.
	storageCheckAge = 5 * time.Minute
	// storageCheckWait is how long a page waits for a check. Usually it is over by then.
	storageCheckWait = 2 * time.Second
)

// StorageCheck is the result of a check of everything that is stored.
type StorageCheck struct {
	At            time.Time     // when it was finished; zero if none has been since the start
	AuditRows     int           // rows of the audit that were verified
	AuditIntact   bool          // whether their chain is intact
	AuditBrokenAt int64         // if not, where it is broken
	Undecryptable []heloc.AppID // leads whose borrower's name cannot be decrypted
}

// storageChecks runs one check at a time, in the background, for all who ask. The zero value is ready to use.
type storageChecks struct {
	mu   sync.Mutex
	last StorageCheck
	runs singleflight.Group
}

// Latest returns a result that is at most storageCheckAge old if a check finishes in time; otherwise the previous
// result.
func (c *storageChecks) Latest(ctx context.Context, now store.Clock,
	check func(context.Context) (StorageCheck, error)) (StorageCheck, error) {
	if last := c.result(); !last.At.IsZero() && now().Sub(last.At) >= 0 && now().Sub(last.At) < storageCheckAge {
		return last, nil
	}
	run := c.runs.DoChan("", func() (any, error) {
		got, err := check(context.WithoutCancel(ctx))
		if err == nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.last, c.last.At = got, now()
		}
		return nil, err
	})
	select {
	case ended := <-run:
		return c.result(), ended.Err
	case <-time.After(storageCheckWait):
		return c.result(), nil
	case <-ctx.Done():
		return StorageCheck{}, ctx.Err()
	}
}

func (c *storageChecks) result() StorageCheck {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// CheckStorage verifies the complete audit and decrypts every borrower's name.
func (s Services) CheckStorage(ctx context.Context) (c StorageCheck, err error) {
	if c.Undecryptable, err = s.undecryptable(ctx); err != nil {
		return c, err
	}
	c.AuditBrokenAt, c.AuditRows, c.AuditIntact, err = s.Store.BrokenAudit(ctx)
	return c, err
}

// undecryptable finds the leads whose borrower's name was changed or moved, or whose key is missing.
func (s Services) undecryptable(ctx context.Context) (apps []heloc.AppID, err error) {
	const atOnce = 500
	names := store.SealedColumn{Table: "leads", Key: "app", Column: "borrower"}
	for after := (store.Sealed{}); ; {
		page, err := s.Store.SealedPage(ctx, names, after, atOnce)
		if err != nil {
			return nil, err
		}
		for _, name := range page {
			app := heloc.AppID(name.Row)
			if _, err := s.Vault.UnsealName(app, name.Value); err != nil {
				apps = append(apps, app)
			}
		}
		if len(page) < atOnce {
			return apps, nil
		}
		after = page[len(page)-1]
	}
}
