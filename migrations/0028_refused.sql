-- +goose Up
-- Why launches and cards of a client were refused of late: the last time of each cause,
-- and nothing of whoever sent them.
CREATE TABLE embed_refusals (
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  door TEXT NOT NULL,
  cause TEXT NOT NULL,
  refused_at BIGINT NOT NULL,
  PRIMARY KEY (client_key, door, cause)
);
CREATE INDEX embed_refusals_at ON embed_refusals (refused_at);
