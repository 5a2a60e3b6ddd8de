package offers

import (
	"context"
	"maps"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// maxQuotes is how many quotes are stored per lead; the oldest are deleted first.
const maxQuotes = 400

// QuoteSummary is the request of a quote and the number of its offers.
type QuoteSummary struct {
	ID      string             `json:"-"`
	At      time.Time          `json:"-"`
	ActorID string             `json:"-"` // who requested it
	Name    string             `json:"name,omitempty"`
	Request heloc.QuoteRequest `json:"ask"`
	// Payoff reports whether the quote came from direct-debt-payoff-offers, which takes only the accounts. Then the
	// amount is the one the user looked at, and the lender did not receive it.
	Payoff bool `json:"payoff,omitempty"`
	Offers int  `json:"offers"`
}

// SavedQuote is a stored quote: the request and the lender's answer.
type SavedQuote struct {
	QuoteSummary
	Answer heloc.Quote `json:"answer"`
}

// Quote requests offers for another draw, fee, discount or payoff (section 4.2) and stores the answer. It is a query:
// no operation id, no lease. fault.NotFound means that this lender does not calculate new quotes.
func (of *Offers) Quote(ctx context.Context, ask heloc.QuoteRequest) (heloc.Quote, error) {
	if err := of.mayAskLender(ctx); err != nil {
		return heloc.Quote{}, err
	}
	if err := of.d.CheckEligibleDebts(ctx, "offer.selectedAccountsToPayoff", ask.AccountIDs); err != nil {
		return heloc.Quote{}, err
	}
	got, err := of.d.Lender.Quote(ctx, of.d.Row.App, ask)
	if fault.Is(err, fault.NotFound) {
		if failed := of.notQuotable(ctx); failed != nil {
			return heloc.Quote{}, failed
		}
	}
	if err != nil {
		return heloc.Quote{}, err
	}
	return got.Value, of.saveQuote(ctx, QuoteSummary{Request: ask}, got.Value)
}

// PayoffOffers requests the offers that pay off these debts (section 4.8) and stores the answer, even an empty one.
// Draw is the amount that the user is looking at; the lender does not receive it.
func (of *Offers) PayoffOffers(ctx context.Context, accounts []string, draw heloc.Money) ([]heloc.Offer, error) {
	if err := of.mayAskLender(ctx); err != nil {
		return nil, err
	}
	if err := of.d.CheckEligibleDebts(ctx, "offer.selectedAccountsToPayoff", accounts); err != nil {
		return nil, err
	}
	got, err := of.d.Lender.PayoffOffers(ctx, of.d.Row.App, accounts)
	if err != nil {
		return nil, err
	}
	ask := heloc.QuoteRequest{AccountIDs: slices.Sorted(slices.Values(accounts))}
	if draw > 0 {
		ask.Amount = &draw
	}
	return got.Value.Offers, of.saveQuote(ctx, QuoteSummary{Request: ask, Payoff: true},
		heloc.Quote{Offers: got.Value.Offers})
}

// mayQuery returns an error when the user may not ask the lender about the lead now.
func (of *Offers) mayQuery(ctx context.Context) error {
	if err := of.d.May(access.ActOnLead); err != nil {
		return err
	}
	return of.d.CheckAccessible(ctx)
}

// mayAskLender is mayQuery for a query that is sent now, which also needs a lender that responds.
func (of *Offers) mayAskLender(ctx context.Context) error {
	if err := of.mayQuery(ctx); err != nil {
		return err
	}
	return of.d.SendingPaused(core.TryAgainLater)
}

// Quotes lists the requests of the lead's quotes, newest first. It does not decrypt their offers.
func (of *Offers) Quotes(ctx context.Context) ([]QuoteSummary, error) {
	if err := of.d.May(access.SeeLead); err != nil {
		return nil, err
	}
	rows, err := of.d.Store.Quotes(ctx, of.d.Row.App, maxQuotes)
	if err != nil {
		return nil, err
	}
	heads := make([]QuoteSummary, len(rows))
	for i, row := range rows {
		if heads[i], err = of.quoteSummary(row); err != nil {
			return nil, err
		}
	}
	return heads, nil
}

// SavedQuote decrypts one quote of the lead; fault.NotFound when the quote does not belong to the lead.
func (of *Offers) SavedQuote(ctx context.Context, id string) (SavedQuote, error) {
	if err := of.d.May(access.SeeLead); err != nil {
		return SavedQuote{}, err
	}
	row, err := of.d.Store.Quote(ctx, of.d.Row.App, id)
	if err != nil {
		return SavedQuote{}, err
	}
	saved, err := vault.UnsealJSON[SavedQuote](of.d.Vault, vault.QuoteAAD(row.ID), row.Sealed)
	if err != nil {
		return SavedQuote{}, err
	}
	saved.QuoteSummary, err = of.quoteSummary(row)
	return saved, err
}

// QuotesWith returns the quotes that supplied these offers, newest first. It reads only as far back as needed to find
// each offer.
func (of *Offers) QuotesWith(ctx context.Context, offers []string) ([]SavedQuote, error) {
	if err := of.d.May(access.SeeLead); err != nil {
		return nil, err
	}
	missing := slices.DeleteFunc(slices.Clone(offers), func(id string) bool { return id == "" })
	if len(missing) == 0 {
		return nil, nil
	}
	rows, err := of.d.Store.Quotes(ctx, of.d.Row.App, maxQuotes)
	if err != nil {
		return nil, err
	}
	var found []SavedQuote
	for _, row := range rows {
		if len(missing) == 0 {
			break
		}
		quote, err := of.SavedQuote(ctx, row.ID)
		if err != nil {
			return nil, err
		}
		left := slices.DeleteFunc(slices.Clone(missing), func(id string) bool {
			_, found := heloc.FindOffer(quote.Answer.Offers, id)
			return found
		})
		if len(left) < len(missing) {
			found, missing = append(found, quote), left
		}
	}
	return found, nil
}

// checkSupplied refuses an offer that is not among those of the details and of the stored quotes.
func (of *Offers) checkSupplied(ctx context.Context, id string) error {
	details, _, err := of.d.Details(ctx)
	if err != nil {
		return err
	}
	if _, ok := heloc.FindOffer(details.App.Underwriting.Offers, id); ok {
		return nil
	}
	quotes, err := of.QuotesWith(ctx, []string{id})
	if err == nil && len(quotes) == 0 {
		err = fault.InvalidField("offer.offerUuid", "Choose one of the offers shown")
	}
	return err
}

func (of *Offers) saveQuote(ctx context.Context, head QuoteSummary, answer heloc.Quote) error {
	now := store.Millis(of.d.Now())
	head.Name, head.Offers = of.d.Actor.Name, len(answer.Offers)
	row := store.Quote{
		ID: of.d.NewID(), App: of.d.Row.App, ActorID: of.d.Actor.UserID,
		RequestUUID: answer.RequestUUID, At: now,
	}
	var err error
	if row.Sealed, err = vault.SealJSON(of.d.Vault, vault.QuoteAAD(row.ID), SavedQuote{head, answer}); err != nil {
		return err
	}
	if row.SealedRequest, err = vault.SealJSON(of.d.Vault, vault.QuoteRequestAAD(row.ID), head); err != nil {
		return err
	}
	return of.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddQuote(ctx, row, maxQuotes) })
}

