package partner

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	maxTries          = 3
	initialRetryDelay = 200 * time.Millisecond
	maxRetryDelay     = 10 * time.Second // longer than this the caller is better told
)

// retryDelay says how long to wait after a failed try, and whether to try again at
// all: not what the lender refused, save for its being busy, and not past three tries.
// The pause is anything up to a limit that doubles (full jitter), so that many
// clients that failed together do not come back together; never less than the
// lender asked for.
func retryDelay(try int, failure *Failure) (time.Duration, bool) {
	if try >= maxTries || failure.Delivery == DeliveryRejected && failure.Status != http.StatusTooManyRequests {
		return 0, false
	}
	if failure.permanent {
		return 0, false
	}
	pause := failure.retryAfter + rand.N(initialRetryDelay<<(try-1))
	return pause, pause <= maxRetryDelay
}

// retryAfter reads the header in both of its forms, seconds and a date; 0 if absent.
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
