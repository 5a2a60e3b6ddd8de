package storetest

import (
	"context"
	"testing"

	"hearthline/internal/store"
)

// snapshotSeesOneState: reads with a snapshot's context see nothing that was written after its first read, reads with
// another context do, and an ended snapshot gives its connection back.
func snapshotSeesOneState(t *testing.T, s *store.Store) {
	save := func(value string) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveSetting(ctx, "snapshot", value) })
	}
	want := func(ctx context.Context, what, value string) {
		t.Helper()
		if got, err := s.Setting(ctx, "snapshot"); err != nil || got != value {
			t.Errorf("%s: got %q, %v, want %q", what, got, err, value)
		}
	}
	save("before")
	for range 100 { // more than there are connections
		ctx, end, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want(ctx, "first read", "before")
		inner, endInner, err := s.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		save("after")
		want(inner, "a snapshot within the snapshot", "before")
		endInner()
		want(ctx, "second read", "before")
		want(t.Context(), "outside", "after")
		end()
		save("before")
	}
}
