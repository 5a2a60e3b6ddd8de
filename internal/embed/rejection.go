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
	EndpointLaunch = "launch"
	EndpointCard   = "card"
)

// Rejection is the last time that a client was refused for a cause.
type Rejection struct {
	Endpoint string
	Cause    launch.Cause
	At       time.Time
}

// rejectionInterval is how soon the same refusal is written down again: whoever sends forgeries
// without end does not keep the writer busy.
const rejectionInterval = 10 * time.Second

// Rejections lists why a client was refused of late, the latest first, for whoever looks
// after it: the person in front of it is told one sentence, whatever it was.
func (s *Service) Rejections(ctx context.Context, key string) ([]Rejection, error) {
	rows, err := s.store.EmbedRejections(ctx, key)
	all := make([]Rejection, len(rows))
	for i, r := range rows {
		all[i] = Rejection{Endpoint: r.Endpoint, Cause: launch.Cause(r.Cause), At: store.Instant(r.At)}
	}
	return all, err
}

// logRejection writes down why a client was refused, and gives the refusal back. What cannot be
// written down changes no answer.
func (s *Service) logRejection(ctx context.Context, c Client, door string, refused error) error {
	row := store.EmbedRejection{Key: c.Key, Endpoint: door, At: store.Millis(s.Now())}
	_, often := errors.AsType[*account.TooSoon](refused)
	switch kind := fault.KindOf(refused); {
	case often:
		row.Cause = string(launch.CauseRateLimit)
	case kind == fault.Denied:
		row.Cause = string(launch.CauseOf(refused))
	case kind == fault.NotFound:
		row.Cause = string(launch.CauseWrongKind)
	case kind == fault.Conflict:
		row.Cause = string(launch.CauseUsed)
	default:
		return refused // a failure of ours says nothing of the client
	}
	if again, err := s.store.EmbedRejectedSince(ctx, row, s.Now().Add(-rejectionInterval)); err == nil && !again {
		_ = s.write(ctx, func(tx *store.Tx) error { return tx.SaveEmbedRejection(ctx, row) })
	}
	return refused
}
