package lendersync

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// closingUpdates is what is new in a reading of conditions and transfers.
type closingUpdates struct {
	conditions []heloc.Condition
	stopped    []heloc.Transaction
}

// closingUpdatesOf compares the closing parts of a reading with the stored ones. It marks the lead's row, and the
// mark stays until a user has viewed the lead.
func closingUpdatesOf(k *partWriter, row *lead.Row) closingUpdates {
	var n closingUpdates
	if !k.closing {
		return n
	}
	if before, ok := storedPart[[]heloc.Condition](k, lead.PartConditions); ok {
		n.conditions = newlyOpenConditions(before, k.details.App.Conditions)
	}
	if before, ok := storedPart[*heloc.FundingReport](k, lead.PartFunding); ok {
		n.stopped = newlyStoppedTransfers(before, k.details.App.Funding)
	}
	at := store.Millis(k.savedAt)
	if len(n.conditions) > 0 {
		row.ConditionAt = at
	}
	if last := len(n.stopped) - 1; last >= 0 {
		row.WireAt, row.WireStatus = at, n.stopped[last].FailureText()
	}
	return n
}

// newlyOpenConditions lists the conditions that are open now and were not open before. It is pure.
func newlyOpenConditions(before, now []heloc.Condition) []heloc.Condition {
	return slices.DeleteFunc(heloc.OpenConditions(now), func(c heloc.Condition) bool {
		return slices.ContainsFunc(before, func(b heloc.Condition) bool {
			return b.Name == c.Name && b.Created == c.Created && b.Open()
		})
	})
}

