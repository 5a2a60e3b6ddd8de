-- +goose Up
-- The audit is read by person, by act and by day; its own order is that of its numbers.
CREATE INDEX audit_actor ON audit (actor_id, seq);
CREATE INDEX audit_action ON audit (action, seq);
CREATE INDEX audit_at ON audit (at, seq);

-- A whole short id is looked up by who reads the audit, to whom no lead is shown.
CREATE INDEX leads_any_short ON leads (short_id);

-- Webhooks kept of one application are bounded, and so are the readings they cause.
CREATE INDEX webhook_inbox_app ON webhook_inbox (app_uuid, received_at);
ALTER TABLE leads ADD COLUMN hint_read_at BIGINT NOT NULL DEFAULT 0;
