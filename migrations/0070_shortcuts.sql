-- Whether the user has turned off the shortcuts that consist of a single key.
ALTER TABLE users ADD COLUMN shortcuts_off INTEGER NOT NULL DEFAULT 0;
