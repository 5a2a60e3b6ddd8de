package reassign

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Why a lead does not go back automatically.
const (
	reasonManager     = "The manager who split the leads can no longer reassign them"
	reasonAgain       = "It has since been reassigned again"
	reasonEnded       = "The lead has ended"
	reasonUnconfirmed = "Its last reassignment isn’t confirmed yet"
)

// ReasonAbsent is why no lead goes back to an originator for whom an absence is on file.
const ReasonAbsent = "The originator is still absent"

// errWorkedOn stops a row of a return whose lead somebody else has worked on. A manager chooses then.
var errWorkedOn = fault.New(fault.Conflict, "Someone else has worked on the lead. Nothing was sent.")

// mayReturn reports whether a user may return the leads that they split for a company.
func mayReturn(who access.User, company string) bool {
	return !who.Disabled && who.Company() == company && who.Can(access.SeeTeam) && who.Can(access.ReassignLead)
}

// StartReturns starts the returns that are due: a run that gives back the leads on which nobody else has worked, in the
// name of the manager who split them, and one question about the others. The system calls it, so it checks no
// permission; the run checks the manager's again for each lead.
func StartReturns(ctx context.Context, s core.Services) error {
	due, err := s.Store.ReturnsDue(ctx, s.Now())
	if err != nil {
		return err
	}
	var failed []error
	for _, job := range due {
		_, err := startReturn(ctx, s, job)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// startReturn returns the id of the run that gives back the leads of a split; "" if none has left, or if it has begun.
func startReturn(ctx context.Context, s core.Services, split lead.Job) (begun string, err error) {
	who, err := s.Store.User(ctx, split.ActorID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return "", err
	}
	may := err == nil && mayReturn(who, split.Company)
	id := ulid.Make().String()
	sealed, err := vault.SealJSON(s.Vault, vault.JobAAD(id), core.RunPayload{})
	if err != nil {
		return "", err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		begun = ""
		if first, err := tx.BeginReturn(ctx, split.ID); err != nil || !first {
			return err // by another process
		}
		reason := ""
		if !may {
			reason = reasonManager
		}
		rows, to, err := returnRows(ctx, tx, split, reason)
		if err != nil || len(rows) == 0 {
			return err
		}
		begun = id
		back := lead.Job{ID: id, Kind: lead.JobReturn, ActorID: split.ActorID, Company: split.Company, Target: to,
			Sealed: sealed, CreatedAt: store.Millis(s.Now())}
		for i := range rows {
			rows[i].JobID, rows[i].N = id, i
		}
		if err := tx.AddJob(ctx, back, rows); err != nil {
			return err
		}
		if err := tx.Audit(ctx, store.AuditEntry{ActorID: split.ActorID, Company: split.Company,
			Action: store.ActionBulkReassign, Object: "job:" + id, Outcome: "begun", Detail: "return:" + split.ID}); err != nil {
			return err
		}
		return askAboutReturn(ctx, s, tx, back)
	})
	return begun, err
}

// returnRows decides what happens to each lead that a split has moved; with a reason, none goes back automatically.
// Leads that are back already, or never left, have no row.
func returnRows(ctx context.Context, tx *store.Tx, split lead.Job,
	reason string) (rows []lead.JobRow, to heloc.OriginatorID, err error) {
	of, err := tx.JobRows(ctx, split.ID)
	if err != nil {
		return nil, "", err
	}
	moves, err := tx.ReassignmentsOfJob(ctx, split.ID)
	if err != nil {
		return nil, "", err
	}
	worked, err := workedOn(ctx, tx, moves)
	if err != nil {
		return nil, "", err
	}
	for _, row := range of {
		made, found := moves[row.OpID]
		if !found || made.Undone || made.LeadOriginator == made.FromOriginator && made.LeadOriginator != "" {
			continue
		}
		switch row.Verdict {
		case lead.OpRejected, lead.OpNotSent, lead.OpAbsent, lead.OpAbandoned:
			continue
		}
		if to == "" {
			to = made.FromOriginator
			absences, err := tx.AbsencesOfOriginator(ctx, to, split.Company)
			if err != nil {
				return nil, "", err
			}
			if reason == "" && slices.ContainsFunc(absences, func(a lead.Absence) bool { return a.Running(split.ReturnAt) }) {
				reason = ReasonAbsent
			}
		}
		next := lead.JobRow{App: row.App, ShortID: row.ShortID, State: lead.JobRowWaiting, Undoes: row.OpID}
		if next.Reason, err = whyStays(ctx, tx, made); err != nil {
			return nil, "", err
		}
		switch {
		case next.Reason != "":
			next.State = lead.JobRowStopped
		case reason != "" || worked[row.OpID]:
			next.State, next.Reason = lead.JobRowAsked, reason
		}
		rows = append(rows, next)
	}
	return rows, to, nil
}

func workedOn(ctx context.Context, tx *store.Tx, moves map[string]lead.Reassignment) (map[string]bool, error) {
	var ops []string
	for id := range moves {
		ops = append(ops, id)
	}
	all, err := tx.WorkSince(ctx, ops)
	worked := map[string]bool{}
	for _, w := range all {
		worked[w.Reassignment] = true
	}
	return worked, err
}

// whyStays says why a lead cannot go back to the originator from whom a reassignment took it; "" if it can.
func whyStays(ctx context.Context, tx *store.Tx, made lead.Reassignment) (string, error) {
	row, err := tx.AnyLead(ctx, made.App)
	switch {
	case fault.Is(err, fault.NotFound):
		return reasonAgain, nil
	case err != nil:
		return "", err
	case row.Lane == heloc.LaneEnded:
		return reasonEnded, nil
	case made.LeadCompany == "" || row.Originator != made.ToOriginator && made.DoneAt() != 0 || made.ReassignedAgain():
		return reasonAgain, nil
	case made.DoneAt() == 0:
		return reasonUnconfirmed, nil
	}
	err = checkAssignee(ctx, tx, row, made.FromOriginator)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		return fields[0].Message, nil
	}
	return "", err
}

