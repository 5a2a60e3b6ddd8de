package embed

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// Call verifies a launch that a CRM's server asks for, and gives the code of the one-time
// address for its person's browser. The same call again, which a CRM makes after an answer
// it did not get, has another code for the same launch, while nobody has gone on with it.
func (s *Service) Call(ctx context.Context, key string, call launch.Call) (code string, err error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return "", err
	}
	l, err := s.called(ctx, c, call)
	if err != nil {
		return "", s.noted(ctx, c, DoorLaunch, err)
	}
	return s.code(ctx, store.LaunchCode{LaunchID: l.ID, Purpose: forDoor}, doorTime)
}

func (s *Service) called(ctx context.Context, c Client, call launch.Call) (Launched, error) {
	if c.Kind != launch.KindCall {
		return Launched{}, fault.New(fault.NotFound, "There is nothing at this address.")
	}
	call.URI = s.address("/launch/hubspot/" + c.Key) // and never what the request says of itself
	a, err := launch.Called(c.Client, call, s.Now())
	if err != nil {
		return Launched{}, err
	}
	l, err := s.keep(ctx, c, a)
	if fault.KindOf(err) == fault.Conflict {
		row, again := s.store.LaunchByReplay(ctx, a.ReplayKey)
		if again != nil || row.UserID != "" {
			return Launched{}, err
		}
		return s.read(ctx, c, row)
	}
	return l, err
}

// Door takes the code of a one-time address.
func (s *Service) Door(ctx context.Context, key, code string) (Pressable, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Pressable{}, err
	}
	by := step(code, forDoor)
	row, err := s.led(ctx, c, by)
	if err == nil {
		err = s.write(ctx, func(tx *store.Tx) error { return s.spend(ctx, tx, by) })
	}
	if err != nil {
		return Pressable{}, s.noted(ctx, c, DoorLaunch, err)
	}
	l, err := s.read(ctx, c, row)
	if err != nil {
		return Pressable{}, err
	}
	return s.pressable(ctx, l)
}
