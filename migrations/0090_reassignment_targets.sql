-- A run can reassign its leads to several originators: each row has its own. Empty is the originator of the job, or
-- nobody when that is empty too. undoes is the operation that a row of an undo reverses.
ALTER TABLE job_rows ADD COLUMN target_uuid TEXT NOT NULL DEFAULT '';
ALTER TABLE job_rows ADD COLUMN undoes TEXT NOT NULL DEFAULT '';

-- What a run has reassigned, for the one notification that each recipient gets.
CREATE INDEX hand_overs_job ON hand_overs (job_id) WHERE job_id <> '';
