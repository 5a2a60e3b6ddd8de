-- Which process does the work that only one of those on a database may do.
CREATE TABLE duties (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  until BIGINT NOT NULL
);

-- The processes that serve the portal, and when each last reported.
CREATE TABLE replicas (
  name TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  seen_at BIGINT NOT NULL
);
