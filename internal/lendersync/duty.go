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
func (s *Service) onDuty(ctx context.Context) bool {
	if s.Owner == "" {
		return true
	}
	held, err := s.Store.Duty(scheduledDuty, s.Owner).Held(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log.Error("whose duty it is could not be read", "cause", err.Error())
	}
	return held && err == nil
}

// releaseDuty lets another process do the scheduled work, when this one ends.
func (s *Service) releaseDuty(ctx context.Context) {
	if s.Owner == "" {
		return
	}
	if err := s.Store.Duty(scheduledDuty, s.Owner).Release(context.WithoutCancel(ctx)); err != nil {
		s.Log.Warn("the duty could not be released; another process takes over when it expires", "cause", err.Error())
	}
}

// awaitDuty returns when this process does the scheduled work or wake receives a signal; false when the context has
// ended.
func (s *Service) awaitDuty(ctx context.Context, wake <-chan struct{}) bool {
	for !s.onDuty(ctx) {
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
func (s *Service) holdDirectory(ctx context.Context) (release func(), err error) {
	if s.Owner == "" {
		return func() {}, nil
	}
	duty := s.Store.Duty(directoryDuty, s.Owner)
	for {
		held, err := duty.Held(ctx)
		if err != nil {
			return nil, err
		}
		if held {
			break
		}
		if !s.waitOrWake(ctx, dutyCheckEvery, nil) {
			return nil, context.Cause(ctx)
		}
	}
	renewing, stop := context.WithCancel(ctx)
	go func() {
		for s.waitOrWake(renewing, dutyCheckEvery, nil) {
			if _, err := duty.Held(renewing); err != nil && renewing.Err() == nil {
				s.Log.Warn("the duty to read the directory could not be renewed", "cause", err.Error())
			}
		}
	}()
	return func() {
		stop()
		if err := duty.Release(context.WithoutCancel(ctx)); err != nil {
			s.Log.Warn("the duty to read the directory could not be released", "cause", err.Error())
		}
	}, nil
}
