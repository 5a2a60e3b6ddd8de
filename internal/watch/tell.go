package watch

import (
	"context"
	"slices"
	"strconv"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

// news is what a reading of conditions and transfers brought that was not there before.
type news struct {
	conditions []heloc.Condition
	stopped    []heloc.Transaction
}

// newsOf holds the closing parts of a reading beside those that were known, and marks the
// lead's row, where it stands until somebody has looked.
func newsOf(k *keeper, lead *store.Lead) news {
	var n news
	if !k.closing {
		return n
	}
	if before, ok := knownPart[[]heloc.Condition](k, store.PartConditions); ok {
		n.conditions = opened(before, k.details.App.Conditions)
	}
	if before, ok := knownPart[*heloc.FundingReport](k, store.PartFunding); ok {
		n.stopped = stopped(before, k.details.App.Funding)
	}
	at := store.Millis(k.at)
	if len(n.conditions) > 0 {
		lead.ConditionAt = at
	}
	if last := len(n.stopped) - 1; last >= 0 {
		lead.WireAt, lead.WireStatus = at, n.stopped[last].Stopped()
	}
	return n
}

// opened lists the conditions that are open now and were not before. Pure.
func opened(before, now []heloc.Condition) []heloc.Condition {
	open := func(c heloc.Condition) bool { return c.Active == nil || *c.Active }
	var fresh []heloc.Condition
	for _, c := range now {
		same := func(b heloc.Condition) bool { return b.Name == c.Name && b.Created == c.Created && open(b) }
		if open(c) && !slices.ContainsFunc(before, same) {
			fresh = append(fresh, c)
		}
	}
	return fresh
}

// stopped lists the transfers that have not gone through and had not stopped so before. Pure.
func stopped(before, now *heloc.FundingReport) []heloc.Transaction {
	if now == nil {
		return nil
	}
	var known []heloc.Transaction
	if before != nil {
		known = before.Transactions
	}
	var fresh []heloc.Transaction
	for _, t := range now.Transactions {
		same := func(b heloc.Transaction) bool { return sameTransfer(b, t) && b.Status == t.Status }
		if t.Status.Stopped() && !slices.ContainsFunc(known, same) {
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// sameTransfer goes by the id; one without an id by what else does not change.
func sameTransfer(a, b heloc.Transaction) bool {
	if a.ID != "" || b.ID != "" {
		return a.ID == b.ID
	}
	return a.InitiatedAt == b.InitiatedAt && cents(a.Amount) == cents(b.Amount)
}

func cents(m *heloc.Money) string {
	if m == nil {
		return ""
	}
	return m.String()
}

// telling is a kept reading with what it changed.
type telling struct {
	before, after store.Lead
	at            int64
	events        []store.Event
	early         *store.Operation // answered before its response came
	news          news
}

// tell writes what people must hear of, in the transaction of the change, and gives the
// ids of those for whom it was new.
func (w *Watch) tell(ctx context.Context, tx *store.Tx, t telling) ([]string, error) {
	if len(t.events)+len(t.news.conditions)+len(t.news.stopped) == 0 && t.early == nil && t.before.Lane == t.after.Lane {
		return nil, nil // as most readings are
	}
	mine, err := tx.PeopleOf(ctx, t.after.Originator, t.after.Company)
	if err != nil {
		return nil, err
	}
	c := &crier{w: w, tx: tx, telling: t}
	c.closing(ctx, mine)
	c.ended(ctx, mine)
	if t.early != nil && t.early.Kind == heloc.OpRepullCredit {
		c.repulled(ctx, mine, t.early.ID)
	}
	for _, e := range t.events {
		switch {
		case e.Kind == store.EventMoved:
			c.moved(ctx, mine)
		case e.Kind == store.EventFunded:
			c.say(ctx, mine, notice{kind: store.NoticeFunded, fact: []string{string(t.after.FundedDate)}})
		case e.Operation == heloc.OpRepullCredit && e.OpID != "":
			c.repulled(ctx, mine, e.OpID)
		}
	}
	return c.told, c.err
}

// crier tells one thing after another, until one of them fails.
type crier struct {
	w  *Watch
	tx *store.Tx
	telling
	told []string
	err  error
}

// notice is one thing to tell. The fact is what makes it the same thing the next time.
type notice struct {
	kind   store.NoticeKind
	about  string
	byName string
	n      int
	fact   []string
}

func (c *crier) say(ctx context.Context, people []string, n notice) {
	for _, who := range people {
		if c.err != nil {
			return
		}
		facts := journal.Facts(c.w.Vault, append([]string{string(c.after.App), string(n.kind), n.about}, n.fact...)...)
		fresh, err := c.tx.Notify(ctx, store.Notification{
			UserID: who, Company: c.after.Company, App: c.after.App, ShortID: c.after.ShortID, Kind: n.kind, About: n.about,
			ByName: n.byName, N: n.n, Fact: facts[0], Older: facts[1:], At: c.at,
		})
		if c.err = err; fresh {
			c.told = append(c.told, who)
		}
	}
}

func (c *crier) closing(ctx context.Context, mine []string) {
	if all := c.news.conditions; len(all) > 0 {
		var fact []string
		for _, one := range all {
			fact = append(fact, one.Name, string(one.Created), string(one.LastUpdate))
		}
		c.say(ctx, mine, notice{kind: store.NoticeCondition, n: len(all), fact: fact})
	}
	for _, t := range c.news.stopped {
		c.say(ctx, mine, notice{kind: store.NoticeWire, about: t.Stopped(), fact: []string{t.ID, string(t.InitiatedAt), cents(t.Amount)}})
	}
}

// ended tells of an end that did not come from here.
func (c *crier) ended(ctx context.Context, mine []string) {
	if c.after.Lane != heloc.LaneEnded || c.before.Lane == heloc.LaneEnded || c.after.Funded {
		return
	}
	ours := func(e store.Event) bool { return e.Operation == heloc.OpCancel }
	if slices.ContainsFunc(c.events, ours) {
		return
	}
	// The end may be read before the response to our own cancellation has come.
	ops, err := c.tx.Operations(ctx, c.after.App, 5)
	if err != nil {
		c.err = err
		return
	}
	waiting := func(op store.Operation) bool { return op.Kind == heloc.OpCancel && op.State == store.OpSent }
	if !slices.ContainsFunc(ops, waiting) {
		c.say(ctx, mine, notice{kind: store.NoticeEnded, about: string(c.after.Stand)})
	}
}

// moved tells both sides of a lead that has another originator now, but nobody of what
// they did themselves.
func (c *crier) moved(ctx context.Context, mine []string) {
	by, name, err := c.w.handedBy(ctx, c.tx, c.after)
	if err != nil {
		c.err = err
		return
	}
	notBy := func(who string) bool { return who == by }
	when := []string{strconv.FormatInt(c.at, 10)}
	taken := notice{kind: store.NoticeTaken, byName: name, fact: when}
	if c.after.Originator == "" {
		taken.kind = store.NoticeWaits
	}
	c.say(ctx, slices.DeleteFunc(slices.Clone(mine), notBy), taken)
	if c.before.Originator == "" {
		return
	}
	former, err := c.tx.PeopleOf(ctx, c.before.Originator, c.before.Company)
	if err != nil {
		c.err = err
		return
	}
	c.say(ctx, slices.DeleteFunc(former, notBy), notice{kind: store.NoticeGone, byName: name, fact: when})
}

// handedBy is who handed the lead to the originator who has it now; empty when the lender
// named them by itself.
func (w *Watch) handedBy(ctx context.Context, tx *store.Tx, lead store.Lead) (id, name string, err error) {
	h, err := tx.LatestHandOver(ctx, lead.App)
	if fault.KindOf(err) == fault.NotFound || err == nil && h.To != lead.Originator {
		return "", "", nil
	}
	return h.ActorID, h.ActorName, err
}

// repulled tells what a planned re-pull has come to, to who planned it too.
func (c *crier) repulled(ctx context.Context, mine []string, opID string) {
	plan, err := c.tx.RepullOf(ctx, c.after.App, opID)
	if fault.KindOf(err) == fault.NotFound {
		return
	}
	if err != nil {
		c.err = err
		return
	}
	if !slices.Contains(mine, plan.UserID) {
		mine = append(slices.Clone(mine), plan.UserID)
	}
	c.say(ctx, mine, notice{kind: store.NoticeRepull, about: string(c.after.Stand), fact: []string{opID}})
}

// ringFor tells the open pages of people that their inbox has something new.
func (w *Watch) ringFor(people []string) {
	slices.Sort(people)
	for _, who := range slices.Compact(people) {
		w.Hub.Publish(hub.Event{Inbox: true}, hub.Person(who))
	}
}
