package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const figureCheckColumns = `op_id, app, company, offer, rate_type,
	shown_at, shown_amount, shown_rate, shown_discounts, shown_payment, shown_loan_amount, shown_fee, outcome, compared_at,
	confirmed_at,
	booked_amount, booked_rate, booked_discounts, booked_payment, booked_loan_amount, booked_fee`

// AddFigureCheck stores what the borrower was shown for a selection that is about to be sent.
func (tx *Tx) AddFigureCheck(ctx context.Context, c lead.FigureCheck) error {
	return tx.insert(ctx, "figure_checks", `op_id, app, company, offer, rate_type,
		shown_at, shown_amount, shown_rate, shown_discounts, shown_payment, shown_loan_amount, shown_fee`, c)
}

// SaveFigureCheck stores what the lender booked and the outcome of the comparison.
func (tx *Tx) SaveFigureCheck(ctx context.Context, c lead.FigureCheck) error {
	return tx.update(ctx, "figure_checks", "op_id", `outcome, compared_at, confirmed_at,
		booked_amount, booked_rate, booked_discounts, booked_payment, booked_loan_amount, booked_fee`, c)
}

// FigureCheck returns the check of the latest selection that the lender accepted; nil if there is none, or nothing was
// shown for it. The caller must have opened the lead.
func (q Queries) FigureCheck(ctx context.Context, app heloc.AppID) (*lead.FigureCheck, error) {
	choice, err := q.LastChoice(ctx, app, heloc.OpSelectOffer)
	if err != nil || choice == nil {
		return nil, err
	}
	return findPointer[lead.FigureCheck](ctx, q, `SELECT `+figureCheckColumns+` FROM figure_checks WHERE op_id = ?`,
		choice.OpID)
}

// FigureCounts counts the confirmed comparisons of a company by rate type and outcome.
func (q Queries) FigureCounts(ctx context.Context, company string) ([]lead.FigureCount, error) {
	return list[lead.FigureCount](ctx, q, figureCountsSQL+` AND company = ?`+byOutcome, company)
}

// AllFigureCounts counts those of all companies.
func (q Queries) AllFigureCounts(ctx context.Context) ([]lead.FigureCount, error) {
	return list[lead.FigureCount](ctx, q, figureCountsSQL+byOutcome)
}

const (
	figureCountsSQL = `SELECT rate_type, outcome, count(*) AS n FROM figure_checks WHERE confirmed_at > 0`
	byOutcome       = ` GROUP BY rate_type, outcome ORDER BY rate_type, outcome`
)

// BookedOtherwise is a confirmed difference with the short id of its lead.
type BookedOtherwise struct {
	lead.FigureCheck
	ShortID string `db:"short_id"`
}

// BookedOtherwise lists the confirmed differences of a company, newest first.
func (q Queries) BookedOtherwise(ctx context.Context, company string, limit int) ([]BookedOtherwise, error) {
	return list[BookedOtherwise](ctx, q, `SELECT f.*, l.short_id FROM (SELECT `+figureCheckColumns+` FROM figure_checks
		WHERE company = ? AND confirmed_at > 0 AND outcome <> ? ORDER BY confirmed_at DESC, op_id DESC LIMIT ?) f
		JOIN leads l ON l.app = f.app ORDER BY f.confirmed_at DESC, f.op_id DESC`, company, heloc.FiguresMatched, limit)
}

// LatestFigureOutcomes returns how the model did for the latest leads of a rate type whose offer was selected after an
// instant, newest first. Each lead counts once, by its latest comparison; a difference counts when it is confirmed.
func (q Queries) LatestFigureOutcomes(ctx context.Context, rateType heloc.OfferRateType, after int64,
	leads int) ([]heloc.FigureOutcome, error) {
	return list[heloc.FigureOutcome](ctx, q, latestFigureOutcomesSQL, rateType, after, heloc.FiguresIncomparable,
		heloc.FiguresIncomparable, leads)
}

const latestFigureOutcomesSQL = `SELECT outcome FROM figure_checks f
	WHERE rate_type = ? AND shown_at > ? AND confirmed_at > 0 AND outcome <> ?
	AND NOT EXISTS (SELECT 1 FROM figure_checks later
		WHERE later.app = f.app AND later.rate_type = f.rate_type AND later.confirmed_at > 0 AND later.outcome <> ?
		AND (later.compared_at > f.compared_at OR later.compared_at = f.compared_at AND later.op_id > f.op_id))
	ORDER BY compared_at DESC, op_id DESC LIMIT ?`

// PaymentsUnconfirmed is the setting with the rate types for which the payment model is not used until an administrator
// confirms it, separated by spaces.
const PaymentsUnconfirmed = "payments.unconfirmed"

// paymentsConfirmed is the setting with the instant at which an administrator last confirmed the model.
func paymentsConfirmed(rateType heloc.OfferRateType) string {
	return "payments.confirmed:" + string(rateType)
}

// PaymentsObject is the object of audit rows about the payments of a rate type.
func PaymentsObject(rateType heloc.OfferRateType) string {
	if rateType == heloc.RateFloating {
		return "payments:variable"
	}
	return "payments:" + strings.ToLower(string(rateType))
}

// ParseRateTypes reads the value of PaymentsUnconfirmed.
func ParseRateTypes(setting string) []heloc.OfferRateType {
	var all []heloc.OfferRateType
	for name := range strings.FieldsSeq(setting) {
		all = append(all, heloc.OfferRateType(name))
	}
	return all
}

// UnconfirmedPayments returns the rate types for which the payment model is not used.
func (q Queries) UnconfirmedPayments(ctx context.Context) ([]heloc.OfferRateType, error) {
	value, err := q.Setting(ctx, PaymentsUnconfirmed)
	return ParseRateTypes(value), err
}

// PaymentsConfirmedAt returns when an administrator last confirmed the payment model for a rate type; zero if never.
func (q Queries) PaymentsConfirmedAt(ctx context.Context, rateType heloc.OfferRateType) (int64, error) {
	value, err := q.Setting(ctx, paymentsConfirmed(rateType))
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

// StopPayments stops the use of the payment model for a rate type, and reports whether it was in use.
func (tx *Tx) StopPayments(ctx context.Context, rateType heloc.OfferRateType) (stopped bool, err error) {
	all, err := tx.UnconfirmedPayments(ctx)
	if err != nil || slices.Contains(all, rateType) {
		return false, err
	}
	return true, tx.saveUnconfirmedPayments(ctx, append(all, rateType))
}

// ConfirmPayments uses the payment model for a rate type again, and reports whether it was not in use. Selections
// before this instant no longer count against it.
func (tx *Tx) ConfirmPayments(ctx context.Context, rateType heloc.OfferRateType,
	at time.Time) (confirmed bool, err error) {
	all, err := tx.UnconfirmedPayments(ctx)
	if err != nil || !slices.Contains(all, rateType) {
		return false, err
	}
	if err := tx.SaveSetting(ctx, paymentsConfirmed(rateType), strconv.FormatInt(Millis(at), 10)); err != nil {
		return false, err
	}
	return true, tx.saveUnconfirmedPayments(ctx,
		slices.DeleteFunc(all, func(t heloc.OfferRateType) bool { return t == rateType }))
}

func (tx *Tx) saveUnconfirmedPayments(ctx context.Context, all []heloc.OfferRateType) error {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = string(t)
	}
	return tx.SaveSetting(ctx, PaymentsUnconfirmed, strings.Join(names, " "))
}
