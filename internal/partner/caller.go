package partner

import "context"

// Caller is for whom calls to the lender are made. Companies share the lender's rate, which serves them in turn.
type Caller struct {
	// User is the id of the user who waits for the answer; empty for none.
	User string
	// Company is the company of the user or the lead; empty for work that belongs to no company.
	Company string
	// Background reports that nobody waits for the answer.
	Background bool
}

type callerKey struct{}

// WithCaller sets for whom the calls under this context are made. Without it, a call has the zero Caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns for whom the calls under a context are made.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
