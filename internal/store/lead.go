package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
)

// Lead is one row of the pipeline. Instants are in milliseconds, amounts in cents.
type Lead struct {
	App              heloc.AppID        `db:"app_uuid"`
	ShortID          string             `db:"short_id"`
	Company          string             `db:"company"`
	Originator       heloc.OriginatorID `db:"originator_uuid"`
	BrokerID         string             `db:"broker_id"`
	Organization     string             `db:"organization"`
	Borrower         []byte             `db:"borrower"` // sealed heloc.Name
	City             string             `db:"city"`
	State            string             `db:"state"`
	PropertyType     heloc.PropertyType `db:"property_type"`
	DuplicateKey     string             `db:"duplicate_key"`
	DuplicateKeyID   int64              `db:"duplicate_under"` // the key that made it
	RequestedAmount  heloc.Money        `db:"wanted"`
	Step             heloc.Step         `db:"step"`
	StepSince        int64              `db:"step_since"`
	Attempt          int                `db:"attempt"`
	Converted        bool               `db:"converted"`
	Status           string             `db:"status"`
	OverallStatus    string             `db:"overall_status"`
	HistoryLength    int                `db:"history_length"`
	MaxAmount        heloc.Money        `db:"max_amount"`
	SelectedAmount   heloc.Money        `db:"selected_amount"`
	Amount           heloc.Money        `db:"amount"`
	CreatedDate      heloc.Date         `db:"created_date"`
	ExpirationDate   heloc.Date         `db:"expiration_date"`
	DisclosureDate   heloc.Date         `db:"disclosure_date"`
	ESignedDate      heloc.Date         `db:"esigned_date"`
	NotaryDate       heloc.Date         `db:"notary_date"`
	SigningDate      heloc.Date         `db:"signing_date"`
	RescissionDate   heloc.Date         `db:"rescission_date"`
	CanceledDate     heloc.Date         `db:"canceled_date"`
	DeclinedDate     heloc.Date         `db:"declined_date"`
	FundedDate       heloc.Date         `db:"funded_date"`
	Funded           bool               `db:"funded"`
	OpenConditions   int                `db:"open_conditions"`
	Documents        int                `db:"documents"`
	PendingOp        string             `db:"under_way_op"`
	PendingUntil     int64              `db:"under_way_until"`
	WebhookAt        int64              `db:"hinted_at"` // the last webhook
	SetAsideAt       int64              `db:"set_aside_at"`
	RepullAt         int64              `db:"repull_at"`
	LastContactAt    int64              `db:"last_contact_at"`
	LastContact      string             `db:"last_contact_kind"`
	StatusKey        heloc.StatusKey    `db:"stand"`
	Lane             heloc.Lane         `db:"lane"`
	Mover            heloc.Mover        `db:"mover"`
	DueAt            int64              `db:"due_at"`
	DueSort          int64              `db:"due_sort"`
	StatusChangesAt  int64              `db:"turns_at"`
	Revision         int64              `db:"revision"`
	CreatedAt        int64              `db:"created_at"`
	ChangedAt        int64              `db:"changed_at"`
	RefreshedAt      int64              `db:"refreshed_at"`
	RefreshAt        int64              `db:"refresh_at"`
	RefreshTries     int                `db:"refresh_tries"`    // refreshes in a row that found no change
	RefreshFailures  int                `db:"refresh_failures"` // refreshes in a row that failed
	FollowUpAt       int64              `db:"follow_up_at"`     // the earliest follow-up that is not done
	PricingDate      heloc.Date         `db:"pricing_date"`
	CreditDate       heloc.Date         `db:"credit_date"`
	ConditionAt      int64              `db:"condition_at"` // the last time a condition was added
	WireAt           int64              `db:"wire_at"`      // the last time a transfer failed
	WireStatus       string             `db:"wire_status"`  // and how: the status, and the payment rail when it was not a wire
	FormerOriginator heloc.OriginatorID `db:"left_by"`      // its last originator, while it has none
}

