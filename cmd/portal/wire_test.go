package main

import "testing"

func TestUserRate_HalfOrNoLimit(t *testing.T) {
	t.Parallel()
	for all, want := range map[int]int{0: 0, 1: 1, 3: 1, 10: 5} {
		if got := userRate(all); got != want {
			t.Errorf("of %d: got %d, want %d", all, got, want)
		}
	}
}
