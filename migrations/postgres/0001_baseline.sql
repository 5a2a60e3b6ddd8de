-- +goose Up
SELECT pg_advisory_xact_lock(7522525896799448169); -- the lock that every writing transaction holds

-- Instants are milliseconds since 1970, calendar days YYYY-MM-DD, booleans 0 or 1, amounts cents. Encrypted columns are BYTEA.
-- Text is compared by its bytes, as in SQLite: pages are read by key, and another order on another machine would skip rows.

CREATE TABLE originators (
  uuid TEXT COLLATE "C" PRIMARY KEY,
  email TEXT COLLATE "C" NOT NULL,
  first_name TEXT COLLATE "C" NOT NULL,
  middle_name TEXT COLLATE "C" NOT NULL DEFAULT '',
  last_name TEXT COLLATE "C" NOT NULL,
  nmls TEXT COLLATE "C" NOT NULL DEFAULT '',
  phone TEXT COLLATE "C" NOT NULL DEFAULT '',
  organization TEXT COLLATE "C" NOT NULL,
  broker_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  broker_name TEXT COLLATE "C" NOT NULL DEFAULT '',
  broker_nmls TEXT COLLATE "C" NOT NULL DEFAULT '',
  synced_at BIGINT NOT NULL,
  removed_at BIGINT NOT NULL DEFAULT 0,
  missing_since BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX originators_email ON originators (email);
CREATE INDEX originators_broker ON originators (broker_id, last_name, uuid);

CREATE TABLE users (
  id TEXT COLLATE "C" PRIMARY KEY,
  email TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  password_hash TEXT COLLATE "C" NOT NULL DEFAULT '',
  originator TEXT COLLATE "C" NOT NULL DEFAULT '',
  broker_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  broker_name TEXT COLLATE "C" NOT NULL DEFAULT '',
  organization TEXT COLLATE "C" NOT NULL DEFAULT '',
  time_zone TEXT COLLATE "C" NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  disabled_at BIGINT NOT NULL DEFAULT 0,
  updates_seen_at BIGINT NOT NULL DEFAULT 0,
  session_epoch BIGINT NOT NULL DEFAULT 0,
  signed_in_at BIGINT NOT NULL DEFAULT 0,
  absent_at BIGINT NOT NULL DEFAULT 0,
  shortcuts_off BIGINT NOT NULL DEFAULT 0,
  plain_titles BIGINT NOT NULL DEFAULT 0,
  monthly_report BIGINT NOT NULL DEFAULT 0,
  monthly_report_of TEXT COLLATE "C" NOT NULL DEFAULT '',
  opens_view BIGINT NOT NULL DEFAULT 0,
  calendar_token_hash TEXT COLLATE "C" NOT NULL DEFAULT '', -- of the feed's secret URL
  calendar_created_at BIGINT NOT NULL DEFAULT 0,
  tell_choices TEXT COLLATE "C" NOT NULL DEFAULT '', -- JSON: what differs from the defaults
  reassigns INTEGER NOT NULL DEFAULT 0 -- an assistant who may reassign leads
);
CREATE INDEX users_originator ON users (originator);
CREATE UNIQUE INDEX users_open_originator ON users (originator) WHERE originator <> '' AND disabled_at = 0;

-- for whom an assistant works; originator is * for all of the company
CREATE TABLE assisted_originators (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  originator TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, originator)
);