var leadColumns = []string{
	"app_uuid", "short_id", "company", "originator_uuid", "broker_id", "organization", "borrower", "city", "state",
	"property_type", "duplicate_key", "wanted", "step", "step_since", "attempt", "converted", "status", "overall_status",
	"history_length", "max_amount", "selected_amount", "amount", "created_date", "expiration_date", "disclosure_date",
	"esigned_date", "notary_date", "signing_date", "rescission_date", "canceled_date", "declined_date", "funded_date",
	"funded", "open_conditions", "documents", "under_way_op", "under_way_until", "hinted_at", "set_aside_at", "repull_at",
	"last_contact_at", "last_contact_kind", "stand", "lane", "mover", "due_at", "due_sort", "turns_at", "revision",
	"created_at", "changed_at", "refreshed_at", "refresh_at", "refresh_tries",
	"refresh_failures", "follow_up_at", "pricing_date", "credit_date", "condition_at", "wire_at", "wire_status", "left_by",
	"duplicate_under",
}

// insertOnlyColumns are written when a lead is created, and later only by re-encryption: saving a lead that
// was read earlier must not restore values that were made with an older key.
var insertOnlyColumns = []string{"app_uuid", "borrower", "duplicate_key", "duplicate_under"}

// never is the instant of a status change that time alone does not cause.
const never = math.MaxInt64

// CompanyOf returns the company that a lead belongs to, which is the boundary for access: its broker company,
// or the part of the organization that has no broker company.
func CompanyOf(brokerID, organization string) string {
	if brokerID != "" {
		return brokerID
	}
	return "org:" + organization
}

// Owner returns who owns the lead, for access checks.
func (l *Lead) Owner() access.Owner {
	return access.Owner{OriginatorUUID: string(l.Originator), BrokerID: l.BrokerID, Organization: l.Organization}
}

// Facts returns the values that determine the lead's status.
func (l *Lead) Facts() heloc.StatusFacts {
	return heloc.StatusFacts{
		Step: l.Step, Converted: l.Converted, StepSince: Instant(l.StepSince), OperationPendingUntil: Instant(l.PendingUntil),
		SetAside: l.SetAsideAt != 0, RepullAt: Instant(l.RepullAt), LastContact: Instant(l.LastContactAt),
		FollowUpAt: Instant(l.FollowUpAt),
		Dates: heloc.KeyDates{
			Created: l.CreatedDate, Expiration: l.ExpirationDate, RescissionEnd: l.RescissionDate, Signing: l.SigningDate,
			Canceled: l.CanceledDate, Declined: l.DeclinedDate, SummaryDisclosure: l.DisclosureDate, AgreementESigned: l.ESignedDate,
		},
		NotaryDate: l.NotaryDate, Funded: l.Funded, OpenCondition: l.OpenConditions > 0,
	}
}

// updateStatus recomputes the columns that derive from others. Every save calls it, so that the status always
// agrees with the facts, and the company that list queries filter by always agrees with the owner that is
// checked when a lead is opened.
func (l *Lead) updateStatus(now time.Time) {
	l.Company = CompanyOf(l.BrokerID, l.Organization)
	if l.Originator != "" {
		l.FormerOriginator = ""
	}
	s := heloc.StatusAt(l.Facts(), now)
	l.StatusKey, l.Lane, l.Mover = s.Key, s.Lane, s.Mover
	l.DueAt, l.StatusChangesAt = Millis(s.Due), Millis(s.ChangesAt)
	l.DueSort = l.DueAt
	if l.DueAt == 0 {
		// Leads without a due time sort after all others, newest change first.
		l.DueSort = never/2 - l.ChangedAt
	}
	if l.StatusChangesAt == 0 {
		l.StatusChangesAt = never
	}
	l.Amount = max(l.SelectedAmount, 0)
	if l.Amount == 0 {
		l.Amount = l.MaxAmount
	}
}

