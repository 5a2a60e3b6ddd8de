package embed

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// The doors at which a client is refused.
const (
	DoorLaunch = "launch"
	DoorCard   = "card"
)

// Refusal is the last time that a client was refused for a cause.
type Refusal struct {
	Door  string
	Cause launch.Cause
	At    time.Time
}

// notedAnew is how soon the same refusal is written down again: whoever sends forgeries
// without end does not keep the writer busy.
const notedAnew = 10 * time.Second

// Refusals lists why a client was refused of late, the latest first, for whoever looks
// after it: the person in front of it is told one sentence, whatever it was.
func (s *Service) Refusals(ctx context.Context, key string) ([]Refusal, error) {
	rows, err := s.store.EmbedRefusals(ctx, key)
	all := make([]Refusal, len(rows))
	for i, r := range rows {
		all[i] = Refusal{Door: r.Door, Cause: launch.Cause(r.Cause), At: store.Instant(r.At)}
	}
	return all, err
}

// noted writes down why a client was refused, and gives the refusal back. What cannot be
// written down changes no answer.
func (s *Service) noted(ctx context.Context, c Client, door string, refused error) error {
	row := store.EmbedRefusal{Key: c.Key, Door: door, At: store.Millis(s.Now())}
	_, often := errors.AsType[*account.TooSoon](refused)
	switch kind := fault.KindOf(refused); {
	case often:
		row.Cause = string(launch.CauseOften)
	case kind == fault.Denied:
		row.Cause = string(launch.CauseOf(refused))
	case kind == fault.NotFound:
		row.Cause = string(launch.CauseWay)
	case kind == fault.Conflict:
		row.Cause = string(launch.CauseUsed)
	default:
		return refused // a failure of ours says nothing of the client
	}
	if again, err := s.store.EmbedRefusedSince(ctx, row, s.Now().Add(-notedAnew)); err == nil && !again {
		_ = s.write(ctx, func(tx *store.Tx) error { return tx.SaveEmbedRefusal(ctx, row) })
	}
	return refused
}
