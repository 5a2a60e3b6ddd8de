package account

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestIdleMemory_ReleasedOnceAfterLastHash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var released atomic.Int64
		m := idleMemory{large: true, release: func() { released.Add(1) }}
		for wave := range 2 {
			for range 5 {
				m.used()
				time.Sleep(hashPause / 2)
			}
			synctest.Wait()
			if got := released.Load(); got != int64(wave) {
				t.Errorf("wave %d: released %d times between its hashes", wave, got)
			}
			time.Sleep(hashPause)
			synctest.Wait()
			if got := released.Load(); got != int64(wave+1) {
				t.Errorf("wave %d: released %d times after it", wave, got)
			}
		}
	})
}

func TestIdleMemory_SmallHash_NeverReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := idleMemory{release: func() { t.Error("released") }}
		m.used()
		time.Sleep(2 * hashPause)
		synctest.Wait()
	})
}
