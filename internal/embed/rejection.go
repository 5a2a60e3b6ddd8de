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

// The endpoints that reject a client.
const (
	EndpointLaunch = "launch"
	EndpointCard   = "card"
)

// Rejection is the latest time at which a client was rejected for a cause.
type Rejection struct {
	Endpoint string
	Cause    launch.Cause
	At       time.Time
}

// rejectionInterval is the minimum time before the same rejection is stored again, so that a
// flood of forgeries does not keep the database busy.
const rejectionInterval = 10 * time.Second

// Rejections lists the recent rejections of a client, the latest first, for its administrator;
// the user sees the same message for every cause.
func (s *Service) Rejections(ctx context.Context, key string) ([]Rejection, error) {
	rows, err := s.store.EmbedRejections(ctx, key)
	all := make([]Rejection, len(rows))
	for i, r := range rows {
		all[i] = Rejection{Endpoint: r.Endpoint, Cause: launch.Cause(r.Cause), At: store.Instant(r.At)}
	}
	return all, err
}

// logRejection stores why a client was rejected, and returns the rejection. An error while
// storing does not change the response.
func (s *Service) logRejection(ctx context.Context, c Client, endpoint string, rejected error) error {
	row := store.EmbedRejection{Key: c.Key, Endpoint: endpoint, At: store.Millis(s.Now())}
	_, tooOften := errors.AsType[*account.TooSoon](rejected)
	switch kind := fault.KindOf(rejected); {
	case tooOften:
		row.Cause = string(launch.CauseRateLimit)
	case kind == fault.Denied:
		row.Cause = string(launch.CauseOf(rejected))
	case kind == fault.NotFound:
		row.Cause = string(launch.CauseWrongKind)
	case kind == fault.Conflict:
		row.Cause = string(launch.CauseUsed)
	default:
		return rejected // our own failure is not the client's fault
	}
	if recent, err := s.store.EmbedRejectedSince(ctx, row, s.Now().Add(-rejectionInterval)); err == nil && !recent {
		_ = s.write(ctx, func(tx *store.Tx) error { return tx.SaveEmbedRejection(ctx, row) })
	}
	return rejected
}
