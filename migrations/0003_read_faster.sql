-- +goose Up
-- Readings that failed in a row; refresh_tries counts those that brought no news.
ALTER TABLE leads ADD COLUMN refresh_failures INTEGER NOT NULL DEFAULT 0;

-- A short id is looked up within a wall, so that a prefix never walks the rows of others.
DROP INDEX leads_short;
CREATE INDEX leads_own_short ON leads (originator_uuid, short_id, app_uuid);
CREATE INDEX leads_co_short ON leads (company, short_id, app_uuid);

DROP INDEX leads_duplicate;
CREATE INDEX leads_duplicate ON leads (company, duplicate_key, created_at);

-- What every list page asks for is found without walking years of what is settled.
CREATE INDEX operations_unsettled ON operations (actor_id, created_at) WHERE kind = 'start' AND state IN ('sent', 'unknown');
CREATE INDEX operations_unknown ON operations (app_uuid, created_at) WHERE state = 'unknown';
CREATE INDEX drafts_open ON drafts (owner_id, updated_at) WHERE app_uuid = '';
DROP INDEX lead_events_took;
CREATE INDEX lead_events_took ON lead_events (operation, at, took_ms) WHERE took_ms > 0;

CREATE INDEX log_in_failures_age ON log_in_failures (last_at);
