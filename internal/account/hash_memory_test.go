package account

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestIdleMemory_ReleasedOnceAfterLastHash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		released := 0
		m := idleMemory{large: true, release: func() { released++ }}
		for wave := range 2 {
			for range 5 {
				m.used()
				time.Sleep(hashPause / 2)
			}
			synctest.Wait()
			if released != wave {
				t.Errorf("wave %d: released %d times between its hashes", wave, released)
			}
			time.Sleep(hashPause)
			synctest.Wait()
			if released != wave+1 {
				t.Errorf("wave %d: released %d times after it", wave, released)
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
