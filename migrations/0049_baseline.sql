-- The baseline: the schema of the first release. Instants are milliseconds since 1970, days YYYY-MM-DD,
-- sealed columns are encrypted. Columns named under hold the number of the key that made a digest or token.

-- ## People and how they sign in

-- The lender's directory, refreshed hourly.
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

-- Accounts. turn counts how often everything that the user had under way was ended, so that a
-- sign-in begun before creates no session. caught_up_at is when the user last marked the updates as read.
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
  caught_up_at BIGINT NOT NULL DEFAULT 0,
  turn INTEGER NOT NULL DEFAULT 0,
  came_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX users_originator ON users (originator_uuid);
CREATE UNIQUE INDEX users_open_originator ON users (originator_uuid) WHERE originator_uuid <> '' AND disabled_at = 0;

-- Failed sign-ins by keyed digest of an account or a network.
CREATE TABLE log_in_failures (
  key TEXT PRIMARY KEY,
  count BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);
CREATE INDEX log_in_failures_age ON log_in_failures (last_at);

-- Signed-in browsers by the hash of their token. level, proved_at and proof say how the user
-- authenticated; role is the role at that time; client and place are set for a session that a CRM launched.
CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  network TEXT NOT NULL DEFAULT '',
  browser TEXT NOT NULL DEFAULT '',
  data TEXT NOT NULL DEFAULT '',
  level INTEGER NOT NULL DEFAULT 1,
  proved_at BIGINT NOT NULL DEFAULT 0,
  proof TEXT NOT NULL DEFAULT 'password',
  client TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL DEFAULT '',
  place TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sessions_user ON sessions (user_id, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Authenticator apps and passkeys. handle finds a passkey without an email, and limits a user to
-- one authenticator app.
CREATE TABLE credentials (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  handle TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  last_step BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX credentials_user ON credentials (user_id, created_at, id);

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  hash TEXT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, n)
);

-- What a browser has begun and not finished, by the hash of its token: a sign-in that waits for
-- the second factor, a challenge, a form held until the user has confirmed who they are.
CREATE TABLE ceremonies (
  id_hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  sealed BLOB NOT NULL,
  expires_at BIGINT NOT NULL,
  user_id TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (id_hash, kind)
);
CREATE INDEX ceremonies_expiry ON ceremonies (expires_at);
CREATE INDEX ceremonies_user ON ceremonies (user_id, kind, expires_at, id_hash);

-- Users at the organization's single sign-on provider, by the provider's own subject. strong_at
-- is when the provider first reported two factors.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  strong_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities (user_id);

-- Links that are mailed and work once. subject is a keyed digest of the email.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  company TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0,
  user_id TEXT NOT NULL DEFAULT ''
);
CREATE INDEX invitations_subject ON invitations (subject, created_at);
CREATE INDEX invitations_kind ON invitations (kind, created_at);
CREATE INDEX invitations_expiry ON invitations (expires_at);
CREATE INDEX invitations_user ON invitations (user_id, expires_at);

-- Rate limits of requests without a session: a leaky bucket, its level in thousandths of a
-- request. key is a keyed digest.
CREATE TABLE measures (
  key TEXT PRIMARY KEY,
  level BIGINT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX measures_at ON measures (at);

-- Refused sign-ins that repeat one that is in the audit already; written there later as one row.
CREATE TABLE refused_log_ins (
  subject TEXT PRIMARY KEY,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  detail TEXT NOT NULL,
  since BIGINT NOT NULL,
  count BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX refused_log_ins_since ON refused_log_ins (since);

-- Networks and browsers from which a user signed in recently.
CREATE TABLE places (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  browser TEXT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, network, browser)
);
CREATE INDEX places_seen ON places (seen_at);
CREATE INDEX places_user ON places (user_id, seen_at);

-- Unusual sign-ins that the user is told about.
CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  network TEXT NOT NULL,
  browser TEXT NOT NULL,
  at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  count BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX alerts_user ON alerts (user_id, at, id);
CREATE INDEX alerts_at ON alerts (at);

-- Emails to send. The request for a link is stored too and resolved in the background, so that
-- the response is the same for every email.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  sealed BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  send_at BIGINT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  ended_at BIGINT NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT ''
);
CREATE INDEX outbox_due ON outbox (kind, send_at) WHERE ended_at = 0;
CREATE INDEX outbox_created ON outbox (created_at, id);

