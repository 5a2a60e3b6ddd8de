-- How often something changed that decides what signed-in users may see: sessions that ended, accounts, the directory,
-- covers. Open pages are told of changes only while their session is valid, and this one number says whether anything can
-- have changed since they were checked. Activity in a session and dismissed updates are no such change.
CREATE TABLE access_changes (n BIGINT NOT NULL);
INSERT INTO access_changes (n) VALUES (1);
