package store

import (
	"context"
	"fmt"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const operationColumns = `id, kind, app, draft_id, actor_id, actor_name, originator, company, digest, state,
	step_before,
	history_before, duplicate_key, http_status, request_id, messages, created_at, sent_at, answered_at, settled_at,
	corrected_at, step_changed_at,
	step_after, lease_owner, lease_until, resolved_by, reason, target, duplicate_key_id`

// Operation reads one row of the journal.
func (q Queries) Operation(ctx context.Context, id string) (lead.Operation, error) {
	return get[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE id = ?`, id)
}

// AddOperation inserts an operation.
func (tx *Tx) AddOperation(ctx context.Context, op lead.Operation) error {
	return tx.insert(ctx, "operations", operationColumns, op)
}

// DropMessages deletes the lender's messages of operations that never had a lead and were created before an
// instant. Those of a lead are deleted with the lead.
func (tx *Tx) DropMessages(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `UPDATE operations SET messages = '', reason = '' WHERE app = '' AND created_at < ?
		AND (messages <> '' OR reason <> '')`, Millis(before))
}

// operationProgress are the columns that change after an operation was sent.
const operationProgress = `app, state, http_status, request_id, messages, sent_at, answered_at, settled_at,
	corrected_at, step_changed_at, step_after, lease_owner, lease_until, resolved_by, reason`

// SaveOperation writes what is now known about an operation.
func (tx *Tx) SaveOperation(ctx context.Context, op lead.Operation) error {
	return tx.update(ctx, "operations", "id", operationProgress, op)
}

var answerSQL = `UPDATE operations SET ` + assignments(operationProgress, "", ":") + `
	WHERE id = :id AND state = 'sent'`

// AnswerOperation is SaveOperation for an operation whose state is still sent. It writes nothing and returns false if
// the outcome has been determined in the meantime.
func (tx *Tx) AnswerOperation(ctx context.Context, op lead.Operation) (bool, error) {
	n, err := tx.execNamedRows(ctx, answerSQL, op)
	return n > 0, err
}

// Operations lists the operations of a lead that the caller has opened, newest first.
func (q Queries) Operations(ctx context.Context, app heloc.AppID, limit int) ([]lead.Operation, error) {
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE app = ?
		ORDER BY created_at DESC`+limited(limit), app)
}

// OperationsAmong lists which of the given operations belong to a lead that the caller has opened.
func (q Queries) OperationsAmong(ctx context.Context, app heloc.AppID, ids []string) ([]lead.Operation, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE app = ?
		AND id IN `+placeholders(len(ids)), append([]any{app}, toAny(ids)...)...)
}

// OperationsIn lists the operations in a state, oldest first.
func (q Queries) OperationsIn(ctx context.Context, state lead.OpState, limit int) ([]lead.Operation, error) {
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE state = ?
		ORDER BY lease_until, created_at LIMIT ?`, state, limit)
}

// UnsettledOf lists the starts of unknown outcome that a user sent, and those that were sent in the names of
// originators for whom the user covers: the newest lead.UnsettledLimit of them.
func (q Queries) UnsettledOf(ctx context.Context, actor UserScope, covering []string) ([]lead.Operation, error) {
	sender, args := `actor_id = ?`, []any{actor.UserID}
	if len(covering) > 0 {
		sender, args = `(actor_id = ? OR originator IN `+placeholders(len(covering))+`)`, append(args, toAny(covering)...)
	}
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE `+sender+` AND company = ?
		AND kind = 'start'
		AND state IN ('sent', 'unknown') ORDER BY created_at DESC`+limited(lead.UnsettledLimit),
		append(args, actor.Company)...)
}

// UnknownOperations lists the writes to a lead whose outcome is unknown, newest first.
func (q Queries) UnknownOperations(ctx context.Context, app heloc.AppID) ([]lead.Operation, error) {
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE app = ? AND state = 'unknown'
		ORDER BY created_at DESC`, app)
}

