// Package team has the pages for managers: reassigning one lead or many, the unassigned queue, people, absences,
// invitations and the directory of originators. Originators enter their own absences here.
package team

import (
	"hearthline/web/page"
)

// Handlers answer the routes of the team area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }
