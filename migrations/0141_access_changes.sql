-- +goose Up
-- How often something changed that decides what signed-in users may see: sessions that ended, accounts, the directory,
-- covers. Open pages are told of changes only while their session is valid, and this one number says whether anything can
-- have changed since they were checked. Activity in a session and dismissed updates are no such change.
CREATE TABLE access_changes (n BIGINT NOT NULL);
INSERT INTO access_changes (n) VALUES (1);

-- +goose StatementBegin
CREATE TRIGGER access_changes_session_ended AFTER DELETE ON sessions BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_session AFTER UPDATE OF id_hash, user_id, expires_at, level, proved_at, proof, client, role, place ON sessions BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_user AFTER UPDATE ON users WHEN OLD.caught_up_at = NEW.caught_up_at AND OLD.came_at = NEW.came_at BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_user_deleted AFTER DELETE ON users BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_originator_added AFTER INSERT ON originators BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_originator AFTER UPDATE ON originators WHEN
  (OLD.uuid, OLD.email, OLD.first_name, OLD.middle_name, OLD.last_name, OLD.nmls, OLD.phone, OLD.organization, OLD.broker_id, OLD.broker_name, OLD.broker_nmls, OLD.gone_at) <>
  (NEW.uuid, NEW.email, NEW.first_name, NEW.middle_name, NEW.last_name, NEW.nmls, NEW.phone, NEW.organization, NEW.broker_id, NEW.broker_name, NEW.broker_nmls, NEW.gone_at)
BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_originator_deleted AFTER DELETE ON originators BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_absence_added AFTER INSERT ON absences BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_absence AFTER UPDATE ON absences BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER access_changes_absence_deleted AFTER DELETE ON absences BEGIN UPDATE access_changes SET n = n + 1; END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER access_changes_absence_deleted;
DROP TRIGGER access_changes_absence;
DROP TRIGGER access_changes_absence_added;
DROP TRIGGER access_changes_originator_deleted;
DROP TRIGGER access_changes_originator;
DROP TRIGGER access_changes_originator_added;
DROP TRIGGER access_changes_user_deleted;
DROP TRIGGER access_changes_user;
DROP TRIGGER access_changes_session;
DROP TRIGGER access_changes_session_ended;
DROP TABLE access_changes;
