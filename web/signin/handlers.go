// Package signin signs users in: password, second factor, passkey, single sign-on, and the links
// that are emailed to activate an account, reset a password or confirm an email.
package signin

import "hearthline/web/page"

// Handlers answer the routes of the sign-in area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New makes the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