// OperationsToCompare lists, newest first, the writes to a lead whose verdict a reading may change: those whose
// outcome is unknown, and those that were sent after an instant and whose verdict is absent, or rejected or abandoned
// if the details would show their effect. Of the latter, only the newest of each kind counts: the details may show
// the effect of a later one.
func (q Queries) OperationsToCompare(ctx context.Context, app heloc.AppID,
	sentAfter time.Time) ([]lead.Operation, error) {
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE app = ? AND (state = 'unknown'
		OR (state = 'absent' OR state IN ('rejected', 'abandoned') AND kind IN ('cancel', 'reassign', 'select-offer'))
		AND sent_at > ? AND NOT EXISTS (SELECT 1 FROM operations later
			WHERE later.app = operations.app AND later.kind = operations.kind
			AND later.created_at > operations.created_at AND later.state NOT IN ('rejected', 'not_sent')))
		ORDER BY created_at DESC`, app, Millis(sentAfter))
}

// UnknownAmong lists those of some leads that have a write whose outcome is unknown.
func (q Queries) UnknownAmong(ctx context.Context, apps []heloc.AppID) ([]heloc.AppID, error) {
	return list[heloc.AppID](ctx, q, `SELECT DISTINCT app FROM operations
		WHERE state = 'unknown' AND app IN `+placeholders(len(apps)), toAny(apps)...)
}

// StartOf finds the start that created a lead; fault.NotFound for a lead that was adopted.
func (q Queries) StartOf(ctx context.Context, app heloc.AppID) (lead.Operation, error) {
	return get[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations
		WHERE app = ? AND app <> '' AND kind = 'start' ORDER BY created_at LIMIT 1`, app)
}

// AcceptedQuery selects writes that a user sent and that the lender accepted.
type AcceptedQuery struct {
	By        UserScope
	SentAfter time.Time
	Kinds     []heloc.Operation
	// Step is the step that the write resolved: the lead was there when it was sent, and the lender's answer to it was
	// another step, which was not the end of the inquiry. If empty, the lead's step does not matter.
	Step heloc.Step
}

// FirstAccepted finds the first of these writes; fault.NotFound if there is none. A write whose outcome is unknown is
// not accepted.
func (q Queries) FirstAccepted(ctx context.Context, aq AcceptedQuery) (lead.Operation, error) {
	query, args := firstAcceptedSQL(aq)
	return get[lead.Operation](ctx, q, query, args...)
}

func firstAcceptedSQL(aq AcceptedQuery) (string, []any) {
	where, args := ``, append([]any{aq.By.UserID, aq.By.Company, Millis(aq.SentAfter)}, toAny(aq.Kinds)...)
	if aq.Step != "" {
		where = ` AND step_before = ? AND step_changed_at > 0 AND step_after NOT IN (?, ?, ?)`
		args = append(args, aq.Step, aq.Step, heloc.StepClosed, heloc.StepWithdrawn)
	}
	return `SELECT ` + operationColumns + ` FROM operations WHERE actor_id = ? AND company = ? AND created_at > ?
		AND kind IN ` + placeholders(len(aq.Kinds)) +
		` AND state IN ('succeeded', 'confirmed')` + where + ` ORDER BY created_at LIMIT 1`, args
}

// mayHaveArrivedSQL is true of an operation that the lender may have received without our knowing of
// an application: its outcome is not known, or somebody gave it up.
const mayHaveArrivedSQL = `(state IN ('sent', 'unknown') OR state = 'abandoned' AND app = '')`

