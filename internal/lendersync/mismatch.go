package lendersync

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

const (
	lookUpPatience = 5 * time.Second // while the lender's directory is read for one originator
	lookUpsKept    = 1000
)

// lookUps stores when originators who are not in the directory may be looked up again, so that not every reading of
// their leads also reads the lender's directory.
type lookUps struct {
	mu   sync.Mutex
	next map[heloc.OriginatorID]lookUp
	last *directoryRead // for one of them
}

type lookUp struct {
	at  time.Time
	was lead.MismatchReason
}

// directoryRead is a read of the whole directory that finds out about unknown originators.
type directoryRead struct {
	at   time.Time
	done chan struct{} // closed when it has ended
	err  error         // why it was not complete; valid after done
}

func (r *directoryRead) end(err error) {
	r.err = err
	close(r.done)
}

// was is the reason why an originator whom the read did not list cannot be found.
func (r *directoryRead) was() lead.MismatchReason {
	select {
	case <-r.done:
		if r.err == nil {
			return lead.MismatchUnknown
		}
	default:
	}
	return lead.MismatchUnreachable
}

func (l *lookUps) known(id heloc.OriginatorID, now time.Time) (lead.MismatchReason, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one, ok := l.next[id]
	return one.was, ok && now.Before(one.at)
}

func (l *lookUps) keep(id heloc.OriginatorID, one lookUp) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil || len(l.next) >= lookUpsKept {
		l.next = map[heloc.OriginatorID]lookUp{}
	}
	l.next[id] = one
}

// read returns the last read if it began less than directoryRetry ago. Otherwise it returns a new read and true: the
// caller must carry out that read and end it.
func (l *lookUps) read(now time.Time) (r *directoryRead, begin bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || !now.Before(l.last.at.Add(directoryRetry)) {
		l.last, begin = &directoryRead{at: now, done: make(chan struct{})}, true
	}
	return l.last, begin
}

// mismatch says why the originator whom the lender names for a lead cannot be found; empty when
// they are known, or are whoever has the lead. An unknown one is looked up in the lender's
// directory, which has no search by id: all of it is read.
func (s *Service) mismatch(ctx context.Context, row lead.Row,
	got partner.Result[heloc.Details]) (lead.MismatchReason, error) {
	if slices.Contains(got.Malformed, partner.OriginatorField) {
		return lead.MismatchMalformed, nil
	}
	named := got.Value.Originator.UUID
	if named == "" || named == row.Originator {
		return "", nil
	}
	return s.lookUp(ctx, named)
}

func (s *Service) lookUp(ctx context.Context, id heloc.OriginatorID) (lead.MismatchReason, error) {
	if known, err := s.listed(ctx, id); known || err != nil {
		return "", err
	}
	if why, lately := s.lookUps.known(id, s.Now()); lately {
		return why, nil
	}
	// Until this lookup is finished, other readings do not start the same one.
	s.lookUps.keep(id, lookUp{s.Now().Add(directoryRetry), lead.MismatchUnreachable})
	lookUpCtx, stop := context.WithTimeout(ctx, lookUpPatience)
	defer stop()
	// Unknown ids in the lender's details do not each cause a read: if the directory was read for another unknown id
	// within the last minute, that read decides.
	read, begin := s.lookUps.read(s.Now())
	if begin {
		read.end(s.SyncDirectory(lookUpCtx))
	}
	select {
	case <-read.done:
	case <-lookUpCtx.Done():
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if known, err := s.listed(ctx, id); known || err != nil {
		return "", err
	}
	why, until := read.was(), read.at.Add(directoryRetry)
	held, err := s.Store.HeldAdditions(ctx)
	if err != nil {
		return "", err
	}
	if held.People > 0 {
		why = lead.MismatchUnreachable // the originator may be among them, and an administrator decides
	}
	if begin && (why == lead.MismatchUnknown || held.People > 0) {
		until = s.Now().Add(directoryEvery)
	} else {
		wakeUp(s.originatorMissing) // the loop reads again soon
	}
	s.lookUps.keep(id, lookUp{until, why})
	return why, nil
}

// listed says whether an originator is, or was, in the directory.
func (s *Service) listed(ctx context.Context, id heloc.OriginatorID) (bool, error) {
	_, err := s.Store.Originator(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// noteMismatch records, for administrators, that a lead stays with its originator although the lender names another
// one.
func (s *Service) noteMismatch(ctx context.Context, tx *store.Tx, row *lead.Row, r reading) error {
	m := lead.Mismatch{App: row.App, Reason: r.mismatch, At: store.Millis(r.at)}
	if r.mismatch != "" && r.mismatch != lead.MismatchMalformed {
		m.Named = r.details.Originator.UUID
	}
	fresh, err := tx.NoteMismatch(ctx, m)
	if fresh && err == nil {
		s.Log.Warn("the lender names an originator who cannot be found, so the lead stays", "lead", row.App,
			"reason", string(r.mismatch), "named", string(m.Named))
	}
	return err
}

// logMalformed logs which ids of a response are malformed. It does not log what the lender sent instead.
func (s *Service) logMalformed(app heloc.AppID, fields []string) {
	if len(fields) > 0 {
		s.Log.Warn("ids in the lender's details are no UUIDs and were read as absent", "lead", app,
			"fields", strings.Join(fields, " "))
	}
}

// resolveOriginator sets the originator of a row to the one whom the lender names, or to nobody, and reports whether
// the originator changed: within a company, the lender decides who has a lead. A lead never moves to
// another company automatically: if the named originator has left the company, the lead becomes unassigned and waits
// for a manager. If the originator is not in the lender's directory, the lead does not move.
func (s *Service) resolveOriginator(ctx context.Context, tx *store.Tx, row *lead.Row,
	named heloc.OriginatorID) (moves bool, err error) {
	if named == "" || named == row.Originator {
		return false, nil
	}
	to := named
	owner, canWork, err := tx.Assignee(ctx, named)
	switch {
	case fault.Is(err, fault.NotFound):
		return false, nil
	case err != nil:
		return false, err
	case access.CompanyOf(owner.BrokerID, owner.Organization) != row.Company:
		to = ""
	case owner.RemovedAt != 0:
		to = ""
		if row.Originator != "" || row.FormerOriginator == "" {
			row.FormerOriginator = named // theirs again when the directory lists them again
		}
	case !canWork: // the originator's account is closed
		to, row.FormerOriginator = "", named // theirs again when the account is reopened
	}
	moves = to != row.Originator
	row.Originator = to
	return moves, nil
}

// reassignedEvent records that a lead has moved to another originator, or to nobody.
func reassignedEvent(before, after lead.Row) lead.Event {
	detail := "unassigned"
	if after.Originator != "" {
		detail = "from " + string(before.Originator) + " to " + string(after.Originator)
	}
	return lead.Event{App: after.App, Originator: after.Originator, Kind: lead.EventReassigned, Detail: detail}
}

// moveRepullPlan gives a planned credit re-pull to the lead's new originator. If that originator has no account, the
// plan does not move; when it comes due, the user who planned it is notified that the report was not requested.
func (s *Service) moveRepullPlan(ctx context.Context, tx *store.Tx, row lead.Row) error {
	if row.Originator == "" {
		return nil
	}
	who, err := tx.UserByOriginator(ctx, string(row.Originator))
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	moved, err := tx.ReassignRepull(ctx, row.App, who.UserID, row.Originator)
	if err != nil || !moved {
		return err
	}
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: "system", Company: row.Company, Action: store.ActionRepullReassign, Object: "lead:" + string(row.App),
		Outcome: "done", Detail: "to:" + who.UserID,
	})
}
