package lendersync

import (
	"context"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// notifyStep notifies of what a lead's new step asks for or means. What an earlier step asked for is done: its
// notifications are marked as read.
func (n *notifier) notifyStep(ctx context.Context, mine []string, e lead.Event) {
	if e.Kind != lead.EventStep && e.Kind != lead.EventAskedAgain || n.err != nil {
		return
	}
	n.err = n.tx.MarkHandled(ctx, n.after.App, lead.NoticeOffersReady, lead.NoticeBlocked, lead.NoticeRepullSkipped,
		lead.NoticeNudge)
	tell := func(kind lead.NoticeKind, about string) {
		n.send(ctx, mine, notice{kind: kind, about: about, dedupParts: []string{strconv.FormatInt(n.at, 10)}})
	}
	switch {
	case n.after.StatusKey == heloc.StatusOffers:
		tell(lead.NoticeOffersReady, "")
	case n.after.Lane == heloc.LaneBlocked && n.after.YourMove():
		tell(lead.NoticeBlocked, string(n.after.StatusKey))
	}
	switch {
	case e.StepBefore == heloc.StepBorrowerAuth &&
		(e.StepAfter == heloc.StepBrokerDocSigning || e.StepAfter == heloc.StepComplete):
		tell(lead.NoticeBorrowerSignedIn, "")
	case e.StepBefore == heloc.StepBrokerDocSigning && e.StepAfter == heloc.StepComplete:
		tell(lead.NoticeDocumentsSigned, "")
	}
}

// changedDates lists the dates that are new or have changed during the closing.
func (c savedChange) changedDates() (changed []string) {
	if c.before.Lane != heloc.LaneClosing || c.after.Lane != heloc.LaneClosing {
		return nil
	}
	for _, d := range []struct {
		name          string
		before, after heloc.Date
	}{
		{"notary", c.before.NotaryDate, c.after.NotaryDate},
		{"signing", c.before.SigningDate, c.after.SigningDate},
		{"rescission", c.before.RescissionDate, c.after.RescissionDate},
	} {
		if d.after != "" && d.after != d.before {
			changed = append(changed, d.name)
		}
	}
	return changed
}

func (n *notifier) notifyDates(ctx context.Context, mine []string) {
	changed := n.changedDates()
	if len(changed) == 0 {
		return
	}
	n.send(ctx, mine, notice{kind: lead.NoticeDatesChanged, about: strings.Join(changed, " "),
		dedupParts: []string{string(n.after.NotaryDate), string(n.after.SigningDate), string(n.after.RescissionDate)}})
}
