package partner

import (
	"context"
	"errors"
	"time"

	"github.com/sony/gobreaker/v2"
)

// breakers stop calls to a lender that does not respond. Each class has a separate breaker,
// so that slow documents do not block a submission.
type breakers map[callClass]*gobreaker.CircuitBreaker[*reply]

const (
	breakerThreshold = 6
	breakerOpenTime  = 10 * time.Second
)

func newBreakers() breakers {
	made := breakers{}
	for class, name := range map[callClass]string{classRead: "reads", classWrite: "writes", classDownload: "documents",
		classPrequalify: "estimates"} {
		made[class] = gobreaker.NewCircuitBreaker[*reply](gobreaker.Settings{
			Name:         name,
			Timeout:      breakerOpenTime,
			ReadyToTrip:  func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= breakerThreshold },
			IsSuccessful: lenderResponded,
			IsExcluded:   excludedFromBreaker,
		})
	}
	return made
}

// lenderResponded counts a rejection as a healthy response: our own mistakes, a rejected key
// and an unknown application do not mean that the lender is down.
func lenderResponded(err error) bool {
	failure, ok := errors.AsType[*Failure](err)
	return err == nil || ok && failure.Refused
}

// excludedFromBreaker reports whether a failure is not the lender's: the caller canceled, or
// the error is our own, such as a missing key.
func excludedFromBreaker(err error) bool {
	failure, ok := errors.AsType[*Failure](err)
	return errors.Is(err, context.Canceled) || ok && failure.permanent
}
