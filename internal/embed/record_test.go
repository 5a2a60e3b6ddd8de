package embed

import (
	"testing"

	"hearthline/internal/launch"
)

func TestReferenceControl(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reserved, kind, want string }{
		{"externalAppId", "contact", "externalCustomerId"}, {"externalAppId", "Opportunity", "externalReferenceId"},
		{"externalCustomerId", "Contact", "externalReferenceId"}, {"externalReferenceId", "deal", "externalCustomerId"},
	} {
		s := &Service{Options: Options{ReservedReference: tt.reserved}}
		if got := s.ReferenceControl(launch.Record{Type: tt.kind, ID: "1"}); got != "partnerDataRequest."+tt.want {
			t.Errorf("%+v: got %s", tt, got)
		}
	}
}
