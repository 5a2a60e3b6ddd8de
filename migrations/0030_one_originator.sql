-- +goose Up
-- One person signs in as an originator. Of several open accounts of one, made before this
-- was held, the first stays open. A closed account keeps its originator: nobody who was
-- shut out comes in anew by the directory, and only the operator can add another account.
UPDATE users SET disabled_at = created_at + 1 WHERE originator_uuid <> '' AND disabled_at = 0 AND EXISTS (
  SELECT 1 FROM users u WHERE u.originator_uuid = users.originator_uuid AND u.disabled_at = 0
    AND (u.created_at < users.created_at OR u.created_at = users.created_at AND u.id < users.id));
CREATE UNIQUE INDEX users_open_originator ON users (originator_uuid) WHERE originator_uuid <> '' AND disabled_at = 0;
