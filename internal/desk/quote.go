package desk

import (
	"context"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// quotesKept is how many quotes a lead keeps; the oldest go first.
const quotesKept = 400

// QuoteHead is what was asked with a quote, and how much came.
type QuoteHead struct {
	ID      string             `json:"-"`
	At      time.Time          `json:"-"`
	ActorID string             `json:"-"` // who asked
	Name    string             `json:"name,omitempty"`
	Ask     heloc.QuoteRequest `json:"ask"`
	// Payoff says that it answered direct-debt-payoff-offers, which takes the accounts
	// alone: the amount is then what was looked at, and the lender was not told it.
	Payoff bool `json:"payoff,omitempty"`
	Offers int  `json:"offers"`
}

// KeptQuote is a quote as it is kept: what was asked, and what the lender answered.
type KeptQuote struct {
	QuoteHead
	Answer heloc.Quote `json:"answer"`
}

// Quote asks for offers at another draw, fee, discount or payoff (section 4.2), and keeps
// the answer. It is a question: no operation id, no lease. fault.NotFound says that this
// lender does not quote anew.
func (l *Lead) Quote(ctx context.Context, ask heloc.QuoteRequest) (heloc.Quote, error) {
	if err := l.mayAsk(ctx); err != nil {
		return heloc.Quote{}, err
	}
	if err := l.owes(ctx, "offer.selectedAccountsToPayoff", ask.AccountIDs); err != nil {
		return heloc.Quote{}, err
	}
	got, err := l.d.Lender.Quote(ctx, l.row.App, ask)
	if fault.KindOf(err) == fault.NotFound {
		if failed := l.notQuotable(ctx); failed != nil {
			return heloc.Quote{}, failed
		}
	}
	if err != nil {
		return heloc.Quote{}, err
	}
	return got.Value, l.keepQuote(ctx, QuoteHead{Ask: ask}, got.Value)
}

// PayoffOffers asks for the offers that pay off these debts (section 4.8), and keeps the
// answer, also an empty one. Draw is the amount that is looked at; the lender is not told.
func (l *Lead) PayoffOffers(ctx context.Context, accounts []string, draw heloc.Money) ([]heloc.Offer, error) {
	if err := l.mayAsk(ctx); err != nil {
		return nil, err
	}
	if err := l.owes(ctx, "offer.selectedAccountsToPayoff", accounts); err != nil {
		return nil, err
	}
	got, err := l.d.Lender.PayoffOffers(ctx, l.row.App, accounts)
	if err != nil {
		return nil, err
	}
	ask := heloc.QuoteRequest{AccountIDs: slices.Sorted(slices.Values(accounts))}
	if draw > 0 {
		ask.Amount = &draw
	}
	return got.Value.Offers, l.keepQuote(ctx, QuoteHead{Ask: ask, Payoff: true}, heloc.Quote{Offers: got.Value.Offers})
}

// mayAsk says whether the person may put a question about the lead to the lender now.
func (l *Lead) mayAsk(ctx context.Context) error {
	if err := l.d.may(access.ActOnLead); err != nil {
		return err
	}
	return l.here(ctx)
}

// Quotes lists what was asked of the lead's quotes, newest first; their offers stay closed.
func (l *Lead) Quotes(ctx context.Context) ([]QuoteHead, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return nil, err
	}
	rows, err := l.d.Store.Quotes(ctx, l.row.App, quotesKept)
	if err != nil {
		return nil, err
	}
	heads := make([]QuoteHead, len(rows))
	for i, row := range rows {
		if heads[i], err = l.headOf(row); err != nil {
			return nil, err
		}
	}
	return heads, nil
}

// KeptQuote opens one quote of the lead as it was; fault.NotFound when it is none of it.
func (l *Lead) KeptQuote(ctx context.Context, id string) (KeptQuote, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return KeptQuote{}, err
	}
	row, err := l.d.Store.Quote(ctx, l.row.App, id)
	if err != nil {
		return KeptQuote{}, err
	}
	kept, err := vault.UnsealJSON[KeptQuote](l.d.Vault, journal.PlaceOfQuote(row.ID), row.Sealed)
	if err != nil {
		return KeptQuote{}, err
	}
	kept.QuoteHead, err = l.headOf(row)
	return kept, err
}

