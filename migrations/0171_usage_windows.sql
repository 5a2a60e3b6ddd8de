-- How often a company, or a user, did something that is limited by the hour, in windows of five minutes; and whether
-- something was refused in a window. Rows are deleted after two hours.
CREATE TABLE usage_windows (
  subject TEXT NOT NULL,
  kind TEXT NOT NULL,
  window_at BIGINT NOT NULL,
  n INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (subject, kind, window_at)
);
CREATE INDEX usage_windows_window ON usage_windows (window_at);