// UnsettledStarts lists the starts of a company for the same borrower and property that may have
// arrived without a lead, by the mark that each key makes of them.
func (q Queries) UnsettledStarts(ctx context.Context, company string, indexes []string) ([]lead.Operation, error) {
	where := &condition{}
	where.and("company = ?", company)
	in(where, "duplicate_key", indexes)
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations WHERE `+where.String()+`
		AND `+mayHaveArrivedSQL+` ORDER BY created_at DESC LIMIT 5`, where.args...)
}

// OperationAndOpen lists the operation with the given id, if it exists; the write that the lead last waited for; and
// the lead's operations that have no outcome yet, or whose verdict is absent or abandoned and that were not followed
// by another write of the same kind.
func (q Queries) OperationAndOpen(ctx context.Context, id string, app heloc.AppID) ([]lead.Operation, error) {
	return list[lead.Operation](ctx, q, `SELECT `+operationColumns+` FROM operations
		WHERE id = ? OR id = (SELECT pending_op FROM leads WHERE app = ?) OR app = ? AND app <> ''
			AND (state IN ('sent', 'unknown') OR state IN ('absent', 'abandoned')
			AND NOT EXISTS (SELECT 1 FROM operations later WHERE later.app = operations.app AND later.kind = operations.kind
				AND later.created_at > operations.created_at AND later.state NOT IN ('rejected', 'not_sent')))`, id, app, app)
}

// ExtendLease extends the lease of an operation that is being sent, starting at LeaseNow.
func (tx *Tx) ExtendLease(ctx context.Context, opID, owner string, lasts time.Duration) error {
	now, err := tx.LeaseNow(ctx)
	if err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE operations SET lease_until = ? WHERE id = ? AND lease_owner = ? AND state = 'sent'`,
		Millis(now.Add(lasts)), opID, owner)
}

// AddConsent stores a consent with its operation.
func (tx *Tx) AddConsent(ctx context.Context, c lead.Consent) error {
	return tx.execNamed(ctx, `INSERT INTO consents (op_id, app, user_id, originator, method, text_version, at)
		VALUES (:op_id, :app, :user_id, :originator, :method, :text_version, :at) ON CONFLICT (op_id) DO NOTHING`, c)
}

// Consents lists the consents of a lead that the caller has opened, newest first.
func (q Queries) Consents(ctx context.Context, app heloc.AppID) ([]lead.Consent, error) {
	return list[lead.Consent](ctx, q, `SELECT c.op_id, o.app, c.user_id, c.originator, c.method, c.text_version, c.at
		FROM consents c JOIN operations o ON o.id = c.op_id WHERE o.app = ? ORDER BY c.at DESC`, app)
}

// SaveConsentText stores a text under its version. A different text under the same version is an error,
// because it would no longer be clear what a borrower agreed to.
func (s *Store) SaveConsentText(ctx context.Context, version, text string) error {
	return s.Write(ctx, func(tx *Tx) error {
		stored, err := list[string](ctx, tx.Queries, `SELECT text FROM consent_texts WHERE version = ?`, version)
		if err != nil {
			return err
		}
		switch {
		case len(stored) == 0:
			return tx.exec(ctx, `INSERT INTO consent_texts (version, text, since_at) VALUES (?, ?, ?)`,
				version, text, Millis(tx.now()))
		case stored[0] != text:
			return fmt.Errorf("the consent text differs from the one that was used under the version %q: "+
				"give the new text a new version", version)
		}
		return nil
	})
}

// ConsentTexts lists every text with its number of consents, newest first. A version with consents whose text
// was never stored is listed with an empty text.
func (q Queries) ConsentTexts(ctx context.Context) ([]lead.ConsentText, error) {
	return list[lead.ConsentText](ctx, q, `SELECT v.version, coalesce(t.text, '') AS text,
		coalesce(t.since_at, 0) AS since_at,
		(SELECT count(*) FROM consents c WHERE c.text_version = v.version) AS consents
		FROM (SELECT version FROM consent_texts UNION SELECT DISTINCT text_version FROM consents) v
		LEFT JOIN consent_texts t ON t.version = v.version ORDER BY since_at DESC, v.version DESC`)
}