-- ## Leads

-- The portal's own row of an inquiry or application. stand, lane, mover, due_at and turns_at
-- are derived from the other columns at every save. refresh_failures counts failed readings in a row;
-- refresh_tries counts readings that brought nothing new. held_at marks a legal hold, left_by whose lead it was
-- before it became unassigned.
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
  refresh_tries INTEGER NOT NULL DEFAULT 0,
  refresh_failures INTEGER NOT NULL DEFAULT 0,
  follow_up_at BIGINT NOT NULL DEFAULT 0,
  pricing_date TEXT NOT NULL DEFAULT '',
  credit_date TEXT NOT NULL DEFAULT '',
  condition_at BIGINT NOT NULL DEFAULT 0,
  wire_at BIGINT NOT NULL DEFAULT 0,
  wire_status TEXT NOT NULL DEFAULT '',
  hint_read_at BIGINT NOT NULL DEFAULT 0,
  held_at BIGINT NOT NULL DEFAULT 0,
  duplicate_under BIGINT NOT NULL DEFAULT 0,
  left_by TEXT NOT NULL DEFAULT ''
);
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
CREATE INDEX leads_refresh ON leads (refresh_at);
CREATE INDEX leads_turns ON leads (turns_at);
CREATE INDEX leads_own_short ON leads (originator_uuid, short_id, app_uuid);
CREATE INDEX leads_co_short ON leads (company, short_id, app_uuid);
CREATE INDEX leads_duplicate ON leads (company, duplicate_key, created_at);
CREATE INDEX leads_own_follow_up ON leads (originator_uuid, follow_up_at) WHERE follow_up_at > 0;
CREATE INDEX leads_co_follow_up ON leads (company, follow_up_at) WHERE follow_up_at > 0;
CREATE INDEX leads_kept ON leads (changed_at) WHERE lane = 'ended';
CREATE INDEX leads_any_short ON leads (short_id);
CREATE INDEX leads_unassigned ON leads (company, due_sort, app_uuid) WHERE originator_uuid = '';
CREATE INDEX leads_held ON leads (held_at) WHERE held_at > 0;
CREATE INDEX leads_left ON leads (company, left_by, due_sort, app_uuid) WHERE left_by <> '';

-- What is known of a lead, in encrypted parts, each with its age.
CREATE TABLE lead_parts (
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  part TEXT NOT NULL,
  version INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (app_uuid, part)
);

-- Search tokens of borrowers, keyed per company. under names the key.
CREATE TABLE lead_tokens (
  company TEXT NOT NULL,
  token BIGINT NOT NULL,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  under BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (company, token, app_uuid)
);
CREATE INDEX lead_tokens_app ON lead_tokens (app_uuid);

-- What happened to a lead, in the order in which it was learned. Nothing of a borrower.
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
CREATE INDEX lead_events_took ON lead_events (operation, at, took_ms) WHERE took_ms > 0;

-- When each user last viewed a lead and its documents.
CREATE TABLE lead_looks (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  looked_at BIGINT NOT NULL,
  documents_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, app_uuid)
);

-- Dates of open leads that somebody must not miss. ahead is 1 for a date that is coming and 0 for
-- one that measures an age.
CREATE TABLE lead_dates (
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  on_date TEXT NOT NULL,
  ahead INTEGER NOT NULL,
  originator_uuid TEXT NOT NULL,
  company TEXT NOT NULL,
  PRIMARY KEY (app_uuid, kind)
);
CREATE INDEX lead_dates_own ON lead_dates (originator_uuid, ahead, on_date, app_uuid);
CREATE INDEX lead_dates_co ON lead_dates (company, ahead, on_date, app_uuid);

-- What left the portal: documents, offer sheets, rows of an export; by whom, how often, when last.
CREATE TABLE lead_takes (
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  what TEXT NOT NULL,
  about TEXT NOT NULL DEFAULT '',
  n INTEGER NOT NULL DEFAULT 1,
  at BIGINT NOT NULL,
  PRIMARY KEY (app_uuid, user_id, what, about)
);
CREATE INDEX lead_takes_last ON lead_takes (app_uuid, at);

-- Records of other systems that a lead belongs to, by blind index. under names the key; client is
-- empty for an id that only travels with the lead.
CREATE TABLE lead_references (
  mark TEXT NOT NULL,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  under BIGINT NOT NULL DEFAULT 0,
  client TEXT NOT NULL DEFAULT '',
  record_type TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (mark, app_uuid)
);
CREATE INDEX lead_references_app ON lead_references (app_uuid);
CREATE INDEX lead_references_client ON lead_references (client, record_type) WHERE client <> '';

