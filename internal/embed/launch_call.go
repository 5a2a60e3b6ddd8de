package embed

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// LaunchByCall verifies a launch that a CRM's server requests, and returns the code of the
// one-time URL for its user's browser. The same call again, which a CRM makes after a lost
// response, gets another code for the same launch until a user has continued it.
func (s *Service) LaunchByCall(ctx context.Context, key string, call launch.Call) (code string, err error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return "", err
	}
	l, err := s.verifyCall(ctx, c, call)
	if err != nil {
		return "", s.logRejection(ctx, c, EndpointLaunch, err)
	}
	return s.newCode(ctx, store.LaunchCode{LaunchID: l.ID, Purpose: forLaunchURL}, launchURLTime)
}

func (s *Service) verifyCall(ctx context.Context, c Client, call launch.Call) (VerifiedLaunch, error) {
	if c.Kind != launch.KindCall {
		return VerifiedLaunch{}, fault.New(fault.NotFound, "Page not found.")
	}
	call.URI = s.publicURL("/launch/hubspot/" + c.Key) // never what the request says
	a, err := launch.VerifyLaunchCall(c.Client, call, s.Now())
	if err != nil {
		return VerifiedLaunch{}, err
	}
	l, err := s.saveLaunch(ctx, c, a)
	if fault.Is(err, fault.Conflict) {
		row, readErr := s.store.LaunchByReplay(ctx, a.ReplayKey)
		if readErr != nil || row.UserID != "" {
			return VerifiedLaunch{}, err
		}
		return s.decryptLaunch(ctx, c, row)
	}
	return l, err
}

// RedeemLaunchURL exchanges the code of a one-time URL for a pending launch.
func (s *Service) RedeemLaunchURL(ctx context.Context, key, code string) (PendingLaunch, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return PendingLaunch{}, err
	}
	by := codeFor(code, forLaunchURL)
	row, err := s.launchOfCode(ctx, c, by)
	if err == nil {
		err = s.store.Write(ctx, func(tx *store.Tx) error { return s.consumeCode(ctx, tx, by) })
	}
	if err != nil {
		return PendingLaunch{}, s.logRejection(ctx, c, EndpointLaunch, err)
	}
	l, err := s.decryptLaunch(ctx, c, row)
	if err != nil {
		return PendingLaunch{}, err
	}
	return s.newPendingLaunch(ctx, l)
}
