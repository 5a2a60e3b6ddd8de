package store_test

import (
	"strconv"
	"sync"
	"testing"

	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// Two processes read a number, and write the next one: none overwrites what the other wrote.
func TestPostgres_WritersOfTwoProcesses_OneAfterTheOther(t *testing.T) {
	t.Parallel()
	const each = 40
	address := storetest.NewPostgres(t)
	stores := []*store.Store{open(t, address), open(t, address)}
	var running sync.WaitGroup
	for _, s := range stores {
		running.Go(func() {
			for range each {
				if err := s.Write(t.Context(), func(tx *store.Tx) error {
					text, err := tx.Setting(t.Context(), "n")
					if err != nil {
						return err
					}
					n, _ := strconv.Atoi(text)
					return tx.SaveSetting(t.Context(), "n", strconv.Itoa(n+1))
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	if got, err := stores[0].Setting(t.Context(), "n"); err != nil || got != strconv.Itoa(2*each) {
		t.Errorf("got %s, %v, want %d", got, err, 2*each)
	}
}
