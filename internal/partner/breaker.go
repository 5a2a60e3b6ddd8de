package partner

import (
	"context"
	"errors"
	"time"

	"github.com/sony/gobreaker/v2"
)

// breakers stop us from asking a lender that does not answer. Each class has its
// own, so that slow documents do not stop a submission.
type breakers map[callClass]*gobreaker.CircuitBreaker[*reply]

const (
	breakerThreshold = 6
	breakerOpenTime  = 10 * time.Second
)

func newBreakers() breakers {
	made := breakers{}
	for class, name := range map[callClass]string{classRead: "reads", classWrite: "writes", classDownload: "documents", classPrequalify: "estimates"} {
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

func (b breakers) forClass(class callClass) *gobreaker.CircuitBreaker[*reply] { return b[class] }

// lenderResponded counts a refusal as a sign of life: our own mistakes, a key that is not
// accepted and an unknown application say nothing against the lender's health.
func lenderResponded(err error) bool {
	failure, ok := errors.AsType[*Failure](err)
	return err == nil || ok && failure.Delivery == DeliveryRejected
}

// excludedFromBreaker finds what is no fault of the lender's: the caller went away, or there
// was nothing to send.
func excludedFromBreaker(err error) bool {
	failure, ok := errors.AsType[*Failure](err)
	return errors.Is(err, context.Canceled) || ok && failure.permanent
}
