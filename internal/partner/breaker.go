package partner

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
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

const (
	maxTries          = 3
	initialRetryDelay = 200 * time.Millisecond
	maxRetryDelay     = 10 * time.Second // if a longer delay is necessary, the call fails instead
)

// retryDelay returns how long to wait after a failed try, and whether to try again at all. It
// does not retry what the lender rejected, except with 429, or after three tries. The delay
// is what the lender asked for plus a random time up to a limit that doubles (full
// jitter), so that many clients that failed together do not retry together.
func retryDelay(try int, failure *Failure) (time.Duration, bool) {
	if try >= maxTries || failure.permanent || failure.Refused && failure.Status != http.StatusTooManyRequests {
		return 0, false
	}
	pause := failure.retryAfter + rand.N(initialRetryDelay<<(try-1))
	return pause, pause <= maxRetryDelay
}

// retryAfter parses both forms of the header, seconds and a date; 0 if absent.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 86_400)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
