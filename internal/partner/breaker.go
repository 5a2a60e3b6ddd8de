package partner

import (
	"context"
	"errors"
	"time"

	"github.com/sony/gobreaker/v2"
)

// breakers stop us from asking a lender that does not answer. Each class has its
// own, so that slow documents do not stop a submission.
type breakers map[class]*gobreaker.CircuitBreaker[*reply]

const (
	failuresToOpen = 6
	openFor        = 10 * time.Second
)

func newBreakers() breakers {
	made := breakers{}
	for class, name := range map[class]string{reading: "reads", writing: "writes", streaming: "documents", estimating: "estimates"} {
		made[class] = gobreaker.NewCircuitBreaker[*reply](gobreaker.Settings{
			Name:         name,
			Timeout:      openFor,
			ReadyToTrip:  func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= failuresToOpen },
			IsSuccessful: answered,
			IsExcluded:   givenUp,
		})
	}
	return made
}

func (b breakers) of(class class) *gobreaker.CircuitBreaker[*reply] { return b[class] }

// answered counts a refusal as a sign of life: our own mistakes, a key that is not
// accepted and an unknown application say nothing against the lender's health.
func answered(err error) bool {
	failure, ok := errors.AsType[*Failure](err)
	return err == nil || ok && failure.Reached == Refused
}

// givenUp finds what is no fault of the lender's: the caller went away, or there
// was nothing to send.
func givenUp(err error) bool {
	failure, ok := errors.AsType[*Failure](err)
	return errors.Is(err, context.Canceled) || ok && failure.final
}
