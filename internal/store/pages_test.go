package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// numbers returns a reader of pages with three numbers each.
func numbers(pages int) func(context.Context) ([]int, error) {
	next := 0
	return func(context.Context) ([]int, error) {
		if next == 3*pages {
			return nil, nil
		}
		next += 3
		return []int{next - 3, next - 2, next - 1}, nil
	}
}

func sum(page []int) (n int) {
	for _, i := range page {
		n += i
	}
	return n
}

func TestProcessPages_ManyPages_ResultsInOrder(t *testing.T) {
	t.Parallel()
	var got, want []int
	for i := range 200 {
		want = append(want, 9*i+3)
	}
	err := ProcessPages(t.Context(), numbers(200), sum, func(n int) bool { got = append(got, n); return true })
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestProcessPages_Stopped_NoMoreResults(t *testing.T) {
	t.Parallel()
	calls := 0
	if err := ProcessPages(t.Context(), numbers(200), sum, func(int) bool { calls++; return calls < 3 }); err != nil ||
		calls != 3 {
		t.Errorf("got %d calls, %v, want 3", calls, err)
	}
}

func TestProcessPages_ReadFails_ErrorAfterEarlierResults(t *testing.T) {
	t.Parallel()
	failure, pages, got := errors.New("the disk failed"), 0, 0
	err := ProcessPages(t.Context(), func(context.Context) ([]int, error) {
		if pages++; pages == 5 {
			return nil, failure
		}
		return []int{1}, nil
	}, sum, func(n int) bool { got += n; return true })
	if !errors.Is(err, failure) || got != 4 {
		t.Errorf("got %d, %v, want 4 results and the failure", got, err)
	}
}

func TestProcessPages_Canceled_Error(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := ProcessPages(ctx, func(ctx context.Context) ([]int, error) { return []int{1}, ctx.Err() }, sum,
		func(int) bool { cancel(); return true })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the cancellation", err)
	}
}

// TestBrokenAudit_LongChain_FirstBrokenRow breaks chains that are longer than a page, also at the ends of pages.
func TestBrokenAudit_LongChain_FirstBrokenRow(t *testing.T) {
	t.Parallel()
	s := openSQLite(t)
	// as short as a real one
	s.MAC = func(parts ...string) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, parts))) }
	const rows = 2*auditWalkPage + 7
	if err := s.Write(t.Context(), func(tx *Tx) error {
		for range rows {
			if err := tx.Audit(t.Context(), AuditEntry{ActorID: "system", Action: ActionReveal}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, n, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || n != rows {
		t.Fatalf("got %d rows, intact %v, %v, want %d intact", n, ok, err, rows)
	}
	if err := s.execRaw(t.Context(), `DROP TRIGGER audit_no_UPDATE`); err != nil {
		t.Fatal(err)
	}
	// each before the one that is broken already
	for _, at := range []int64{rows, auditWalkPage + 2, auditWalkPage + 1, auditWalkPage, 3} {
		if err := s.execRaw(t.Context(), `UPDATE audit SET detail = 'forged' WHERE seq = ?`, at); err != nil {
			t.Fatal(err)
		}
		if seq, n, ok, err := s.BrokenAudit(t.Context()); err != nil || ok || seq != at || n != int(at-1) {
			t.Errorf("got broken at %d after %d rows, intact %v, %v, want broken at %d", seq, n, ok, err, at)
		}
	}
}
