package sqldb

import "context"

// Shared reports whether other processes can use the database at the same time and hear announcements.
func (db *DB) Shared() bool { return db.engine.shared() }

// ProcessName identifies this process in the announcements of leads.
func (db *DB) ProcessName() string { return db.engine.name() }

// Announce sends a text to all processes that are listening, including this one. A process that is not listening at
// that moment misses it. PostgreSQL refuses a text of 8,000 bytes or more.
func (db *DB) Announce(ctx context.Context, text string) error {
	return db.engine.announce(ctx, db.read, text)
}

// Listen calls began when it hears announcements, and then heard for each of them, until the context ends or the
// connection is lost. Announcements before began may have been missed.
func (db *DB) Listen(ctx context.Context, began func(), heard func(text string)) error {
	return db.engine.listen(ctx, began, heard)
}

// Announce is DB.Announce in a transaction: the text is sent when the transaction commits.
func (c Conn) Announce(ctx context.Context, text string) error {
	return c.engine.announce(ctx, c.tx, text)
}
