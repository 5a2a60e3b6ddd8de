package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/store"
)

// writesAtOnce writes from many goroutines at once and checks that every later read agrees with what a write
// reported, even when other writes fail, panic, are canceled or are refused by the database.
func writesAtOnce(t *testing.T, s *store.Store) {
	errRefused := errors.New("refused")
	name := func(i int) string { return fmt.Sprint("write ", i) }
	save := func(ctx context.Context, tx *store.Tx, i int) error { return tx.SaveSetting(ctx, name(i), "saved") }
	account := access.User{Actor: access.Actor{UserID: "taken", Email: "taken@summit.test", Role: access.Originator}}
	if err := s.AddUser(t.Context(), account, ""); err != nil {
		t.Fatal(err)
	}
	write := func(i, kind int) (err error) {
		defer func() {
			if recover() != nil {
				err = errRefused
			}
		}()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return s.Write(ctx, func(tx *store.Tx) error {
			if err := save(ctx, tx, i); err != nil {
				return err
			}
			switch kind {
			case 1:
				return errRefused
			case 2:
				panic("refused")
			case 3:
				cancel()
				return nil
			case 4:
				return tx.AddUser(ctx, account, "")
			}
			return nil
		})
	}
	const writes = 300
	var all sync.WaitGroup
	for i := range writes {
		kind := rand.IntN(9) // the larger ones succeed
		all.Go(func() {
			err := write(i, kind)
			if succeeds := kind == 0 || kind > 4; succeeds != (err == nil) {
				t.Errorf("a write of kind %d: got %v", kind, err)
			}
			want := ""
			if err == nil {
				want = "saved"
			}
			if got, err := s.Setting(t.Context(), name(i)); err != nil || got != want {
				t.Errorf("after a write of kind %d: got %q, %v, want %q", kind, got, err, want)
			}
		})
	}
	all.Wait()
}
