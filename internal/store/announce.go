package store

import "context"

// Shared reports whether other processes can use the database at the same time and hear announcements.
func (s *Store) Shared() bool { return s.engine.shared() }

// ProcessName identifies this store in the announcements of leads.
func (s *Store) ProcessName() string { return s.engine.name() }

// Announce sends a text to all processes that listen, this one too. It is lost for those that do not listen at this
// moment. PostgreSQL refuses one of 8,000 bytes or more.
func (s *Store) Announce(ctx context.Context, text string) error {
	return s.engine.announce(ctx, s.read, text)
}

// Listen calls began when it hears announcements, and then heard for each of them, until the context ends or the connection is
// lost. Announcements before began may have been missed.
func (s *Store) Listen(ctx context.Context, began func(), heard func(text string)) error {
	return s.engine.listen(ctx, began, heard)
}
