-- Two releases can use a database at the same time, while one portal after another is updated. Each process reports the
-- newest version of the schema that it knows.
ALTER TABLE replicas ADD COLUMN newest_schema BIGINT NOT NULL DEFAULT 160;

-- The oldest version of the schema whose programs can use this database.
CREATE TABLE compatibility (oldest_schema BIGINT NOT NULL);
INSERT INTO compatibility (oldest_schema) VALUES (160);

-- The style sheets and scripts of the releases that were started lately, by URL: a page of one release can ask a portal
-- of another for them. The URL contains a hash of the body.
CREATE TABLE static_files (
  url TEXT PRIMARY KEY,
  body BLOB NOT NULL,
  used_at BIGINT NOT NULL
);
