package account

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/push"
	"hearthline/internal/store"
)

// NotificationSettings are how and when the user is told about their leads.
type NotificationSettings struct {
	Choices  lead.TellChoices
	Mail     bool                     // this portal sends email
	PushKey  string                   // which browsers need to subscribe; empty when this portal sends nothing to browsers
	Browsers []store.PushSubscription // that the user turned on, newest first
}

// NotificationSettings returns the user's settings.
func (a *Account) NotificationSettings(ctx context.Context) (NotificationSettings, error) {
	if err := a.may(); err != nil {
		return NotificationSettings{}, err
	}
	s := NotificationSettings{Mail: a.d.Notify.SendsMail(), PushKey: a.d.Notify.PushKey()}
	var err error
	if s.Choices, err = a.d.Store.TellChoices(ctx, a.d.Actor.UserID); err != nil {
		return s, err
	}
	s.Browsers, err = a.d.Notify.Browsers(ctx, a.d.Actor.UserID)
	return s, err
}

// SetTellChoices stores what the user is told and when, and their time zone unless it is empty.
func (a *Account) SetTellChoices(ctx context.Context, c lead.TellChoices, zone string) error {
	if err := a.may(); err != nil {
		return err
	}
	if zone != "" {
		if _, err := access.LoadZone(zone); err != nil {
			return fault.InvalidFields(fault.Field{Name: "zone", Message: "Choose a time zone"})
		}
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error {
		if zone != "" {
			if err := tx.SetTimeZone(ctx, a.d.Actor.UserID, zone); err != nil {
				return err
			}
		}
		return tx.SetTellChoices(ctx, a.d.Actor.UserID, c)
	})
}

// PushSubscription is where and how a browser receives notifications, as the browser gives it.
type PushSubscription = push.Subscription

// TurnOnBrowser lets a browser show notifications. name is what the user sees of it.
func (a *Account) TurnOnBrowser(ctx context.Context, p PushSubscription, name string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Notify.TurnOn(ctx, a.d.Actor.UserID, p, name)
}

// TurnOffBrowser stops a browser's notifications.
func (a *Account) TurnOffBrowser(ctx context.Context, digest string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Notify.TurnOff(ctx, a.d.Actor.UserID, digest)
}

// TestBrowser sends a test to one of the user's browsers.
func (a *Account) TestBrowser(ctx context.Context, digest string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Notify.TestBrowser(ctx, a.d.Actor.UserID, digest)
}

// TestEmail sends a test to the user's email address.
func (a *Account) TestEmail(ctx context.Context) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Notify.TestEmail(ctx, a.self())
}