-- ## The journal of writes

-- Every write to the lender, before and after it was sent. No payload; a keyed digest of it.
-- target_uuid is the new originator of a reassignment.
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
  reason TEXT NOT NULL DEFAULT '',
  target_uuid TEXT NOT NULL DEFAULT '',
  duplicate_under BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX operations_app ON operations (app_uuid, created_at);
CREATE INDEX operations_state ON operations (state, lease_until);
CREATE INDEX operations_duplicate ON operations (company, duplicate_key, state);
CREATE INDEX operations_actor ON operations (actor_id, created_at);
CREATE INDEX operations_unsettled ON operations (actor_id, created_at) WHERE kind = 'start' AND state IN ('sent', 'unknown');
CREATE INDEX operations_unknown ON operations (app_uuid, created_at) WHERE state = 'unknown';

-- One write at a time for a lead: the row is the lease.
CREATE TABLE lead_leases (
  app_uuid TEXT PRIMARY KEY,
  op_id TEXT NOT NULL,
  until BIGINT NOT NULL
);

-- Quotes of the lender, encrypted. asked holds the question alone, so that a list of quotes need
-- not decrypt the offers.
CREATE TABLE quotes (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  request_uuid TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL,
  asked BLOB
);
CREATE INDEX quotes_app ON quotes (app_uuid, at, id);
CREATE INDEX quotes_at ON quotes (at);

