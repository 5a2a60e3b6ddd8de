package fault

import (
	"errors"
	"fmt"
	"testing"
)

func TestKindOf_Wrapped_Kept(t *testing.T) {
	cause := errors.New("row is gone")
	err := fmt.Errorf("open lead: %w", Wrap(NotFound, "Lead not found, or you don’t have access.", cause))
	if got := KindOf(err); got != NotFound {
		t.Errorf("KindOf = %v, want %v", got, NotFound)
	}
	if got := Public(err); got != "Lead not found, or you don’t have access." {
		t.Errorf("Public = %q", got)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is missing")
	}
}

func TestPublic_PlainError_Internal(t *testing.T) {
	err := errors.New("pq: password for olivia@summit.test is hunter2")
	if got := KindOf(err); got != Internal {
		t.Errorf("KindOf = %v, want %v", got, Internal)
	}
	if got := Public(err); got == err.Error() {
		t.Error("a raw error text would reach the screen")
	}
}

func TestIs_KindsOfChain(t *testing.T) {
	err := fmt.Errorf("open lead: %w", New(NotFound, "This lead does not exist for you."))
	if !Is(err, NotFound) || !Is(err, Invalid, NotFound) || Is(err, Invalid) || Is(err) {
		t.Errorf("got %v", err)
	}
	if Is(nil, Internal) {
		t.Error("no error counts as an internal one")
	}
	if !Is(errors.New("unclassified"), Internal) {
		t.Error("an unclassified error does not count as a defect")
	}
}