// Lead opens a lead within a scope; fault.NotFound outside it.
func (q queries) Lead(ctx context.Context, scope access.Scope, app heloc.AppID) (Lead, error) {
	l, err := q.AnyLead(ctx, app)
	if err == nil && !scope.Covers(l.Owner()) {
		return Lead{}, notFoundError(nil)
	}
	return l, err
}

// AnyLead opens a lead for the system itself, without a scope.
func (q queries) AnyLead(ctx context.Context, app heloc.AppID) (Lead, error) {
	var l Lead
	err := q.get(ctx, &l, `SELECT `+strings.Join(leadColumns, ", ")+` FROM leads WHERE app_uuid = ?`, app)
	return l, err
}

var (
	leadInsert = `INSERT INTO leads (` + strings.Join(leadColumns, ", ") + `) VALUES (:` + strings.Join(leadColumns, ", :") + `)`
	leadUpdate = `UPDATE leads SET ` + assignments(leadColumns, insertOnlyColumns) + ` WHERE app_uuid = :app_uuid`
)

func assignments(columns, but []string) string {
	var set []string
	for _, c := range columns {
		if !slices.Contains(but, c) {
			set = append(set, c+" = :"+c)
		}
	}
	return strings.Join(set, ", ")
}

// AddLead inserts a lead with its status as of now.
func (tx *Tx) AddLead(ctx context.Context, l *Lead, now time.Time) error {
	l.CreatedAt, l.ChangedAt, l.Revision = Millis(now), Millis(now), 1
	if l.Attempt == 0 {
		l.Attempt = 1
	}
	l.updateStatus(now)
	if err := tx.execNamed(ctx, leadInsert, l); err != nil {
		return err
	}
	return tx.saveDates(ctx, *l)
}

// SaveLead writes a lead with its status as of now. A change that users can see raises the revision; changed
// reports one, and so does a new status.
func (tx *Tx) SaveLead(ctx context.Context, l *Lead, now time.Time, changed bool) error {
	before := [...]any{l.StatusKey, l.Lane, l.Mover, l.DueAt}
	if changed {
		l.ChangedAt = Millis(now)
	}
	l.updateStatus(now)
	if changed || before != [...]any{l.StatusKey, l.Lane, l.Mover, l.DueAt} {
		l.Revision++
	}
	if err := tx.execNamed(ctx, leadUpdate, l); err != nil {
		return err
	}
	return tx.saveDates(ctx, *l)
}

// RaiseRevision gives a lead a new revision, so that open pages reload what is displayed beside it. The lead
// itself does not change.
func (tx *Tx) RaiseRevision(ctx context.Context, app heloc.AppID) error {
	_, err := tx.exec(ctx, `UPDATE leads SET revision = revision + 1 WHERE app_uuid = ?`, app)
	return err
}

// LeadsDue lists the leads whose refresh is due, longest waiting first.
func (q queries) LeadsDue(ctx context.Context, now time.Time, limit int) ([]heloc.AppID, error) {
	var apps []heloc.AppID
	return apps, q.list(ctx, &apps, `SELECT app_uuid FROM leads WHERE refresh_at <= ? ORDER BY refresh_at LIMIT ?`, Millis(now), limit)
}

// LeadsChangingStatus lists the leads whose status changes because of the time, as of now.
func (q queries) LeadsChangingStatus(ctx context.Context, now time.Time, limit int) ([]heloc.AppID, error) {
	var apps []heloc.AppID
	return apps, q.list(ctx, &apps, `SELECT app_uuid FROM leads WHERE turns_at <= ? ORDER BY turns_at LIMIT ?`, Millis(now), limit)
}

