package lendersync

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

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
