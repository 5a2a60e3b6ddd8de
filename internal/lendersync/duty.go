package lendersync

import (
	"context"
	"time"
)

// Several processes can serve one database. One of them does the scheduled work; the others only read what their own
// users and webhooks ask for.
const (
	scheduledDuty  = "lender sync"
	directoryDuty  = "directory"
	dutyCheckEvery = 3 * time.Second // well below the time after which another process takes over
)

// onDuty reports whether this process does the scheduled work.
func (w *Service) onDuty(ctx context.Context) bool {
	if w.Owner == "" {
		return true
	}
	held, err := w.Store.Duty(scheduledDuty, w.Owner).Held(ctx)
	if err != nil && ctx.Err() == nil {
		w.Log.Error("whose duty it is could not be read", "cause", err.Error())
	}
	return held && err == nil
}

// releaseDuty lets another process do the scheduled work, when this one ends.
func (w *Service) releaseDuty(ctx context.Context) {
	if w.Owner == "" {
		return
	}
	if err := w.Store.Duty(scheduledDuty, w.Owner).Release(context.WithoutCancel(ctx)); err != nil {
		w.Log.Warn("the duty could not be released; another process takes over when it expires", "cause", err.Error())
	}
}

// awaitDuty returns when this process does the scheduled work or wake receives a signal; false when the context has ended.
func (w *Service) awaitDuty(ctx context.Context, wake <-chan struct{}) bool {
	for !w.onDuty(ctx) {
		select {
		case <-ctx.Done():
			return false
		case <-wake:
			return true
		case <-time.After(dutyCheckEvery):
		}
	}
	return ctx.Err() == nil
}

// holdDirectory waits until no other process reads the directory. The caller must release it.
func (w *Service) holdDirectory(ctx context.Context) (release func(), err error) {
	if w.Owner == "" {
		return func() {}, nil
	}
	duty := w.Store.Duty(directoryDuty, w.Owner)
	for {
		held, err := duty.Held(ctx)
		if err != nil {
			return nil, err
		}
		if held {
			break
		}
		if !w.waitOrWake(ctx, dutyCheckEvery, nil) {
			return nil, context.Cause(ctx)
		}
	}
	renewing, stop := context.WithCancel(ctx)
	go func() {
		for w.waitOrWake(renewing, dutyCheckEvery, nil) {
			if _, err := duty.Held(renewing); err != nil && renewing.Err() == nil {
				w.Log.Warn("the duty to read the directory could not be renewed", "cause", err.Error())
			}
		}
	}()
	return func() {
		stop()
		if err := duty.Release(context.WithoutCancel(ctx)); err != nil {
			w.Log.Warn("the duty to read the directory could not be released", "cause", err.Error())
		}
	}, nil
}