// newlyStoppedTransfers lists the transfers that have failed since the previous reading. It is pure.
func newlyStoppedTransfers(before, now *heloc.FundingReport) []heloc.Transaction {
	if now == nil {
		return nil
	}
	if before == nil {
		before = &heloc.FundingReport{}
	}
	var fresh []heloc.Transaction
	for _, t := range now.Transactions {
		same := func(b heloc.Transaction) bool { return sameTransfer(b, t) && b.Status == t.Status }
		if t.Status.Failed() && !slices.ContainsFunc(before.Transactions, same) {
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// sameTransfer compares the ids or, without an id, other fields that do not change.
func sameTransfer(a, b heloc.Transaction) bool {
	if a.ID != "" || b.ID != "" {
		return a.ID == b.ID
	}
	return a.InitiatedAt == b.InitiatedAt && centsText(a.Amount) == centsText(b.Amount)
}

func centsText(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return m.String()
}

// savedChange is a stored reading with what it changed.
type savedChange struct {
	before, after lead.Row
	at            int64
	events        []lead.Event
	early         *lead.Operation // answered before its response arrived
	updates       closingUpdates
}

// notify stores the notifications of a change in its transaction.
func (s *Service) notify(ctx context.Context, tx *store.Tx, t savedChange) error {
	if len(t.events)+len(t.updates.conditions)+len(t.updates.stopped)+len(t.changedDates()) == 0 && t.early == nil &&
		t.before.Lane == t.after.Lane {
		return nil // like most readings
	}
	people, err := tx.PeopleOf(ctx, t.after.Originator, t.after.Company)
	if err != nil {
		return err
	}
	deputies, err := tx.DeputiesOf(ctx, t.after.Originator)
	if err != nil {
		return err
	}
	mine := slices.Concat(people, deputies)
	c := &notifier{w: s, tx: tx, savedChange: t}
	c.notifyClosing(ctx, mine)
	c.notifyEnded(ctx, mine)
	c.notifyDates(ctx, mine)
	if t.early != nil && t.early.Kind == heloc.OpRepullCredit {
		c.notifyRepull(ctx, mine, t.early.ID)
	}
	for _, e := range t.events {
		c.notifyStep(ctx, mine, e)
		switch {
		case e.Kind == lead.EventReassigned:
			c.notifyReassigned(ctx, people, deputies)
		case e.Kind == lead.EventFunded:
			c.send(ctx, mine, notice{kind: lead.NoticeFunded, dedupParts: []string{string(t.after.FundedDate)}})
		case e.Operation == heloc.OpRepullCredit && e.OpID != "":
			c.notifyRepull(ctx, mine, e.OpID)
		}
	}
	return c.err
}

// notifier sends notifications until one of them fails.
type notifier struct {
	w  *Service
	tx *store.Tx
	savedChange
	err error
}

// notice is one notification. Its dedupParts identify the event, so that nobody is notified of it twice.
type notice struct {
	kind       lead.NoticeKind
	about      string
	byName     string
	n          int
	dedupParts []string
	// for one more lead of a run: it is added to the notification that people have of them
	run *store.ReassignedLeads
}

func (n *notifier) send(ctx context.Context, people []string, news notice) {
	if len(people) == 0 || n.err != nil {
		return
	}
	made := lead.Notice{Company: n.after.Company, Kind: news.kind, About: news.about, ByName: news.byName,
		N: news.n, At: n.at}
	notify, parts := n.tx.NotifyBatch, news.dedupParts
	if news.run != nil {
		made.N, n.err = n.tx.CountReassigned(ctx, *news.run)
	} else {
		made.App, made.ShortID = n.after.App, n.after.ShortID
		notify, parts = n.tx.Notify, append([]string{string(n.after.App), string(news.kind), news.about}, parts...)
	}
	keys := n.w.Vault.NoticeDedupKeys(parts...)
	made.DedupKey, made.OldDedupKeys = keys[0], keys[1:]
	for _, who := range people {
		if n.err != nil {
			return
		}
		made.UserID = who
		_, n.err = notify(ctx, made)
	}
}

func (n *notifier) notifyClosing(ctx context.Context, mine []string) {
	if n.before.OpenConditions > 0 && n.after.OpenConditions == 0 && n.err == nil {
		n.err = n.tx.MarkHandled(ctx, n.after.App, lead.NoticeCondition)
	}
	if all := n.updates.conditions; len(all) > 0 {
		var fact []string
		for _, one := range all {
			fact = append(fact, one.Name, string(one.Created), string(one.LastUpdate))
		}
		n.send(ctx, mine, notice{kind: lead.NoticeCondition, n: len(all), dedupParts: fact})
	}
	for _, t := range n.updates.stopped {
		n.send(ctx, mine, notice{kind: lead.NoticeWire, about: t.FailureText(),
			dedupParts: []string{t.ID, string(t.InitiatedAt), centsText(t.Amount)}})
	}
}

// notifyEnded notifies of an end that did not originate in the portal.
func (n *notifier) notifyEnded(ctx context.Context, mine []string) {
	if n.after.Lane != heloc.LaneEnded || n.before.Lane == heloc.LaneEnded || n.after.Funded {
		return
	}
	ours := func(e lead.Event) bool { return e.Operation == heloc.OpCancel }
	if slices.ContainsFunc(n.events, ours) {
		return
	}
	// The end may be read before the response to our own cancellation arrives.
	ops, err := n.tx.Operations(ctx, n.after.App, 5)
	if err != nil {
		n.err = err
		return
	}
	canceled := n.after.StatusKey == heloc.StatusCanceled // by us, or we can't rule it out
	own := func(op lead.Operation) bool {
		return op.Kind == heloc.OpCancel && (op.State == lead.OpSent ||
			canceled && (op.State == lead.OpSucceeded || op.State == lead.OpConfirmed || op.State == lead.OpUnknown))
	}
	if !slices.ContainsFunc(ops, own) {
		n.send(ctx, mine, notice{kind: lead.NoticeEnded, about: string(n.after.StatusKey)})
	}
}

// notifyCorrected tells the sender of an operation, and the lead's current originator, that the operation took effect
// after all.
func (s *Service) notifyCorrected(ctx context.Context, tx *store.Tx, row lead.Row, op lead.Operation) error {
	people, err := tx.PeopleOf(ctx, row.Originator, row.Company)
	if err != nil {
		return err
	}
	if op.Company == row.Company && !slices.Contains(people, op.ActorID) {
		people = append(people, op.ActorID)
	}
	n := &notifier{w: s, tx: tx, savedChange: savedChange{after: row, at: op.CorrectedAt}}
	n.send(ctx, people, notice{kind: lead.NoticeCorrected, about: string(op.Kind), dedupParts: []string{op.ID}})
	return n.err
}

// reassignedBy returns the reassignment that gave the lead to its current originator; the zero value when the lender
// changed the originator without a request from the portal.
func (s *Service) reassignedBy(ctx context.Context, tx *store.Tx, row lead.Row) (lead.Reassignment, error) {
	h, err := tx.LatestReassignment(ctx, row.App)
	if fault.Is(err, fault.NotFound) || err == nil && h.ToOriginator != row.Originator {
		return lead.Reassignment{}, nil
	}
	return h, err
}

// notifyRepull notifies of the result of a planned re-pull, including the user who planned it.
func (n *notifier) notifyRepull(ctx context.Context, mine []string, opID string) {
	plan, err := n.tx.RepullOf(ctx, n.after.App, opID)
	if fault.Is(err, fault.NotFound) {
		return
	}
	if err != nil {
		n.err = err
		return
	}
	if !slices.Contains(mine, plan.UserID) {
		mine = append(slices.Clone(mine), plan.UserID)
	}
	n.send(ctx, mine, notice{kind: lead.NoticeRepull, about: string(n.after.StatusKey), dedupParts: []string{opID}})
}

// notifyReassigned notifies both sides of a reassignment, except the user who did it. For the leads of one run, each
// side gets one notification.
func (n *notifier) notifyReassigned(ctx context.Context, recipients, deputies []string) {
	by, err := n.w.reassignedBy(ctx, n.tx, n.after)
	if err != nil {
		n.err = err
		return
	}
	// Rules act in the name of the manager who set them, who did not choose this lead.
	others := func(people []string) []string {
		return slices.DeleteFunc(slices.Clone(people), func(who string) bool {
			return who == by.ActorID && !lead.IsRulesActor(by.ActorName)
		})
	}
	recipients, deputies = others(recipients), others(deputies)
	tell := func(people []string, kind lead.NoticeKind, about string) {
		n.send(ctx, people, notice{kind: kind, about: about, byName: by.ActorName,
			dedupParts: []string{strconv.FormatInt(n.at, 10)}})
	}
	tellOfRun := func(people []string, kind lead.NoticeKind, of string, leads store.ReassignedLeads) {
		news := notice{kind: kind, about: by.JobID, byName: by.ActorName, dedupParts: []string{by.JobID, string(kind)},
			run: &leads}
		if of != "" {
			news.about, news.dedupParts = of, append(news.dedupParts, of)
		}
		n.send(ctx, people, news)
	}
	received, to := store.ReassignedLeads{Job: by.JobID, To: n.after.Originator}, string(n.after.Originator)
	switch returned := by.Undoes != ""; {
	case to == "":
		tell(recipients, lead.NoticeUnassigned, "")
	case by.JobID != "" && returned:
		tellOfRun(recipients, lead.NoticeLeadsReturned, "", received)
	case by.JobID != "":
		tellOfRun(recipients, lead.NoticeLeadsReceived, "", received)
	case returned:
		tell(recipients, lead.NoticeLeadReturned, "")
	default:
		tell(recipients, lead.NoticeLeadReceived, "")
	}
	switch {
	case by.JobID == "":
		tell(deputies, lead.NoticeCovered, "")
	case to != "":
		tellOfRun(deputies, lead.NoticeLeadsCovered, to, received)
	}
	if n.before.Originator == "" || n.err != nil {
		return
	}
	former, err := n.tx.PeopleOf(ctx, n.before.Originator, n.before.Company)
	if err != nil {
		n.err = err
		return
	}
	former = others(former)
	if by.JobID != "" {
		tellOfRun(former, lead.NoticeLeadsGone, "", store.ReassignedLeads{Job: by.JobID, From: n.before.Originator})
		return
	}
	owner, err := n.tx.Originator(ctx, n.after.Originator)
	if err != nil && !fault.Is(err, fault.NotFound) {
		n.err = err
		return
	}
	tell(former, lead.NoticeLeadReassigned, strings.TrimSpace(owner.Name()))
}
