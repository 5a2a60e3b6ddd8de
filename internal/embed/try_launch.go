package embed

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/launch"
)

// Trial is a test of a client's launch.
type Trial struct {
	launch.Trial
	Client   Client
	Audience string // the URL that a token must name
	Used     bool   // the launch was posted before
}

// TryLaunch tests what a CRM would send for a launch. It neither stores nor logs anything of it, and the launch can
// still be used. Keys from a URL may be read, as for a launch.
func (s *Service) TryLaunch(ctx context.Context, key string, p launch.Posted) (Trial, error) {
	c, err := s.AnyClient(ctx, key)
	if err == nil && !c.Disabled && c.KeySource.mayTry(s.Now()) {
		c, err = s.readKeys(ctx, key)
	}
	if err != nil {
		return Trial{}, err
	}
	p.Call.Method, p.Call.URI = "POST", s.publicURL("/launch/hubspot/"+key)
	t := Trial{Client: c, Audience: s.publicURL("/launch/jwt/" + key)}
	t.Trial = launch.Try(s.withUsableKeys(c).Client, t.Audience, p, s.Now())
	if t.ReplayKey != "" {
		row, readErr := s.store.LaunchByReplay(ctx, t.ReplayKey)
		err, t.Used = readErr, readErr == nil && (c.Kind != launch.KindCall || row.UserID != "") // a call may be repeated
	}
	return t, fault.Ignore(err, fault.NotFound)
}
