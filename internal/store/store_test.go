package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

func testMAC(parts ...string) string {
	sum := sha256.Sum256([]byte("key\x00" + strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) *store.Store { return open(t, storetest.NewFile(t)) })
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	storetest.NewPostgres(t) // skips all at once when there is none
	storetest.Run(t, func(t *testing.T) *store.Store { return open(t, storetest.NewPostgres(t)) })
}

func open(t *testing.T, address string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), address, store.Options{MAC: testMAC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
