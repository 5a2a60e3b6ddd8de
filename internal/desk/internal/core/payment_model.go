package core

import (
	"context"
	"slices"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// PaymentModel returns what our estimates assume, without the rate types for which an administrator has to confirm it
// first: the value of the setting store.PaymentsUnconfirmed.
func (s Services) PaymentModel(unconfirmed string) heloc.PaymentModel {
	m := s.Payments
	m.Unconfirmed = append(slices.Clone(m.Unconfirmed), store.ParseRateTypes(unconfirmed)...)
	return m
}

// FigureCounts sums up counts of selections by rate type.
func (s Services) FigureCounts(ctx context.Context, counts []lead.FigureCount) ([]lead.FigureCounts, error) {
	setting, err := s.Store.Setting(ctx, store.PaymentsUnconfirmed)
	return lead.SumFigureCounts(counts, s.PaymentModel(setting).Unconfirmed), err
}