// checkReturn checks a lead again in the transaction that stores its operation.
func checkReturn(ctx context.Context, tx *store.Tx, row lead.Row, of runRow) error {
	made, err := tx.Reassignment(ctx, of.Undoes)
	if err != nil {
		return err
	}
	switch {
	case row.Lane == heloc.LaneEnded:
		return fault.New(fault.Conflict, reasonEnded)
	case row.Originator != made.ToOriginator || made.ReassignedAgain():
		return fault.New(fault.Conflict, reasonAgain)
	}
	worked, err := tx.WorkSince(ctx, []string{of.Undoes})
	if err == nil && len(worked) > 0 {
		err = errWorkedOn
	}
	return err
}

// askAboutReturn notifies the manager who split the leads of a return about those that did not go back automatically,
// or, if they may no longer decide, all managers of the company. Each further lead raises the number.
func askAboutReturn(ctx context.Context, s core.Services, tx *store.Tx, job lead.Job) error {
	rows, err := tx.JobRows(ctx, job.ID)
	if err != nil {
		return err
	}
	n := 0
	for _, row := range rows {
		if row.State == lead.JobRowAsked || row.State == lead.JobRowStopped {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	keys := s.Vault.NoticeDedupKeys("return", job.Company, job.ID)
	notice := lead.Notice{Company: job.Company, Kind: lead.NoticeReturn, About: job.ID, N: n, DedupKey: keys[0],
		OldDedupKeys: keys[1:], At: store.Millis(s.Now())}
	who, err := tx.User(ctx, job.ActorID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err != nil || !mayReturn(who, job.Company) {
		return core.NotifyManagers(ctx, tx, notice)
	}
	notice.UserID = job.ActorID
	_, err = tx.NotifyBatch(ctx, notice)
	return err
}

// Return is what became of the leads that somebody who was out had before.
type Return struct {
	ReassignmentRun
	Person lead.Originator
	Mine   bool // this user may open the run
	Asked  []AskedLead
}

// ReturnNow returns the leads of an originator of the company before the chosen time, because the originator is back
// early. It returns the id of the last return, "" if no lead had left. It is fault.Conflict if none wait to go back.
func (b *Bulk) ReturnNow(ctx context.Context, originator heloc.OriginatorID) (id string, err error) {
	if err := cmp.Or(b.mayPlanOut(), b.d.SendingPaused("Nothing was sent.")); err != nil {
		return "", err
	}
	waiting, err := b.d.Store.ReturnsTo(ctx, originator, b.d.Company())
	if err != nil {
		return "", err
	}
	if len(waiting) == 0 {
		return "", fault.New(fault.Conflict, "No leads are waiting to go back, or their reassignment is still in progress.")
	}
	for _, job := range waiting {
		err := b.d.Store.Write(ctx, func(tx *store.Tx) error {
			return b.d.AuditAction(ctx, tx, store.ActionBulkReassign, "job:"+job.ID, "return-now", "")
		})
		if err != nil {
			return "", err
		}
		job.ReturnAt = store.Millis(b.d.Now())
		if id, err = startReturn(ctx, b.d.Services, job); err != nil {
			return "", err
		}
	}
	return id, nil
}

// AskedLead is a lead about which a manager chooses.
type AskedLead struct {
	PlannedLead // Problem says why it cannot go back
	Reason      string
	Work        []lead.Work
	N           int
}

// Touched reports whether somebody contacted the borrower or sent something to the lender: then the lead had better
// stay.
func (a AskedLead) Touched() bool {
	return slices.ContainsFunc(a.Work, func(w lead.Work) bool { return w.Kind == lead.EventContact || w.Operation != "" })
}

// FindReturn reads a return for the managers of the company, and marks its notification as read; fault.NotFound for any
// other job.
func (b *Bulk) FindReturn(ctx context.Context, id string) (Return, error) {
	if err := b.mayPlanOut(); err != nil {
		return Return{}, err
	}
	job, err := b.d.Store.AnyJob(ctx, id)
	if err == nil && (job.Kind != lead.JobReturn || job.Company != b.d.Company()) {
		err = fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	if err != nil {
		return Return{}, err
	}
	back := Return{Mine: job.ActorID == b.d.Actor.UserID}
	if back.ReassignmentRun, err = b.decryptRun(ctx, job); err != nil {
		return back, err
	}
	if back.Person, err = b.d.Store.Originator(ctx, job.Target); err != nil && !fault.Is(err, fault.NotFound) {
		return back, err
	}
	if err := b.addAsked(ctx, &back); err != nil {
		return back, err
	}
	return back, b.d.MarkRead(ctx, store.NoticeSelection{Batch: id})
}

func (b *Bulk) addAsked(ctx context.Context, back *Return) error {
	var apps, ops []string
	var rows []RunRow
	for _, row := range back.Rows {
		if row.State == lead.JobRowAsked {
			rows, apps, ops = append(rows, row), append(apps, string(row.App)), append(ops, row.Undoes)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	plan, err := b.Plan(ctx, returnRequest(back.Job, "", apps))
	if err != nil {
		return err
	}
	work, err := b.d.Store.WorkSince(ctx, ops)
	if err != nil {
		return err
	}
	for _, row := range rows {
		one := AskedLead{Reason: row.Reason, N: row.N}
		at := slices.IndexFunc(plan.Leads, func(l PlannedLead) bool { return l.App == row.App })
		one.PlannedLead = plan.Leads[at]
		for _, w := range work {
			if w.Reassignment == row.Undoes {
				one.Work = append(one.Work, w)
			}
		}
		back.Asked = append(back.Asked, one)
	}
	return nil
}

func returnRequest(job lead.Job, formKey string, apps []string) BulkReassignRequest {
	return BulkReassignRequest{FormKey: formKey, Apps: apps, Assignees: []string{string(job.Target)}, Split: SplitEven}
}

// AnswerReturn records who keeps the leads of a return. Leads in back go to the originator who is back, in a run by
// this user, and leads in keep stay. Leads in neither remain undecided. It returns the id of the run, "" for none.
func (b *Bulk) AnswerReturn(ctx context.Context, id, formKey string, back, keep []string) (run string, err error) {
	if err := b.mayPlanOut(); err != nil {
		return "", err
	}
	if _, err := ulid.ParseStrict(formKey); err != nil {
		return "", fault.New(fault.Invalid, "This form is no longer valid. Nothing was sent. Reload the page.")
	}
	if started, err := b.Started(ctx, formKey); err != nil || started {
		return formKey, err
	}
	of, err := b.FindReturn(ctx, id)
	if err != nil {
		return "", err
	}
	var apps []string
	for _, l := range of.Asked {
		if slices.Contains(back, string(l.App)) && l.Problem == "" {
			apps = append(apps, string(l.App))
		}
	}
	answer := func(tx *store.Tx) error { return b.saveAnswer(ctx, tx, of, apps, keep) }
	if len(apps) == 0 {
		return "", b.d.Store.Write(ctx, answer)
	}
	plan, err := b.Plan(ctx, returnRequest(of.Job, formKey, apps))
	if err != nil {
		return "", err
	}
	return formKey, b.saveRun(ctx, formKey, "", plan, answer)
}

func (b *Bulk) saveAnswer(ctx context.Context, tx *store.Tx, of Return, back, keep []string) error {
	if _, err := b.d.Reauthorize(ctx, tx, access.ReassignLead); err != nil {
		return err
	}
	rows, err := tx.JobRows(ctx, of.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		next := row
		switch app := string(row.App); {
		case slices.Contains(back, app):
			next.State = lead.JobRowBack
		case slices.Contains(keep, app):
			next.State = lead.JobRowKept
		default:
			continue
		}
		if row.State != lead.JobRowAsked {
			return fault.New(fault.Conflict, "This was already answered. Nothing was changed. Reload the page.")
		}
		if err := tx.SaveJobRow(ctx, next); err != nil {
			return err
		}
	}
	return b.d.AuditAction(ctx, tx, store.ActionBulkReassign, "job:"+of.ID, "answered", "")
}