// QuotesWith opens the quotes in which these offers were supplied, newest first. It is
// read as far back as it takes to find each of them, and no farther.
func (l *Lead) QuotesWith(ctx context.Context, offers []string) ([]KeptQuote, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return nil, err
	}
	missing := slices.DeleteFunc(slices.Clone(offers), func(id string) bool { return id == "" })
	if len(missing) == 0 {
		return nil, nil
	}
	rows, err := l.d.Store.Quotes(ctx, l.row.App, quotesKept)
	if err != nil {
		return nil, err
	}
	var found []KeptQuote
	for _, row := range rows {
		if len(missing) == 0 {
			break
		}
		quote, err := l.KeptQuote(ctx, row.ID)
		if err != nil {
			return nil, err
		}
		left := slices.DeleteFunc(slices.Clone(missing), func(id string) bool { return offered(quote.Answer.Offers, id) })
		if len(left) < len(missing) {
			found, missing = append(found, quote), left
		}
	}
	return found, nil
}

func offered(offers []heloc.Offer, id string) bool {
	return slices.ContainsFunc(offers, func(o heloc.Offer) bool { return o.UUID == id })
}

// supplied finds an offer among those of the details and of the quotes kept.
func (l *Lead) supplied(ctx context.Context, id string) (heloc.Offer, error) {
	view, err := l.View(ctx)
	if err != nil {
		return heloc.Offer{}, err
	}
	offers := view.Details.App.Underwriting.Offers
	if !offered(offers, id) {
		quotes, err := l.QuotesWith(ctx, []string{id})
		if err != nil {
			return heloc.Offer{}, err
		}
		for _, quote := range quotes {
			offers = quote.Answer.Offers
		}
	}
	at := slices.IndexFunc(offers, func(o heloc.Offer) bool { return o.UUID == id && id != "" })
	if at < 0 {
		return heloc.Offer{}, fault.InvalidFields(fault.Field{Name: "offer.offerUuid", Message: "Choose one of the offers shown"})
	}
	return offers[at], nil
}

func (l *Lead) keepQuote(ctx context.Context, head QuoteHead, answer heloc.Quote) error {
	now := store.Millis(l.d.Now())
	head.Name, head.Offers = l.d.Actor.Name, len(answer.Offers)
	row := store.Quote{
		ID: ulid.MustNew(uint64(now), ulid.DefaultEntropy()).String(), App: l.row.App, ActorID: l.d.Actor.UserID, RequestUUID: answer.RequestUUID, At: now,
	}
	var err error
	if row.Sealed, err = vault.SealJSON(l.d.Vault, journal.PlaceOfQuote(row.ID), KeptQuote{head, answer}); err != nil {
		return err
	}
	if row.Asked, err = vault.SealJSON(l.d.Vault, journal.PlaceOfQuestion(row.ID), head); err != nil {
		return err
	}
	return l.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddQuote(ctx, row, quotesKept) })
}

// headOf opens what was asked with a quote.
func (l *Lead) headOf(row store.Quote) (QuoteHead, error) {
	var head QuoteHead
	var err error
	if row.Asked != nil {
		head, err = vault.UnsealJSON[QuoteHead](l.d.Vault, journal.PlaceOfQuestion(row.ID), row.Asked)
	} else {
		var whole KeptQuote
		whole, err = vault.UnsealJSON[KeptQuote](l.d.Vault, journal.PlaceOfQuote(row.ID), row.Sealed)
		head = whole.QuoteHead
		head.Offers = len(whole.Answer.Offers)
	}
	head.ID, head.At, head.ActorID = row.ID, store.Instant(row.At), row.ActorID
	return head, err
}
