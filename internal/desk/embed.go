package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
)

// Embeds are the CRMs that may frame the desk, for who runs the installation.
type Embeds struct{ d *Desk }

// EmbedClients opens them; fault.Denied without the permission.
func (d *Desk) EmbedClients() (*Embeds, error) {
	if err := d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return &Embeds{d}, nil
}

// List lists all, closed ones too.
func (e *Embeds) List(ctx context.Context) ([]embed.Client, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Embeds.Clients(ctx)
}

// Refusals are why a CRM was refused of late, the latest first.
func (e *Embeds) Refusals(ctx context.Context, key string) ([]embed.Refusal, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Embeds.Refusals(ctx, key)
}

// Save adds a CRM or changes it.
func (e *Embeds) Save(ctx context.Context, setup embed.Setup) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Save(ctx, e.d.by(access.ManageSettings), setup)
}

// Attest notes who approved that the CRM's log-in is a second factor.
func (e *Embeds) Attest(ctx context.Context, key, approver string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Attest(ctx, e.d.by(access.ManageSettings), key, approver)
}

// Unattest takes that approval back.
func (e *Embeds) Unattest(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Unattest(ctx, e.d.by(access.ManageSettings), key)
}

// Retire ends a CRM's former secret.
func (e *Embeds) Retire(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Retire(ctx, e.d.by(access.ManageSettings), key)
}

// Close shuts a CRM, Open opens it again.
func (e *Embeds) Close(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Close(ctx, e.d.by(access.ManageSettings), key)
}

// Open opens a CRM that was shut.
func (e *Embeds) Open(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Open(ctx, e.d.by(access.ManageSettings), key)
}

// Brokers are the companies of the directory, by id.
func (e *Embeds) Brokers(ctx context.Context) (map[string]string, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Store.Brokers(ctx)
}
