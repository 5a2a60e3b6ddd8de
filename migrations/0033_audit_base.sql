-- +goose Up
-- From where the audit stands, once rows older than it is kept were dropped: the last of
-- them with its mark, before when they were written, when that was, and the row that tells
-- of it. Marked as a whole; one row at most. Rows are numbered without gaps, so seq is also
-- how many were dropped.
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

-- +goose Down
DROP TABLE audit_base;
