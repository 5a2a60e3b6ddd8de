package migrations

import (
	"context"
	"database/sql"
	"strings"
)

// shownInLists are the columns of a lead whose change changes a list.
var shownInLists = strings.Fields(`app_uuid short_id company originator_uuid broker_id organization borrower city state step step_since
	attempt converted max_amount selected_amount wanted amount expiration_date notary_date signing_date rescission_date
	canceled_date declined_date funded_date open_conditions under_way_op under_way_until set_aside_at repull_at
	last_contact_at last_contact_kind stand lane mover due_at due_sort revision created_at changed_at follow_up_at
	condition_at wire_at wire_status started_on source reached outcome left_steps`)

const (
	insertRevision = `INSERT INTO lead_revisions (company, originator_uuid, n) `
	addRevision    = ` ON CONFLICT (company, originator_uuid) DO UPDATE SET n = lead_revisions.n + 1;`
)

func createLeadRevisions(ctx context.Context, tx *sql.Tx, d Dialect) error {
	of := func(row string) string { return `(` + row + `.` + strings.Join(shownInLists, ", "+row+".") + `)` }
	return createTriggers(ctx, tx, d,
		trigger{"lead_revisions_insert", "AFTER INSERT ON leads", "", insertRevision + `VALUES (NEW.company, NEW.originator_uuid, 1)` + addRevision},
		trigger{"lead_revisions_delete", "AFTER DELETE ON leads", "", insertRevision + `VALUES (OLD.company, OLD.originator_uuid, 1)` + addRevision},
		trigger{
			"lead_revisions_update", "AFTER UPDATE ON leads", of("OLD") + ` IS DISTINCT FROM ` + of("NEW"),
			insertRevision + `VALUES (NEW.company, NEW.originator_uuid, 1)` + addRevision +
				insertRevision + `SELECT OLD.company, OLD.originator_uuid, 1 WHERE (OLD.company, OLD.originator_uuid) <> (NEW.company, NEW.originator_uuid)` + addRevision,
		})
}

// createListRevisions counts what a list shows of leads besides their columns: their dates, and what happened to them.
func createListRevisions(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d,
		trigger{"lead_revisions_date_insert", "AFTER INSERT ON lead_dates", "", insertRevision + `VALUES (NEW.company, NEW.originator_uuid, 1)` + addRevision},
		trigger{"lead_revisions_date_delete", "AFTER DELETE ON lead_dates", "", insertRevision + `VALUES (OLD.company, OLD.originator_uuid, 1)` + addRevision},
		trigger{"lead_revisions_event", "AFTER INSERT ON lead_events", "NEW.kind IN ('step', 'again', 'converted', 'funded', 'note')", insertRevision + `VALUES (NEW.company, NEW.originator_uuid, 1)` + addRevision})
}

func createAccessChanges(ctx context.Context, tx *sql.Tx, d Dialect) error {
	const originator = `(@.uuid, @.email, @.first_name, @.middle_name, @.last_name, @.nmls, @.phone, @.organization, @.broker_id, @.broker_name, @.broker_nmls, @.gone_at)`
	of := func(row string) string { return strings.ReplaceAll(originator, "@", row) }
	for _, t := range []trigger{
		{name: "session_ended", on: "AFTER DELETE ON sessions"},
		{name: "session", on: "AFTER UPDATE OF id_hash, user_id, expires_at, level, proved_at, proof, client, role, place ON sessions"},
		{name: "user", on: "AFTER UPDATE ON users", when: "OLD.caught_up_at = NEW.caught_up_at AND OLD.came_at = NEW.came_at"},
		{name: "user_deleted", on: "AFTER DELETE ON users"},
		{name: "originator_added", on: "AFTER INSERT ON originators"},
		{name: "originator", on: "AFTER UPDATE ON originators", when: of("OLD") + ` <> ` + of("NEW")},
		{name: "originator_deleted", on: "AFTER DELETE ON originators"},
		{name: "absence_added", on: "AFTER INSERT ON absences"},
		{name: "absence", on: "AFTER UPDATE ON absences"},
		{name: "absence_deleted", on: "AFTER DELETE ON absences"},
	} {
		t.name, t.do = "access_changes_"+t.name, `UPDATE access_changes SET n = n + 1;`
		if err := createTriggers(ctx, tx, d, t); err != nil {
			return err
		}
	}
	return nil
}
