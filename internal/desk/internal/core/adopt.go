package core

import (
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Adopt parses an application id that the user typed and adopts it in the user's name. A typed text that is no id, and
// an id that the lender does not list for the user, are fault.Invalid at appUuid.
func (d Desk) Adopt(typed string, adopt func(heloc.AppID, store.Adopter) error) (heloc.AppID, error) {
	app, err := heloc.ParseAppID(strings.TrimSpace(typed))
	if err != nil {
		return "", fault.InvalidFields(fault.Field{Name: "appUuid",
			Message: "Enter the application ID: 36 characters with hyphens"})
	}
	err = adopt(app, store.Adopter{UserID: d.Actor.UserID, Name: d.Actor.Name, Scope: d.Actor.Scope()})
	if fault.Is(err, fault.NotFound) {
		return "", fault.InvalidFields(fault.Field{Name: "appUuid",
			Message: "The lender has no application with this ID that you can access"})
	}
	return app, err
}
