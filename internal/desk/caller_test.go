package desk

import (
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/partner"
)

// Calls for a user count for the user and have their company's turn, and those of a background job only the latter.
func TestWithActor_Calls_NameUserAndCompany(t *testing.T) {
	t.Parallel()
	r := New(Deps{})
	for _, tt := range []struct {
		actor access.Actor
		want  partner.Caller
	}{
		{access.Actor{UserID: "olivia", Role: access.Originator, BrokerID: "summit", Organization: "Evergreen"},
			partner.Caller{User: "olivia", Company: "summit"}},
		{access.Actor{UserID: "admin", Role: access.Admin, Organization: "Evergreen"},
			partner.Caller{User: "admin", Company: "org:Evergreen"}},
	} {
		if got := partner.CallerOf(r.For(tt.actor).WithActor(t.Context())); got != tt.want {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
	}
	if got, want := partner.CallerOf(InBackground(t.Context(), "summit")),
		(partner.Caller{Company: "summit", Background: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
