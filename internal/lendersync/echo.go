package lendersync

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// echoSetting remembers whether the lender gives our reference back: "yes" or "no".
// Without an echo a start whose answer is lost can only be found by a pasted id.
const echoSetting = "lender.echo"

// noteEcho notes whether the lender echoes, by the first readings of a lead that was started
// here. One that is still being processed may not have its echo yet.
func (w *Service) noteEcho(ctx context.Context, tx *store.Tx, before store.Lead, d heloc.Details) error {
	if before.RefreshedAt != 0 && !inProgress(before.Step) {
		return nil
	}
	start, err := tx.StartOf(ctx, before.App)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	answer := "yes"
	if w.Lender.Reference(d.App.Integrations) != start.ID {
		if inProgress(d.App.NextInquiryStep) {
			return nil
		}
		answer = "no"
	}
	known, err := tx.Setting(ctx, echoSetting)
	if err != nil || known == answer {
		return err
	}
	return tx.SaveSetting(ctx, echoSetting, answer)
}