// DropLeads deletes leads that ended before an instant and are not under a legal hold, with all dependent
// rows, at most limit of them, and returns their ids. The journal and the audit keep their rows, which
// contain no borrower data.
func (tx *Tx) DropLeads(ctx context.Context, ended time.Time, limit int) ([]heloc.AppID, error) {
	var apps []heloc.AppID
	if err := tx.list(ctx, &apps, endedSQL, Millis(ended), limit); err != nil {
		return nil, err
	}
	for _, app := range apps {
		// Texts from the lender and from users may quote a borrower, so they are deleted with the lead, and
		// so is a draft that is still there.
		for _, statement := range []string{
			`UPDATE operations SET messages = '', reason = '' WHERE app_uuid = ?`, `DELETE FROM drafts WHERE app_uuid = ?`, `DELETE FROM leads WHERE app_uuid = ?`,
		} {
			if _, err := tx.exec(ctx, statement, app); err != nil {
				return nil, err
			}
		}
	}
	return apps, nil
}

const endedSQL = `SELECT app_uuid FROM leads WHERE lane = 'ended' AND held_at = 0 AND changed_at < ? ORDER BY changed_at LIMIT ?`

// A webhook causes an immediate refresh of its application while webhooks arrive one at a time, as they do
// while a borrower signs in and signs documents. After webhookBurst of them, the next refreshes are
// webhookPause apart.
const (
	webhookPause = 10 * time.Second
	webhookBurst = 5
)

// MarkWebhook records a webhook: the lead is to be refreshed at once, or when the limit on refreshes for
// webhooks allows the next one. An earlier refresh stays planned. Only news, a body that was not received
// before, counts as an answer from the lender. known reports whether the lead exists.
func (tx *Tx) MarkWebhook(ctx context.Context, app heloc.AppID, now time.Time, news bool) (known bool, err error) {
	var rows []struct {
		UsedUpAt  int64 `db:"hint_read_at"`
		RefreshAt int64 `db:"refresh_at"`
		WebhookAt int64 `db:"hinted_at"`
	}
	err = tx.list(ctx, &rows, `SELECT hint_read_at, refresh_at, hinted_at FROM leads WHERE app_uuid = ?`, app)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	l := rows[0]
	readAt, usedUpAt := nextWebhookRefresh(l.UsedUpAt, Millis(now))
	// A refresh that is due may already be running, and may have missed the change.
	due := readAt
	if l.RefreshAt > Millis(now) {
		due = min(l.RefreshAt, readAt)
	}
	if news {
		l.WebhookAt = Millis(now)
	}
	_, err = tx.exec(ctx, `UPDATE leads SET hinted_at = ?, hint_read_at = ?, refresh_at = ?, refresh_tries = 0 WHERE app_uuid = ?`,
		l.WebhookAt, usedUpAt, due, app)
	return true, err
}

// nextWebhookRefresh returns when to refresh after a webhook at now, and until when the refreshes granted so
// far use up the limit, each with a pause. All values are milliseconds.
func nextWebhookRefresh(usedUpAt, now int64) (readAt, then int64) {
	const pause, ahead = int64(webhookPause / time.Millisecond), (webhookBurst - 1) * int64(webhookPause/time.Millisecond)
	if planned := usedUpAt - pause - ahead; planned > now {
		return planned, usedUpAt // a refresh is planned already, and will cover this webhook too
	}
	return max(now, usedUpAt-ahead), max(now, usedUpAt) + pause
}

// Duplicates lists the open leads of a company with the same name, birth date and property, by the duplicate
// key under each of the vault's keys; none for an inquiry that lacks one of the three.
func (q queries) Duplicates(ctx context.Context, company string, indexes []string) ([]Lead, error) {
	var all []Lead
	for _, index := range indexes {
		var ls []Lead
		if err := q.list(ctx, &ls, `SELECT `+strings.Join(leadColumns, ", ")+` FROM leads
			WHERE company = ? AND duplicate_key = ? AND lane <> 'ended' ORDER BY created_at DESC LIMIT 5`, company, index); err != nil {
			return nil, err
		}
		all = append(all, ls...)
	}
	slices.SortStableFunc(all, func(a, b Lead) int { return cmp.Compare(b.CreatedAt, a.CreatedAt) })
	return all[:min(len(all), 5)], nil
}
