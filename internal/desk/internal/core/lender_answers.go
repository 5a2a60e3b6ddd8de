package core

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/store"
)

// quotesAgain is how long store.LenderNoQuotes is valid.
const quotesAgain = time.Hour

// LenderAnswers says what the lender may answer about offers, as far as its earlier responses show.
type LenderAnswers struct {
	Quotes     bool // offers for a draw
	OfferCosts bool // the costs of an offer before it is selected
}

// ReadLenderAnswers reads what the lender may answer about offers.
func (l Lead) ReadLenderAnswers(ctx context.Context) (LenderAnswers, error) {
	if err := l.May(access.SeeLead); err != nil {
		return LenderAnswers{}, err
	}
	refused, err := l.Store.Settings(ctx, store.LenderNoQuotes, store.LenderNoCosts)
	if err != nil {
		return LenderAnswers{}, err
	}
	return l.LenderAnswers(refused[store.LenderNoQuotes], refused[store.LenderNoCosts]), nil
}

// LenderAnswers returns what the lender may answer; the arguments are when it refused each, if it did.
func (s Services) LenderAnswers(noQuotes, noCosts string) LenderAnswers {
	return LenderAnswers{Quotes: s.mayAskAgain(noQuotes, quotesAgain), OfferCosts: s.mayAskAgain(noCosts, costsRetryAfter)}
}

// mayAskAgain reports whether the lender may be asked for something that it refused at an instant, which is empty if it
// never did.
func (s Services) mayAskAgain(refused string, after time.Duration) bool {
	at, err := time.Parse(time.RFC3339, refused)
	return err != nil || s.Now().Sub(at) > after
}

// costsRetryAfter is how long store.LenderNoCosts is valid.
const costsRetryAfter = 24 * time.Hour