CREATE TABLE sign_in_attempts (
  key TEXT COLLATE "C" PRIMARY KEY,
  count BIGINT NOT NULL DEFAULT 0,
  level BIGINT NOT NULL DEFAULT 0,
  at BIGINT NOT NULL,
  action TEXT COLLATE "C" NOT NULL DEFAULT '',
  object TEXT COLLATE "C" NOT NULL DEFAULT '',
  detail TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX sign_in_attempts_rejected ON sign_in_attempts (at) WHERE action <> '';

CREATE TABLE sessions (
  id_hash TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  network TEXT COLLATE "C" NOT NULL DEFAULT '',
  browser TEXT COLLATE "C" NOT NULL DEFAULT '',
  assurance BIGINT NOT NULL DEFAULT 1,
  stepped_up_at BIGINT NOT NULL DEFAULT 0,
  step_up_method TEXT COLLATE "C" NOT NULL DEFAULT 'password',
  client TEXT COLLATE "C" NOT NULL DEFAULT '',
  role TEXT COLLATE "C" NOT NULL DEFAULT '',
  location TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX sessions_user ON sessions (user_id, created_at);

CREATE TABLE credentials (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT COLLATE "C" NOT NULL,
  handle TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  last_step BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX credentials_user ON credentials (user_id, created_at, id);

CREATE TABLE recovery_codes (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  n BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, n)
);

CREATE TABLE ceremonies (
  id_hash TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  expires_at BIGINT NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (id_hash, kind)
);
CREATE INDEX ceremonies_user ON ceremonies (user_id, kind, expires_at, id_hash);

CREATE TABLE identities (
  issuer TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  strong_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (issuer, subject)
);

CREATE TABLE invitations (
  id TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  token_hash TEXT COLLATE "C" NOT NULL UNIQUE,
  subject TEXT COLLATE "C" NOT NULL,
  company TEXT COLLATE "C" NOT NULL DEFAULT '',
  sealed BYTEA NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0,
  user_id TEXT COLLATE "C" NOT NULL DEFAULT ''
);

-- what takes two people: subject is a user's id, or a digest of the invited email or of the provider's values
CREATE TABLE grant_requests (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  sealed BYTEA NOT NULL,
  requested_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  state TEXT NOT NULL,
  decided_by TEXT NOT NULL DEFAULT '',
  decided_at BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE sign_in_locations (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT COLLATE "C" NOT NULL,
  browser TEXT COLLATE "C" NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, network, browser)
);

CREATE TABLE alerts (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT COLLATE "C" NOT NULL,
  network TEXT COLLATE "C" NOT NULL,
  browser TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  count BIGINT NOT NULL DEFAULT 1
);

CREATE TABLE outbox (
  id TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  send_at BIGINT NOT NULL,
  tries BIGINT NOT NULL DEFAULT 0,
  ended_at BIGINT NOT NULL DEFAULT 0,
  outcome TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX outbox_due ON outbox (kind, send_at) WHERE ended_at = 0;

CREATE TABLE leads (
  app TEXT COLLATE "C" PRIMARY KEY,
  short_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  company TEXT COLLATE "C" NOT NULL,
  originator TEXT COLLATE "C" NOT NULL,
  organization TEXT COLLATE "C" NOT NULL DEFAULT '',
  borrower BYTEA,
  city TEXT COLLATE "C" NOT NULL DEFAULT '',
  state TEXT COLLATE "C" NOT NULL DEFAULT '',
  requested_amount BIGINT NOT NULL DEFAULT 0,
  step TEXT COLLATE "C" NOT NULL DEFAULT '',
  step_since BIGINT NOT NULL,
  attempt BIGINT NOT NULL DEFAULT 1,
  converted BIGINT NOT NULL DEFAULT 0,
  history_length BIGINT NOT NULL DEFAULT 0,
  max_amount BIGINT NOT NULL DEFAULT 0,
  selected_amount BIGINT NOT NULL DEFAULT 0,
  amount BIGINT NOT NULL DEFAULT 0,
  expiration_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  disclosure_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  e_signed_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  notary_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  signing_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  rescission_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  canceled_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  declined_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  funded_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  funded BIGINT NOT NULL DEFAULT 0,
  open_conditions BIGINT NOT NULL DEFAULT 0,
  pending_op TEXT COLLATE "C" NOT NULL DEFAULT '',
  pending_until BIGINT NOT NULL DEFAULT 0,
  webhook_at BIGINT NOT NULL DEFAULT 0,
  set_aside_at BIGINT NOT NULL DEFAULT 0,
  repull_at BIGINT NOT NULL DEFAULT 0,
  last_contact_at BIGINT NOT NULL DEFAULT 0,
  last_contact TEXT COLLATE "C" NOT NULL DEFAULT '',
  status_key TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  whose_move TEXT COLLATE "C" NOT NULL,
  due_sort BIGINT NOT NULL,
  status_changes_at BIGINT NOT NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  refreshed_at BIGINT NOT NULL DEFAULT 0,
  refresh_at BIGINT NOT NULL,
  refresh_failures BIGINT NOT NULL DEFAULT 0,
  follow_up_at BIGINT NOT NULL DEFAULT 0,
  pricing_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  credit_date TEXT COLLATE "C" NOT NULL DEFAULT '',
  condition_at BIGINT NOT NULL DEFAULT 0,
  wire_at BIGINT NOT NULL DEFAULT 0,
  wire_status TEXT COLLATE "C" NOT NULL DEFAULT '',
  webhook_used_up_at BIGINT NOT NULL DEFAULT 0,
  legal_hold_at BIGINT NOT NULL DEFAULT 0,
  former_originator TEXT COLLATE "C" NOT NULL DEFAULT '',
  started_on TEXT COLLATE "C" NOT NULL DEFAULT '',
  source TEXT COLLATE "C" NOT NULL DEFAULT '',
  reached BIGINT NOT NULL DEFAULT 0,
  passed_steps BIGINT NOT NULL DEFAULT 0,
  change_number BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX leads_company_change ON leads (company, change_number, app);
CREATE INDEX leads_originator_lane ON leads (originator, lane, due_sort, app);
CREATE INDEX leads_originator_due ON leads (originator, due_sort, app);
CREATE INDEX leads_originator_created ON leads (originator, created_at, app);
CREATE INDEX leads_originator_changed ON leads (originator, changed_at, app);
CREATE INDEX leads_originator_amount ON leads (originator, amount, app);
CREATE INDEX leads_company_due ON leads (company, due_sort, app);
CREATE INDEX leads_company_created ON leads (company, created_at, app);
CREATE INDEX leads_company_changed ON leads (company, changed_at, app);
CREATE INDEX leads_company_amount ON leads (company, amount, app);
CREATE INDEX leads_refresh ON leads (refresh_at);
CREATE INDEX leads_status_changes ON leads (status_changes_at);
CREATE INDEX leads_originator_follow_up ON leads (originator, follow_up_at) WHERE follow_up_at > 0;
CREATE INDEX leads_company_follow_up ON leads (company, follow_up_at) WHERE follow_up_at > 0;
CREATE INDEX leads_unassigned ON leads (company, due_sort, app) WHERE originator = '' AND lane <> 'ended';
CREATE INDEX leads_company_refresh ON leads (company, refresh_at);
CREATE INDEX leads_originator_move ON leads (originator, whose_move, due_sort, app);
CREATE INDEX leads_company_lane ON leads (company, lane, due_sort, app);
CREATE INDEX leads_company_move ON leads (company, whose_move, due_sort, app);
CREATE INDEX leads_team ON leads (company, originator, lane, whose_move, due_sort, app);
CREATE INDEX leads_short_id ON leads (short_id, app);
CREATE INDEX leads_step ON leads (company, step, step_since, app) WHERE lane <> 'ended' AND converted = 0;
CREATE INDEX leads_started ON leads (company, started_on, app, originator, state, source, reached, lane, status_key);
CREATE INDEX leads_legal_hold ON leads (app) WHERE legal_hold_at > 0;
CREATE INDEX leads_former_originator ON leads (company, former_originator, due_sort, app) WHERE former_originator <> '';

CREATE TABLE lead_parts (
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  part TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  sealed BYTEA NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (app, part)
);

CREATE TABLE lead_tokens (
  company TEXT COLLATE "C" NOT NULL,
  token BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  key_id BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (company, token, created_at, app)
);
CREATE INDEX lead_tokens_app ON lead_tokens (app);

CREATE TABLE lead_events (
  id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  originator TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  step_before TEXT COLLATE "C" NOT NULL DEFAULT '',
  step_after TEXT COLLATE "C" NOT NULL DEFAULT '',
  status_key TEXT COLLATE "C" NOT NULL DEFAULT '',
  operation TEXT COLLATE "C" NOT NULL DEFAULT '',
  op_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  actor_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  actor_name TEXT COLLATE "C" NOT NULL DEFAULT '',
  detail TEXT COLLATE "C" NOT NULL DEFAULT '',
  took_millis BIGINT NOT NULL DEFAULT 0,
  company TEXT COLLATE "C" NOT NULL DEFAULT '',
  stayed_millis BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX lead_events_app ON lead_events (app, at, id);
CREATE INDEX lead_events_originator ON lead_events (originator, at, id);
CREATE INDEX lead_events_took ON lead_events (operation, at, took_millis) WHERE took_millis > 0;
CREATE INDEX lead_events_stayed ON lead_events (company, step_before, at, stayed_millis) WHERE stayed_millis > 0;

CREATE TABLE lead_views (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  viewed_at BIGINT NOT NULL,
  documents_at BIGINT NOT NULL DEFAULT 0,
  displayed_at BIGINT NOT NULL DEFAULT 0, -- by an update of an open page
  PRIMARY KEY (user_id, app)
);

CREATE TABLE lead_dates (
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  kind TEXT COLLATE "C" NOT NULL,
  day TEXT COLLATE "C" NOT NULL,
  ahead BIGINT NOT NULL,
  originator TEXT COLLATE "C" NOT NULL,
  company TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (app, kind)
);
CREATE INDEX lead_dates_originator ON lead_dates (originator, ahead, day, app);
CREATE INDEX lead_dates_company ON lead_dates (company, ahead, day, app);

CREATE TABLE lead_exports (
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT COLLATE "C" NOT NULL,
  about TEXT COLLATE "C" NOT NULL DEFAULT '',
  n BIGINT NOT NULL DEFAULT 1,
  at BIGINT NOT NULL,
  PRIMARY KEY (app, user_id, kind, about)
);

CREATE TABLE lead_references (
  blind_index TEXT COLLATE "C" NOT NULL,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  key_id BIGINT NOT NULL DEFAULT 0,
  client TEXT COLLATE "C" NOT NULL DEFAULT '',
  type TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (blind_index, app)
);
CREATE INDEX lead_references_app ON lead_references (app);

CREATE TABLE operations (
  id TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  app TEXT COLLATE "C" NOT NULL DEFAULT '',
  draft_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  actor_id TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C" NOT NULL,
  originator TEXT COLLATE "C" NOT NULL,
  company TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  step_before TEXT COLLATE "C" NOT NULL DEFAULT '',
  history_before BIGINT NOT NULL DEFAULT 0,
  duplicate_key TEXT COLLATE "C" NOT NULL DEFAULT '',
  http_status BIGINT NOT NULL DEFAULT 0,
  request_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  messages TEXT COLLATE "C" NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  sent_at BIGINT NOT NULL DEFAULT 0,
  answered_at BIGINT NOT NULL DEFAULT 0,
  settled_at BIGINT NOT NULL DEFAULT 0,
  corrected_at BIGINT NOT NULL DEFAULT 0,
  step_changed_at BIGINT NOT NULL DEFAULT 0,
  step_after TEXT COLLATE "C" NOT NULL DEFAULT '',
  lease_owner TEXT COLLATE "C" NOT NULL DEFAULT '',
  lease_until BIGINT NOT NULL DEFAULT 0,
  resolved_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  reason TEXT COLLATE "C" NOT NULL DEFAULT '',
  target TEXT COLLATE "C" NOT NULL DEFAULT '',
  duplicate_key_id BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX operations_app ON operations (app, created_at);
CREATE INDEX operations_state ON operations (state, lease_until);
CREATE INDEX operations_duplicate ON operations (company, duplicate_key, state);
CREATE INDEX operations_actor ON operations (actor_id, created_at);
CREATE INDEX operations_unknown ON operations (app, created_at) WHERE state = 'unknown';

CREATE TABLE quotes (
  id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  actor_id TEXT COLLATE "C" NOT NULL,
  request_uuid TEXT COLLATE "C" NOT NULL DEFAULT '',
  sealed BYTEA NOT NULL,
  at BIGINT NOT NULL,
  sealed_request BYTEA NOT NULL
);
CREATE INDEX quotes_app ON quotes (app, at, id);

CREATE TABLE consents (
  op_id TEXT COLLATE "C" PRIMARY KEY REFERENCES operations (id),
  app TEXT COLLATE "C" NOT NULL DEFAULT '',
  user_id TEXT COLLATE "C" NOT NULL,
  originator TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  text_version TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL
);

CREATE TABLE consent_texts (
  version TEXT COLLATE "C" PRIMARY KEY,
  text TEXT COLLATE "C" NOT NULL,
  since_at BIGINT NOT NULL
);

CREATE TABLE choices (
  op_id TEXT COLLATE "C" PRIMARY KEY REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  kind TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX choices_app ON choices (app, kind, at, op_id);

CREATE TABLE drafts (
  id TEXT COLLATE "C" PRIMARY KEY,
  owner_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  start_snapshot BYTEA,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  op_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  app TEXT COLLATE "C" NOT NULL DEFAULT '',
  restart TEXT COLLATE "C" NOT NULL DEFAULT '',
  prepared_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  transferred_at BIGINT NOT NULL DEFAULT 0,
  transfers BYTEA,
  changed_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  record_key_id BIGINT NOT NULL DEFAULT 0,
  record_index TEXT COLLATE "C" NOT NULL DEFAULT '',
  record_client TEXT COLLATE "C" NOT NULL DEFAULT '',
  record_type TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX drafts_owner ON drafts (owner_id, updated_at, id);
CREATE INDEX drafts_app ON drafts (app);
CREATE INDEX drafts_record ON drafts (record_index, owner_id) WHERE record_index <> '';
CREATE INDEX drafts_company ON drafts (company, owner_id, id) WHERE app = '';

CREATE TABLE webhook_inbox (
  digest TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  received_at BIGINT NOT NULL
);
CREATE INDEX webhook_inbox_app ON webhook_inbox (app, received_at);

CREATE TABLE unknown_applications (
  app TEXT COLLATE "C" PRIMARY KEY,
  first_at BIGINT NOT NULL,
  try_at BIGINT NOT NULL,
  tries BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX unknown_applications_due ON unknown_applications (try_at);

CREATE TABLE licenses (
  holder TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  party TEXT COLLATE "C" NOT NULL,
  number TEXT COLLATE "C" NOT NULL DEFAULT '',
  allowed BIGINT NOT NULL,
  set_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  at BIGINT NOT NULL,
  expires_on TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (holder, state)
);

CREATE TABLE settings (
  name TEXT COLLATE "C" PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE reassignments (
  op_id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  actor_id TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C" NOT NULL,
  from_originator TEXT COLLATE "C" NOT NULL,
  to_originator TEXT COLLATE "C" NOT NULL,
  undoes TEXT COLLATE "C" NOT NULL DEFAULT '',
  job_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  sealed BYTEA NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX reassignments_actor ON reassignments (actor_id, at);
CREATE INDEX reassignments_app ON reassignments (app, at);
CREATE INDEX reassignments_job ON reassignments (job_id) WHERE job_id <> '';

CREATE TABLE jobs (
  id TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  actor_id TEXT COLLATE "C" NOT NULL,
  target TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL DEFAULT 0,
  lease_owner TEXT COLLATE "C" NOT NULL DEFAULT '',
  lease_until BIGINT NOT NULL DEFAULT 0,
  company TEXT COLLATE "C" NOT NULL DEFAULT '',
  return_at BIGINT NOT NULL DEFAULT 0 -- when its leads go back; 0 when they do not, or when that has begun
);
CREATE INDEX jobs_open ON jobs (lease_until, created_at) WHERE ended_at = 0;
CREATE INDEX jobs_return ON jobs (return_at) WHERE return_at > 0;

CREATE TABLE job_rows (
  job_id TEXT COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  n BIGINT NOT NULL,
  app TEXT COLLATE "C" NOT NULL,
  short_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  state TEXT COLLATE "C" NOT NULL,
  op_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  reason TEXT COLLATE "C" NOT NULL DEFAULT '',
  target TEXT COLLATE "C" NOT NULL DEFAULT '',
  undoes TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (job_id, n)
);

CREATE TABLE notes (
  id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  actor_id TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C" NOT NULL,
  contact TEXT COLLATE "C" NOT NULL DEFAULT '',
  sealed BYTEA NOT NULL,
  at BIGINT NOT NULL,
  from_app TEXT COLLATE "C" NOT NULL DEFAULT '',
  from_short_id TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX notes_app ON notes (app, at, id);

CREATE TABLE follow_ups (
  id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  actor_id TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  sealed BYTEA,
  created_at BIGINT NOT NULL,
  done_at BIGINT NOT NULL DEFAULT 0,
  done_by TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX follow_ups_open ON follow_ups (app, due_at, id) WHERE done_at = 0;

CREATE TABLE reveals (
  id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL,
  user_name TEXT COLLATE "C" NOT NULL,
  fields TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  sealed_reason BYTEA,
  at BIGINT NOT NULL
);
CREATE INDEX reveals_app ON reveals (app, at, id);

CREATE TABLE repulls (
  id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL,
  originator TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  text_version TEXT COLLATE "C" NOT NULL,
  lifted_at BIGINT NOT NULL,
  until_at BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  tried_at BIGINT NOT NULL DEFAULT 0,
  outcome TEXT COLLATE "C" NOT NULL DEFAULT '',
  bureaus TEXT COLLATE "C" NOT NULL DEFAULT '',
  consent_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  consent_for TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX repulls_app ON repulls (app, created_at, id);
CREATE INDEX repulls_due ON repulls (state, due_at);
CREATE UNIQUE INDEX repulls_one ON repulls (app) WHERE state = 'waiting';

CREATE TABLE notifications (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT COLLATE "C" NOT NULL,
  app TEXT COLLATE "C" REFERENCES leads (app) ON DELETE CASCADE,
  draft TEXT COLLATE "C" REFERENCES drafts (id) ON DELETE CASCADE,
  person TEXT COLLATE "C" REFERENCES users (id) ON DELETE CASCADE,
  short_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  kind TEXT COLLATE "C" NOT NULL,
  about TEXT COLLATE "C" NOT NULL DEFAULT '',
  by_name TEXT COLLATE "C" NOT NULL DEFAULT '',
  n BIGINT NOT NULL DEFAULT 1,
  dedup_key TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  read_at BIGINT NOT NULL DEFAULT 0,
  email_at BIGINT NOT NULL DEFAULT 0, -- when to email about it; 0 when not, or when done
  push_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, dedup_key);
CREATE INDEX notifications_inbox ON notifications (user_id, company, at, id);
CREATE INDEX notifications_unread ON notifications (user_id, company, app, draft) WHERE read_at = 0;
CREATE INDEX notifications_app ON notifications (app) WHERE app IS NOT NULL;

CREATE TABLE push_subscriptions (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  endpoint_digest TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  browser TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (user_id, endpoint_digest)
);

CREATE TABLE embed_clients (
  key TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  broker_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  origins TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  attested_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  attested_at BIGINT NOT NULL DEFAULT 0,
  disabled_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  events_at BIGINT NOT NULL DEFAULT 0 -- since when its events are sent; 0 when they are not
);

CREATE TABLE embed_links (
  client TEXT COLLATE "C" NOT NULL REFERENCES embed_clients (key) ON DELETE CASCADE,
  subject TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  linked_at BIGINT NOT NULL,
  key_id BIGINT NOT NULL DEFAULT 0,
  sealed BYTEA,
  used_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (client, subject)
);

CREATE TABLE launches (
  id TEXT COLLATE "C" PRIMARY KEY,
  client TEXT COLLATE "C" NOT NULL REFERENCES embed_clients (key) ON DELETE CASCADE,
  replay_key TEXT COLLATE "C" NOT NULL UNIQUE,
  subject TEXT COLLATE "C" NOT NULL,
  origin TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL DEFAULT '',
  tries BIGINT NOT NULL DEFAULT 0,
  confirmed_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  key_id BIGINT NOT NULL DEFAULT 0,
  ended_at BIGINT NOT NULL DEFAULT 0,
  secret TEXT COLLATE "C" NOT NULL DEFAULT '' -- blind index of the secret that signed a launch without an expiration, while it is valid
);

CREATE TABLE launch_codes (
  hash TEXT COLLATE "C" PRIMARY KEY,
  launch_id TEXT COLLATE "C" NOT NULL REFERENCES launches (id) ON DELETE CASCADE,
  purpose TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0,
  session TEXT COLLATE "C" NOT NULL DEFAULT ''
);

CREATE TABLE embed_rejections (
  client TEXT COLLATE "C" NOT NULL REFERENCES embed_clients (key) ON DELETE CASCADE,
  endpoint TEXT COLLATE "C" NOT NULL,
  cause TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (client, endpoint, cause)
);

CREATE TABLE crm_events (
  id TEXT COLLATE "C" PRIMARY KEY,
  client TEXT COLLATE "C" NOT NULL REFERENCES embed_clients (key) ON DELETE CASCADE,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  status_key TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  whose_move TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  requested_amount BIGINT NOT NULL,
  selected_amount BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  queued_at BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  leased_until BIGINT NOT NULL DEFAULT 0,
  tries BIGINT NOT NULL DEFAULT 0,
  tried_at BIGINT NOT NULL DEFAULT 0,
  answer TEXT COLLATE "C" NOT NULL DEFAULT '',
  took_millis BIGINT NOT NULL DEFAULT 0,
  UNIQUE (app, client, number)
);
CREATE INDEX crm_events_client ON crm_events (client, state, at);

CREATE TABLE audit (
  seq BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  actor_id TEXT COLLATE "C" NOT NULL,
  company TEXT COLLATE "C" NOT NULL,
  action TEXT COLLATE "C" NOT NULL,
  object TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL,
  detail TEXT COLLATE "C" NOT NULL,
  prev_mac TEXT COLLATE "C" NOT NULL,
  mac TEXT COLLATE "C" NOT NULL,
  network TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX audit_object ON audit (object, seq);
CREATE INDEX audit_actor ON audit (actor_id, seq);
CREATE INDEX audit_action ON audit (action, seq);

CREATE TABLE audit_base (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  seq BIGINT NOT NULL,
  mac TEXT COLLATE "C" NOT NULL,
  written_before BIGINT NOT NULL,
  trimmed_at BIGINT NOT NULL,
  trim_seq BIGINT NOT NULL,
  trim_mac TEXT COLLATE "C" NOT NULL,
  base_mac TEXT COLLATE "C" NOT NULL
);

CREATE TABLE reencryption_runs (
  key_name TEXT COLLATE "C" PRIMARY KEY,
  begun_at BIGINT NOT NULL,
  stage TEXT COLLATE "C" NOT NULL,
  after_row TEXT COLLATE "C" NOT NULL DEFAULT '',
  after_aad TEXT COLLATE "C" NOT NULL DEFAULT '',
  leads BIGINT NOT NULL DEFAULT 0,
  sealed_values BIGINT NOT NULL DEFAULT 0,
  remaining BIGINT NOT NULL DEFAULT 0,
  done_at BIGINT NOT NULL DEFAULT 0,
  undecryptable BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE directory_changes (
  originator TEXT COLLATE "C" PRIMARY KEY REFERENCES originators (uuid) ON DELETE CASCADE,
  to_company TEXT COLLATE "C" NOT NULL,
  to_name TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  shown_at BIGINT NOT NULL,
  decided_by TEXT COLLATE "C" NOT NULL DEFAULT ''
);

CREATE TABLE originator_mismatches (
  app TEXT COLLATE "C" PRIMARY KEY REFERENCES leads (app) ON DELETE CASCADE,
  named TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL
);

CREATE TABLE company_brands (
  company TEXT COLLATE "C" PRIMARY KEY,
  color TEXT COLLATE "C" NOT NULL DEFAULT '',
  logo BYTEA,
  logo_digest TEXT COLLATE "C" NOT NULL DEFAULT '',
  logo_width BIGINT NOT NULL DEFAULT 0,
  logo_height BIGINT NOT NULL DEFAULT 0,
  set_by TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL
);

CREATE TABLE shared_quotes (
  id TEXT COLLATE "C" PRIMARY KEY,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  token_digest TEXT COLLATE "C" NOT NULL UNIQUE,
  token BYTEA NOT NULL,
  sealed BYTEA NOT NULL,
  language TEXT COLLATE "C" NOT NULL,
  actor_id TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT NOT NULL DEFAULT 0,
  revoked_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  opened BIGINT NOT NULL DEFAULT 0,
  first_opened_at BIGINT NOT NULL DEFAULT 0,
  last_opened_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX shared_quotes_lead ON shared_quotes (app, created_at);

CREATE TABLE absences (
  id TEXT COLLATE "C" PRIMARY KEY,
  company TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  originator TEXT COLLATE "C" NOT NULL,
  deputy_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  first_day TEXT COLLATE "C" NOT NULL,
  last_day TEXT COLLATE "C" NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  cover_ends_at BIGINT NOT NULL,
  sealed BYTEA,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL DEFAULT 0,
  seen_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX absences_user ON absences (user_id, ends_at);
CREATE INDEX absences_deputy ON absences (deputy_id, cover_ends_at);
CREATE INDEX absences_originator ON absences (originator, cover_ends_at);

CREATE TABLE step_visits (
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  step TEXT COLLATE "C" NOT NULL,
  millis BIGINT NOT NULL,
  PRIMARY KEY (app, step)
);

CREATE TABLE saved_views (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  query TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  shared_at BIGINT NOT NULL DEFAULT 0, -- with the company
  created_at BIGINT NOT NULL
);
CREATE INDEX saved_views_user ON saved_views (user_id, company, position, id);

CREATE TABLE assignment_rules (
  company TEXT COLLATE "C" PRIMARY KEY,
  active BIGINT NOT NULL,
  open_limit BIGINT NOT NULL DEFAULT 0, -- open leads per person; 0 for no limit
  set_by TEXT COLLATE "C" NOT NULL,
  set_at BIGINT NOT NULL,
  paused_at BIGINT NOT NULL DEFAULT 0,
  paused_by TEXT COLLATE "C" NOT NULL DEFAULT '',
  pause_reason TEXT COLLATE "C" NOT NULL DEFAULT '',
  scan_after TEXT COLLATE "C" NOT NULL DEFAULT '',
  rules TEXT COLLATE "C" NOT NULL DEFAULT '[]' -- JSON
);

CREATE TABLE rule_assignments (
  id TEXT COLLATE "C" PRIMARY KEY,
  company TEXT COLLATE "C" NOT NULL,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL,
  originator TEXT COLLATE "C" NOT NULL,
  job_id TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  set_by TEXT COLLATE "C" NOT NULL,
  why TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX rule_assignments_company ON rule_assignments (company, id);
CREATE INDEX rule_assignments_lead ON rule_assignments (app, id);

CREATE TABLE leases (
  name TEXT COLLATE "C" PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL,
  until BIGINT NOT NULL
);

CREATE TABLE replicas (
  name TEXT COLLATE "C" PRIMARY KEY,
  version TEXT COLLATE "C" NOT NULL,
  seen_at BIGINT NOT NULL,
  newest_schema BIGINT NOT NULL
);

CREATE TABLE usage_windows (
  subject TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  window_at BIGINT NOT NULL,
  n BIGINT NOT NULL DEFAULT 0,
  refused BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (subject, kind, window_at)
);

CREATE TABLE static_files (
  url TEXT COLLATE "C" PRIMARY KEY,
  body BYTEA NOT NULL,
  used_at BIGINT NOT NULL
);

CREATE TABLE figure_checks (
  op_id TEXT COLLATE "C" PRIMARY KEY REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
  app TEXT COLLATE "C" NOT NULL REFERENCES leads (app) ON DELETE CASCADE,
  company TEXT COLLATE "C" NOT NULL,
  offer TEXT COLLATE "C" NOT NULL,
  rate_type TEXT COLLATE "C" NOT NULL,
  shown_at BIGINT NOT NULL,
  shown_amount BIGINT,
  shown_rate BIGINT,
  shown_discounts TEXT COLLATE "C" NOT NULL,
  shown_payment BIGINT,
  shown_loan_amount BIGINT,
  shown_fee BIGINT,
  outcome TEXT COLLATE "C" NOT NULL DEFAULT '',
  compared_at BIGINT NOT NULL DEFAULT 0,
  confirmed_at BIGINT NOT NULL DEFAULT 0,
  booked_amount BIGINT,
  booked_rate BIGINT,
  booked_discounts TEXT COLLATE "C" NOT NULL DEFAULT '',
  booked_payment BIGINT,
  booked_loan_amount BIGINT,
  booked_fee BIGINT
);
CREATE INDEX figure_checks_app ON figure_checks (app);
CREATE INDEX figure_checks_company ON figure_checks (company, confirmed_at, op_id);

CREATE TABLE installation (
  oldest_schema BIGINT NOT NULL,
  access_revision BIGINT NOT NULL
);
INSERT INTO installation (oldest_schema, access_revision) VALUES (1, 0);

-- The audit is append-only. Rows may be deleted up to its base, which only moves forward, and no row is inserted behind it.
-- The conditions are in the functions, because trigger conditions cannot read tables.

-- +goose StatementBegin
CREATE FUNCTION audit_no_update() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
  RAISE EXCEPTION 'the audit is append-only';
  RETURN NEW;
END $body$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_no_update();

-- +goose StatementBegin
CREATE FUNCTION audit_no_delete() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
  IF OLD.seq > coalesce((SELECT max(seq) FROM audit_base), 0) THEN RAISE EXCEPTION 'the audit is append-only'; END IF;
  RETURN OLD;
END $body$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_no_delete();

-- +goose StatementBegin
CREATE FUNCTION audit_no_delete_all() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
  RAISE EXCEPTION 'the audit is append-only';
END $body$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_delete_all BEFORE TRUNCATE ON audit EXECUTE FUNCTION audit_no_delete_all();

-- +goose StatementBegin
CREATE FUNCTION audit_no_insert() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
  IF NEW.seq <= coalesce((SELECT max(seq) FROM audit_base), 0) THEN RAISE EXCEPTION 'the audit is append-only'; END IF;
  RETURN NEW;
END $body$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_insert BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_no_insert();

-- +goose StatementBegin
CREATE FUNCTION audit_base_no_delete() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
  RAISE EXCEPTION 'the base of the audit stays';
  RETURN OLD;
END $body$;
-- +goose StatementEnd
CREATE TRIGGER audit_base_no_delete BEFORE DELETE ON audit_base FOR EACH ROW EXECUTE FUNCTION audit_base_no_delete();

-- +goose StatementBegin
CREATE FUNCTION audit_base_no_delete_all() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
  RAISE EXCEPTION 'the base of the audit stays';
END $body$;
-- +goose StatementEnd
CREATE TRIGGER audit_base_no_delete_all BEFORE TRUNCATE ON audit_base EXECUTE FUNCTION audit_base_no_delete_all();

-- +goose StatementBegin
CREATE FUNCTION audit_base_forward() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
  IF NEW.seq <= OLD.seq THEN RAISE EXCEPTION 'the base of the audit moves forward'; END IF;
  RETURN NEW;
END $body$;
-- +goose StatementEnd
CREATE TRIGGER audit_base_forward BEFORE UPDATE ON audit_base FOR EACH ROW EXECUTE FUNCTION audit_base_forward();
