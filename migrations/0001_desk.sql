-- +goose Up
CREATE TABLE originators (
  uuid TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  first_name TEXT NOT NULL,
  middle_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL,
  nmls TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  organization TEXT NOT NULL,
  broker_id TEXT NOT NULL DEFAULT '',
  broker_name TEXT NOT NULL DEFAULT '',
  broker_nmls TEXT NOT NULL DEFAULT '',
  synced_at BIGINT NOT NULL,
  gone_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX originators_email ON originators (email);
CREATE INDEX originators_broker ON originators (broker_id, last_name, uuid);

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT NOT NULL DEFAULT '',
  originator_uuid TEXT NOT NULL DEFAULT '',
  broker_id TEXT NOT NULL DEFAULT '',
  broker_name TEXT NOT NULL DEFAULT '',
  organization TEXT NOT NULL DEFAULT '',
  time_zone TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  disabled_at BIGINT NOT NULL DEFAULT 0,
  caught_up_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX users_originator ON users (originator_uuid);

CREATE TABLE log_in_failures (
  key TEXT PRIMARY KEY,
  count BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);

CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  network TEXT NOT NULL DEFAULT '',
  browser TEXT NOT NULL DEFAULT '',
  data TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sessions_user ON sessions (user_id, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- A lead is the portal's own row of an inquiry or application. stand, lane, mover,
-- due_at and turns_at follow from the other columns and are written with every save.
CREATE TABLE leads (
  app_uuid TEXT PRIMARY KEY,
  short_id TEXT NOT NULL DEFAULT '',
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  broker_id TEXT NOT NULL DEFAULT '',
  organization TEXT NOT NULL DEFAULT '',
  borrower BLOB,
  city TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT '',
  property_type TEXT NOT NULL DEFAULT '',
  duplicate_key TEXT NOT NULL DEFAULT '',
  wanted BIGINT NOT NULL DEFAULT 0,
  step TEXT NOT NULL DEFAULT '',
  step_since BIGINT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 1,
  converted INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT '',
  overall_status TEXT NOT NULL DEFAULT '',
  history_length INTEGER NOT NULL DEFAULT 0,
  max_amount BIGINT NOT NULL DEFAULT 0,
  selected_amount BIGINT NOT NULL DEFAULT 0,
  amount BIGINT NOT NULL DEFAULT 0,
  created_date TEXT NOT NULL DEFAULT '',
  expiration_date TEXT NOT NULL DEFAULT '',
  disclosure_date TEXT NOT NULL DEFAULT '',
  esigned_date TEXT NOT NULL DEFAULT '',
  notary_date TEXT NOT NULL DEFAULT '',
  signing_date TEXT NOT NULL DEFAULT '',
  rescission_date TEXT NOT NULL DEFAULT '',
  canceled_date TEXT NOT NULL DEFAULT '',
  declined_date TEXT NOT NULL DEFAULT '',
  funded_date TEXT NOT NULL DEFAULT '',
  funded INTEGER NOT NULL DEFAULT 0,
  open_conditions INTEGER NOT NULL DEFAULT 0,
  documents INTEGER NOT NULL DEFAULT 0,
  under_way_op TEXT NOT NULL DEFAULT '',
  under_way_until BIGINT NOT NULL DEFAULT 0,
  hinted_at BIGINT NOT NULL DEFAULT 0,
  set_aside_at BIGINT NOT NULL DEFAULT 0,
  repull_at BIGINT NOT NULL DEFAULT 0,
  last_contact_at BIGINT NOT NULL DEFAULT 0,
  last_contact_kind TEXT NOT NULL DEFAULT '',
  stand TEXT NOT NULL,
  lane TEXT NOT NULL,
  mover TEXT NOT NULL,
  due_at BIGINT NOT NULL DEFAULT 0,
  due_sort BIGINT NOT NULL,
  turns_at BIGINT NOT NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  refreshed_at BIGINT NOT NULL DEFAULT 0,
  refresh_at BIGINT NOT NULL,
  refresh_tries INTEGER NOT NULL DEFAULT 0
);
-- One index a list: by originator or by company, one lane or all, in each order.
CREATE INDEX leads_own_lane_due ON leads (originator_uuid, lane, due_sort, app_uuid);
CREATE INDEX leads_own_lane_created ON leads (originator_uuid, lane, created_at, app_uuid);
CREATE INDEX leads_own_lane_changed ON leads (originator_uuid, lane, changed_at, app_uuid);
CREATE INDEX leads_own_lane_amount ON leads (originator_uuid, lane, amount, app_uuid);
CREATE INDEX leads_own_due ON leads (originator_uuid, due_sort, app_uuid);
CREATE INDEX leads_own_created ON leads (originator_uuid, created_at, app_uuid);
CREATE INDEX leads_own_changed ON leads (originator_uuid, changed_at, app_uuid);
CREATE INDEX leads_own_amount ON leads (originator_uuid, amount, app_uuid);
CREATE INDEX leads_co_lane_due ON leads (company, lane, due_sort, app_uuid);
CREATE INDEX leads_co_lane_created ON leads (company, lane, created_at, app_uuid);
CREATE INDEX leads_co_lane_changed ON leads (company, lane, changed_at, app_uuid);
CREATE INDEX leads_co_lane_amount ON leads (company, lane, amount, app_uuid);
CREATE INDEX leads_co_due ON leads (company, due_sort, app_uuid);
CREATE INDEX leads_co_created ON leads (company, created_at, app_uuid);
CREATE INDEX leads_co_changed ON leads (company, changed_at, app_uuid);
CREATE INDEX leads_co_amount ON leads (company, amount, app_uuid);
CREATE INDEX leads_short ON leads (short_id);
CREATE INDEX leads_duplicate ON leads (company, duplicate_key);
CREATE INDEX leads_refresh ON leads (refresh_at);
CREATE INDEX leads_turns ON leads (turns_at);

CREATE TABLE lead_parts (
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  part TEXT NOT NULL,
  version INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (app_uuid, part)
);

CREATE TABLE lead_tokens (
  company TEXT NOT NULL,
  token BIGINT NOT NULL,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  PRIMARY KEY (company, token, app_uuid)
);
CREATE INDEX lead_tokens_app ON lead_tokens (app_uuid);

-- What happened to a lead, in the order it was learned. No words of a borrower.
CREATE TABLE lead_events (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  originator_uuid TEXT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  step_from TEXT NOT NULL DEFAULT '',
  step_to TEXT NOT NULL DEFAULT '',
  stand TEXT NOT NULL DEFAULT '',
  operation TEXT NOT NULL DEFAULT '',
  op_id TEXT NOT NULL DEFAULT '',
  actor_id TEXT NOT NULL DEFAULT '',
  actor_name TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '',
  took_ms BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX lead_events_app ON lead_events (app_uuid, at, id);
CREATE INDEX lead_events_own ON lead_events (originator_uuid, at, id);
CREATE INDEX lead_events_took ON lead_events (operation, at);

CREATE TABLE lead_looks (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  looked_at BIGINT NOT NULL,
  documents_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, app_uuid)
);

CREATE TABLE operations (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  app_uuid TEXT NOT NULL DEFAULT '',
  draft_id TEXT NOT NULL DEFAULT '',
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  company TEXT NOT NULL,
  digest TEXT NOT NULL,
  state TEXT NOT NULL,
  step_before TEXT NOT NULL DEFAULT '',
  history_before INTEGER NOT NULL DEFAULT 0,
  duplicate_key TEXT NOT NULL DEFAULT '',
  http_status INTEGER NOT NULL DEFAULT 0,
  request_id TEXT NOT NULL DEFAULT '',
  messages TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  sent_at BIGINT NOT NULL DEFAULT 0,
  answered_at BIGINT NOT NULL DEFAULT 0,
  settled_at BIGINT NOT NULL DEFAULT 0,
  moved_at BIGINT NOT NULL DEFAULT 0,
  moved_to TEXT NOT NULL DEFAULT '',
  lease_owner TEXT NOT NULL DEFAULT '',
  lease_until BIGINT NOT NULL DEFAULT 0,
  resolved_by TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX operations_app ON operations (app_uuid, created_at);
CREATE INDEX operations_state ON operations (state, lease_until);
CREATE INDEX operations_duplicate ON operations (company, duplicate_key, state);
CREATE INDEX operations_actor ON operations (actor_id, created_at);

-- One write at a time for a lead: the row is the lease.
CREATE TABLE lead_leases (
  app_uuid TEXT PRIMARY KEY,
  op_id TEXT NOT NULL,
  until BIGINT NOT NULL
);

CREATE TABLE quotes (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  request_uuid TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX quotes_app ON quotes (app_uuid, at, id);

CREATE TABLE consents (
  op_id TEXT PRIMARY KEY REFERENCES operations (id),
  app_uuid TEXT NOT NULL DEFAULT '',
  user_id TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  method TEXT NOT NULL,
  text_version TEXT NOT NULL,
  at BIGINT NOT NULL
);

CREATE TABLE drafts (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT NOT NULL,
  sealed BLOB NOT NULL,
  newborn BLOB,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  op_id TEXT NOT NULL DEFAULT '',
  app_uuid TEXT NOT NULL DEFAULT ''
);
CREATE INDEX drafts_owner ON drafts (owner_id, updated_at, id);
CREATE INDEX drafts_app ON drafts (app_uuid);

CREATE TABLE webhook_inbox (
  digest TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL,
  sealed BLOB NOT NULL,
  received_at BIGINT NOT NULL
);
CREATE INDEX webhook_inbox_age ON webhook_inbox (received_at);

-- Applications that a webhook named and no lead stands for: perhaps a lost start.
CREATE TABLE strangers (
  app_uuid TEXT PRIMARY KEY,
  first_at BIGINT NOT NULL,
  try_at BIGINT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX strangers_try ON strangers (try_at);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at BIGINT NOT NULL,
  actor_id TEXT NOT NULL,
  company TEXT NOT NULL,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  prev_mac TEXT NOT NULL,
  mac TEXT NOT NULL
);
CREATE INDEX audit_object ON audit (object, seq);
