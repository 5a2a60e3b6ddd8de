-- The secret URL of a user's calendar feed, as a hash: one for each user who subscribed. A new one replaces it,
-- and closing the account deletes it.
CREATE TABLE calendar_feeds (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL
);
