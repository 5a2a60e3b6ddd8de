-- +goose Up
-- How many changes the lists of leads have had that show an originator's leads at a company. Triggers count them,
-- whichever statement makes them, so what was read from the leads of a scope is still true while the sum of its rows is
-- the same. refreshed_at alone is no change: every reading at the lender sets it.
CREATE TABLE lead_revisions (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (company, originator_uuid)
) WITHOUT ROWID; -- SQLite only
CREATE INDEX lead_revisions_own ON lead_revisions (originator_uuid, n);

-- +goose StatementBegin
CREATE TRIGGER lead_revisions_insert AFTER INSERT ON leads BEGIN
  INSERT INTO lead_revisions (company, originator_uuid, n) VALUES (NEW.company, NEW.originator_uuid, 1) ON CONFLICT (company, originator_uuid) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER lead_revisions_delete AFTER DELETE ON leads BEGIN
  INSERT INTO lead_revisions (company, originator_uuid, n) VALUES (OLD.company, OLD.originator_uuid, 1) ON CONFLICT (company, originator_uuid) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER lead_revisions_update AFTER UPDATE ON leads
WHEN (OLD.app_uuid, OLD.short_id, OLD.company, OLD.originator_uuid, OLD.broker_id, OLD.organization, OLD.borrower, OLD.city, OLD.state, OLD.step, OLD.step_since,
  OLD.attempt, OLD.converted, OLD.max_amount, OLD.selected_amount, OLD.amount, OLD.wanted, OLD.expiration_date, OLD.notary_date, OLD.signing_date, OLD.rescission_date,
  OLD.canceled_date, OLD.declined_date, OLD.funded_date, OLD.open_conditions, OLD.under_way_op, OLD.under_way_until, OLD.set_aside_at, OLD.repull_at,
  OLD.last_contact_at, OLD.last_contact_kind, OLD.stand, OLD.lane, OLD.mover, OLD.due_at, OLD.due_sort, OLD.revision, OLD.created_at, OLD.changed_at, OLD.follow_up_at,
  OLD.condition_at, OLD.wire_at, OLD.wire_status, OLD.started_on, OLD.source, OLD.reached, OLD.outcome, OLD.left_steps)
IS NOT (NEW.app_uuid, NEW.short_id, NEW.company, NEW.originator_uuid, NEW.broker_id, NEW.organization, NEW.borrower, NEW.city, NEW.state, NEW.step, NEW.step_since,
  NEW.attempt, NEW.converted, NEW.max_amount, NEW.selected_amount, NEW.amount, NEW.wanted, NEW.expiration_date, NEW.notary_date, NEW.signing_date, NEW.rescission_date,
  NEW.canceled_date, NEW.declined_date, NEW.funded_date, NEW.open_conditions, NEW.under_way_op, NEW.under_way_until, NEW.set_aside_at, NEW.repull_at,
  NEW.last_contact_at, NEW.last_contact_kind, NEW.stand, NEW.lane, NEW.mover, NEW.due_at, NEW.due_sort, NEW.revision, NEW.created_at, NEW.changed_at, NEW.follow_up_at,
  NEW.condition_at, NEW.wire_at, NEW.wire_status, NEW.started_on, NEW.source, NEW.reached, NEW.outcome, NEW.left_steps)
BEGIN
  INSERT INTO lead_revisions (company, originator_uuid, n) VALUES (NEW.company, NEW.originator_uuid, 1) ON CONFLICT (company, originator_uuid) DO UPDATE SET n = n + 1;
  INSERT INTO lead_revisions (company, originator_uuid, n) SELECT OLD.company, OLD.originator_uuid, 1
    WHERE (OLD.company, OLD.originator_uuid) <> (NEW.company, NEW.originator_uuid) ON CONFLICT (company, originator_uuid) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER lead_revisions_update;
DROP TRIGGER lead_revisions_delete;
DROP TRIGGER lead_revisions_insert;
DROP TABLE lead_revisions;