CREATE TABLE consents (
  op_id TEXT PRIMARY KEY REFERENCES operations (id),
  app_uuid TEXT NOT NULL DEFAULT '',
  user_id TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  method TEXT NOT NULL,
  text_version TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX consents_version ON consents (text_version, at);

-- Every consent text that was ever in use, so that a consent's version leads to its words.
CREATE TABLE consent_texts (
  version TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  since_at BIGINT NOT NULL
);

-- What was chosen with an operation (an offer with its discounts, debts to pay off), encrypted.
CREATE TABLE choices (
  op_id TEXT PRIMARY KEY REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX choices_app ON choices (app_uuid, kind, at, op_id);

-- What the borrower pays each month on debts, as they said. Never sent to the lender.
CREATE TABLE payoff_plans (
  app_uuid TEXT PRIMARY KEY REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);

-- Inquiries that are being typed, encrypted and without the SSN. restart_of is the lead that the
-- draft corrects; handed describes a transfer to a colleague; record_* is the CRM record that it was begun for.
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
  app_uuid TEXT NOT NULL DEFAULT '',
  restart_of TEXT NOT NULL DEFAULT '',
  prepared_by TEXT NOT NULL DEFAULT '',
  handed_at BIGINT NOT NULL DEFAULT 0,
  handed BLOB,
  changed_by TEXT NOT NULL DEFAULT '',
  record_under BIGINT NOT NULL DEFAULT 0,
  record TEXT NOT NULL DEFAULT '',
  record_client TEXT NOT NULL DEFAULT '',
  record_type TEXT NOT NULL DEFAULT ''
);
CREATE INDEX drafts_owner ON drafts (owner_id, updated_at, id);
CREATE INDEX drafts_app ON drafts (app_uuid);
CREATE INDEX drafts_open ON drafts (owner_id, updated_at) WHERE app_uuid = '';
CREATE INDEX drafts_restart ON drafts (owner_id, restart_of) WHERE restart_of <> '';
CREATE INDEX drafts_record ON drafts (record, owner_id) WHERE record <> '';
CREATE INDEX drafts_company ON drafts (company, owner_id, id) WHERE app_uuid = '';
CREATE INDEX drafts_unsent ON drafts (updated_at) WHERE app_uuid = '';

-- ## The lender

CREATE TABLE webhook_inbox (
  digest TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL,
  sealed BLOB NOT NULL,
  received_at BIGINT NOT NULL
);
CREATE INDEX webhook_inbox_age ON webhook_inbox (received_at);
CREATE INDEX webhook_inbox_app ON webhook_inbox (app_uuid, received_at);

-- Applications that a webhook named and that are no lead here: perhaps a start whose response was
-- lost.
CREATE TABLE strangers (
  app_uuid TEXT PRIMARY KEY,
  first_at BIGINT NOT NULL,
  try_at BIGINT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX strangers_try ON strangers (try_at);

-- Licenses by state, learned from the lender or entered by an administrator (by_hand), which wins.
CREATE TABLE licences (
  holder TEXT NOT NULL,
  state TEXT NOT NULL,
  party TEXT NOT NULL,
  number TEXT NOT NULL DEFAULT '',
  may INTEGER NOT NULL,
  by_hand TEXT NOT NULL DEFAULT '',
  at BIGINT NOT NULL,
  PRIMARY KEY (holder, state)
);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- ## The team

-- Reassignments with the encrypted note to the new originator. The operation holds the outcome.
CREATE TABLE hand_overs (
  op_id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  from_uuid TEXT NOT NULL,
  to_uuid TEXT NOT NULL,
  undoes TEXT NOT NULL DEFAULT '',
  job_id TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX hand_overs_actor ON hand_overs (actor_id, at);
CREATE INDEX hand_overs_app ON hand_overs (app_uuid, at);
CREATE INDEX hand_overs_undoes ON hand_overs (undoes) WHERE undoes <> '';

-- Background work on behalf of a user. Whoever works on it holds the lease.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  target_uuid TEXT NOT NULL,
  sealed BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL DEFAULT 0,
  lease_owner TEXT NOT NULL DEFAULT '',
  lease_until BIGINT NOT NULL DEFAULT 0,
  company TEXT NOT NULL DEFAULT ''
);
CREATE INDEX jobs_open ON jobs (lease_until, created_at) WHERE ended_at = 0;
CREATE INDEX jobs_actor ON jobs (actor_id, created_at);

-- One lead of a job. The operation id (ticket) is stored before anything is sent, so that after
-- a restart the journal returns the first result and sends nothing twice.
CREATE TABLE job_rows (
  job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  app_uuid TEXT NOT NULL,
  short_id TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL,
  ticket TEXT NOT NULL DEFAULT '',
  op_id TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (job_id, n)
);

CREATE TABLE notes (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  contact TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL,
  from_app TEXT NOT NULL DEFAULT '',
  from_short TEXT NOT NULL DEFAULT ''
);
CREATE INDEX notes_app ON notes (app_uuid, at, id);

CREATE TABLE follow_ups (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  sealed BLOB,
  created_at BIGINT NOT NULL,
  done_at BIGINT NOT NULL DEFAULT 0,
  done_by TEXT NOT NULL DEFAULT ''
);
CREATE INDEX follow_ups_open ON follow_ups (app_uuid, due_at, id) WHERE done_at = 0;

-- Who viewed which of a borrower's details and why; never the details.
CREATE TABLE reveals (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  fields TEXT NOT NULL,
  reason TEXT NOT NULL,
  typed BLOB,
  at BIGINT NOT NULL
);
CREATE INDEX reveals_app ON reveals (app_uuid, at, id);
CREATE INDEX reveals_user ON reveals (user_id, at);

-- Scheduled credit re-pulls with the consent that was recorded when they were scheduled.
CREATE TABLE repulls (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  method TEXT NOT NULL,
  text_version TEXT NOT NULL,
  lifted_at BIGINT NOT NULL,
  until_at BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  state TEXT NOT NULL,
  tried_at BIGINT NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT '',
  bureaus TEXT NOT NULL DEFAULT '',
  taken_by TEXT NOT NULL DEFAULT '',
  taken_for TEXT NOT NULL DEFAULT ''
);
CREATE INDEX repulls_app ON repulls (app_uuid, created_at, id);
CREATE INDEX repulls_due ON repulls (state, due_at);
CREATE UNIQUE INDEX repulls_one ON repulls (app_uuid) WHERE state = 'waiting';

-- What users are told without asking. fact is a digest of what happened: notified once only.
CREATE TABLE notifications (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT NOT NULL,
  app_uuid TEXT REFERENCES leads (app_uuid) ON DELETE CASCADE,
  draft_id TEXT REFERENCES drafts (id) ON DELETE CASCADE,
  about_user TEXT REFERENCES users (id) ON DELETE CASCADE,
  short_id TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL,
  about TEXT NOT NULL DEFAULT '',
  by_name TEXT NOT NULL DEFAULT '',
  n INTEGER NOT NULL DEFAULT 1,
  fact TEXT NOT NULL,
  at BIGINT NOT NULL,
  read_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, fact);
CREATE INDEX notifications_inbox ON notifications (user_id, company, at, id);
CREATE INDEX notifications_unread ON notifications (user_id, company, app_uuid, draft_id) WHERE read_at = 0;
CREATE INDEX notifications_lead ON notifications (app_uuid) WHERE app_uuid IS NOT NULL;
CREATE INDEX notifications_draft ON notifications (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX notifications_person ON notifications (about_user) WHERE about_user IS NOT NULL;
CREATE INDEX notifications_age ON notifications (at);

-- ## CRMs that embed the portal

-- The keys that verify launches are encrypted. attested_at is since when the CRM's own sign-in
-- counts as a second factor, attested_by who approved it.
CREATE TABLE embed_clients (
  client_key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  broker_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  origins TEXT NOT NULL,
  sealed BLOB NOT NULL,
  attested_by TEXT NOT NULL DEFAULT '',
  attested_at BIGINT NOT NULL DEFAULT 0,
  disabled_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);

-- Which account a CRM's user belongs to, by blind index.
CREATE TABLE embed_links (
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  linked_at BIGINT NOT NULL,
  under BIGINT NOT NULL DEFAULT 0,
  sealed BLOB,
  used_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (client_key, subject)
);
CREATE INDEX embed_links_user ON embed_links (user_id);
CREATE INDEX embed_links_subject ON embed_links (subject);

-- Verified launches. replay_key is unique; what the CRM sent is encrypted.
CREATE TABLE launches (
  id TEXT PRIMARY KEY,
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  replay_key TEXT NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  origin TEXT NOT NULL,
  sealed BLOB NOT NULL,
  user_id TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0,
  confirmed_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  under BIGINT NOT NULL DEFAULT 0,
  ended_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX launches_expiry ON launches (expires_at);
CREATE INDEX launches_user ON launches (user_id, client_key);
CREATE INDEX launches_subject ON launches (subject, client_key);

CREATE TABLE launch_codes (
  hash TEXT PRIMARY KEY,
  launch_id TEXT NOT NULL REFERENCES launches (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0,
  session TEXT NOT NULL DEFAULT ''
);
CREATE INDEX launch_codes_launch ON launch_codes (launch_id);

-- Launches without an expiration of their own, kept for as long as the secret that signed them.
CREATE TABLE spent_launches (
  replay_key TEXT PRIMARY KEY,
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  secret TEXT NOT NULL
);
CREATE INDEX spent_launches_secret ON spent_launches (client_key, secret);

-- The last time that launches and cards of a client were refused, by cause.
CREATE TABLE embed_refusals (
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  door TEXT NOT NULL,
  cause TEXT NOT NULL,
  refused_at BIGINT NOT NULL,
  PRIMARY KEY (client_key, door, cause)
);
CREATE INDEX embed_refusals_at ON embed_refusals (refused_at);

-- ## Audit and keys

-- Append-only, chained by MAC. migrations.go adds the triggers. network is cut to a /24 or /48.
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
  mac TEXT NOT NULL,
  network TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_object ON audit (object, seq);
CREATE INDEX audit_actor ON audit (actor_id, seq);
CREATE INDEX audit_action ON audit (action, seq);
CREATE INDEX audit_at ON audit (at, seq);

-- Where the audit begins once rows past their retention were deleted: the last of them with its
-- MAC. One row at most.
CREATE TABLE audit_base (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq BIGINT NOT NULL,
  mac TEXT NOT NULL,
  written_before BIGINT NOT NULL,
  cut_at BIGINT NOT NULL,
  told_seq BIGINT NOT NULL,
  told_mac TEXT NOT NULL,
  mark TEXT NOT NULL
);

-- Progress of re-encryption, one row for each key that was ever active. unopened counts values
-- that no key decrypts.
CREATE TABLE renewals (
  key_name TEXT PRIMARY KEY,
  begun_at BIGINT NOT NULL,
  stage TEXT NOT NULL,
  after_row TEXT NOT NULL DEFAULT '',
  after_named TEXT NOT NULL DEFAULT '',
  leads BIGINT NOT NULL DEFAULT 0,
  sealings BIGINT NOT NULL DEFAULT 0,
  remaining BIGINT NOT NULL DEFAULT 0,
  done_at BIGINT NOT NULL DEFAULT 0,
  unopened BIGINT NOT NULL DEFAULT 0
);
