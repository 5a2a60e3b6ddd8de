package lendersync

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// recordEcho records in store.LenderEcho whether the lender echoes, from the first readings of a lead that was started
// here. A lead that is still being processed may not have its echo yet.
func (s *Service) recordEcho(ctx context.Context, tx *store.Tx, before lead.Row, d heloc.Details) error {
	if before.RefreshedAt != 0 && !before.Step.InProgress() {
		return nil
	}
	start, err := tx.StartOf(ctx, before.App)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	answer := "yes"
	if s.Lender.Reference(d.App.Integrations) != start.ID {
		if d.App.NextInquiryStep.InProgress() {
			return nil
		}
		answer = "no"
	}
	known, err := tx.Setting(ctx, store.LenderEcho)
	if err != nil || known == answer {
		return err
	}
	return tx.SaveSetting(ctx, store.LenderEcho, answer)
}
