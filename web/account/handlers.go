// Package account lets users manage their own account: sign-in, second factors, email, time zone, sessions and
// connected CRMs.
package account

import "hearthline/web/page"

// Handlers answer the routes of the account area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