// quoteSummary decrypts the request of a quote.
func (of *Offers) quoteSummary(row store.Quote) (QuoteSummary, error) {
	head, err := vault.UnsealJSON[QuoteSummary](of.d.Vault, vault.QuoteRequestAAD(row.ID), row.SealedRequest)
	head.ID, head.At, head.ActorID = row.ID, store.Instant(row.At), row.ActorID
	return head, err
}

// PayoffPlan is what is known about the debts besides the lender's list. The lender does not receive it.
type PayoffPlan struct {
	CurrentPayments map[string]heloc.Money // per month, by account id, as the borrower reports it
	// accounts that are selected: with the offer selection, otherwise with the income
	Selected []string
}

// PayoffPlan reads the plan.
func (of *Offers) PayoffPlan(ctx context.Context) (PayoffPlan, error) {
	if err := of.d.May(access.SeeLead); err != nil {
		return PayoffPlan{}, err
	}
	var p PayoffPlan
	row, err := of.d.Store.Part(ctx, of.d.Row.App, lead.PartPayoffPlan)
	if err != nil {
		return p, err
	}
	if row != nil {
		if p.CurrentPayments, err = vault.UnsealJSON[map[string]heloc.Money](of.d.Vault,
			vault.PartAAD(of.d.Row.App, lead.PartPayoffPlan), row.Sealed); err != nil {
			return p, err
		}
	}
	last, err := desklead.LastChoice(ctx, of.d, heloc.OpSelectOffer)
	if err == nil && last.Offer == "" {
		last, err = desklead.LastChoice(ctx, of.d, heloc.OpAssetDepletion)
	}
	p.Selected = last.Accounts
	return p, err
}

