-- +goose Up
-- Whose a thing is that a browser has begun, or a mailed link: what a person has under way
-- ends with the password, the role or the account that it was begun under. Empty where
-- nobody is known yet.
ALTER TABLE ceremonies ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
CREATE INDEX ceremonies_user ON ceremonies (user_id, kind, expires_at, id_hash);
ALTER TABLE invitations ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
CREATE INDEX invitations_user ON invitations (user_id, expires_at);

-- The role that a session was begun in: with another its token is another too.
ALTER TABLE sessions ADD COLUMN role TEXT NOT NULL DEFAULT '';
UPDATE sessions SET role = (SELECT u.role FROM users u WHERE u.id = sessions.user_id);

-- How often all that a person had under way was ended. A log-in that was begun before ends
-- in no session.
ALTER TABLE users ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
