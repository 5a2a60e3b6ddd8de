package embed

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// LaunchByCall verifies a launch that a CRM's server asks for, and gives the code of the one-time
// publicURL for its person's browser. The same call again, which a CRM makes after an answer
// it did not get, has another code for the same launch, while nobody has gone on with it.
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
		return VerifiedLaunch{}, fault.New(fault.NotFound, "There is nothing at this address.")
	}
	call.URI = s.publicURL("/launch/hubspot/" + c.Key) // and never what the request says of itself
	a, err := launch.VerifyLaunchCall(c.Client, call, s.Now())
	if err != nil {
		return VerifiedLaunch{}, err
	}
	l, err := s.saveLaunch(ctx, c, a)
	if fault.KindOf(err) == fault.Conflict {
		row, again := s.store.LaunchByReplay(ctx, a.ReplayKey)
		if again != nil || row.UserID != "" {
			return VerifiedLaunch{}, err
		}
		return s.decryptLaunch(ctx, c, row)
	}
	return l, err
}

// RedeemLaunchURL takes the code of a one-time address.
func (s *Service) RedeemLaunchURL(ctx context.Context, key, code string) (PendingLaunch, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return PendingLaunch{}, err
	}
	by := codeFor(code, forLaunchURL)
	row, err := s.launchOfCode(ctx, c, by)
	if err == nil {
		err = s.write(ctx, func(tx *store.Tx) error { return s.consumeCode(ctx, tx, by) })
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