// SaveCurrentPayments stores what the borrower currently pays on each debt. It writes nothing when nothing has
// changed.
func (of *Offers) SaveCurrentPayments(ctx context.Context, pays map[string]heloc.Money) error {
	if err := of.mayQuery(ctx); err != nil {
		return err
	}
	known, err := of.PayoffPlan(ctx)
	if err != nil || maps.Equal(known.CurrentPayments, pays) {
		return err
	}
	sealed, err := vault.SealJSON(of.d.Vault, vault.PartAAD(of.d.Row.App, lead.PartPayoffPlan), pays)
	if err != nil {
		return err
	}
	now := store.Millis(of.d.Now())
	return of.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := of.d.ReauthorizeLead(ctx, tx, access.ActOnLead); err != nil {
			return err
		}
		if err := tx.SavePart(ctx, store.SealedPart{App: of.d.Row.App, Part: lead.PartPayoffPlan, Version: 1, Sealed: sealed,
			FetchedAt: now}); err != nil {
			return err
		}
		return of.d.Audit(ctx, tx, store.ActionPayoffPlan, "done", "")
	})
}

// OfferCosts requests the costs of an offer before it is selected, which only the live dialect supports.
// fault.NotFound means that this lender does not return them; that is stored.
func (of *Offers) OfferCosts(ctx context.Context, offer string, amount heloc.Money) (heloc.Costs, error) {
	if err := of.mayAskLender(ctx); err != nil {
		return heloc.Costs{}, err
	}
	if err := of.checkSupplied(ctx, offer); err != nil {
		return heloc.Costs{}, err
	}
	if known, err := of.d.ReadLenderAnswers(ctx); err != nil || !known.OfferCosts {
		return heloc.Costs{}, costsUnavailableError(err)
	}
	got, err := of.d.Lender.BorrowerCosts(ctx, of.d.Row.App, offer, amount)
	if !fault.Is(err, fault.NotFound) {
		return got.Value, err
	}
	now := of.d.Now().UTC().Format(time.RFC3339)
	return heloc.Costs{}, costsUnavailableError(of.d.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.SaveSetting(ctx, store.LenderNoCosts, now)
	}))
}

func costsUnavailableError(err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.NotFound, "The lender provides costs only after an offer is selected.")
}

// checkPayoffTotal refuses debts whose total exceeds the amount that is to pay them off.
func (of *Offers) checkPayoffTotal(ctx context.Context, s heloc.OfferSelection) error {
	if len(s.AccountsToPayoff) == 0 {
		return nil
	}
	details, _, err := of.d.Details(ctx)
	if err != nil {
		return err
	}
	var sum heloc.Money
	for _, debt := range details.App.Payoff.Existing.Eligible {
		if debt.Balance != nil && slices.Contains(s.AccountsToPayoff, debt.ID) {
			sum += *debt.Balance
		}
	}
	if sum > s.Amount {
		return fault.InvalidField("offer.selectedAccountsToPayoff", "These debts total $"+sum.Whole()+", more than the draw")
	}
	return nil
}
