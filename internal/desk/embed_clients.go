package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
)

// EmbedClients are the CRMs that may frame the desk, for who runs the installation.
type EmbedClients struct{ d *Desk }

// EmbedClients opens them; fault.Denied without the permission.
func (d *Desk) EmbedClients() (*EmbedClients, error) {
	if err := d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return &EmbedClients{d}, nil
}

// List lists all, closed ones too.
func (e *EmbedClients) List(ctx context.Context) ([]embed.Client, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Embeds.Clients(ctx)
}

// Rejections are why a CRM was refused of late, the latest first.
func (e *EmbedClients) Rejections(ctx context.Context, key string) ([]embed.Rejection, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Embeds.Rejections(ctx, key)
}

// Save adds a CRM or changes it.
func (e *EmbedClients) Save(ctx context.Context, setup embed.Setup) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Save(ctx, e.d.actingUnder(access.ManageSettings), setup)
}

// Attest notes who approved that the CRM's log-in is a second factor.
func (e *EmbedClients) Attest(ctx context.Context, key, approver string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Attest(ctx, e.d.actingUnder(access.ManageSettings), key, approver)
}

// RevokeAttestation takes that approval back.
func (e *EmbedClients) RevokeAttestation(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.RevokeAttestation(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// RetireSecret ends a CRM's former secret.
func (e *EmbedClients) RetireSecret(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.RetireSecret(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// Disable shuts a CRM, Open opens it again.
func (e *EmbedClients) Disable(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Disable(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// Enable opens a CRM that was shut.
func (e *EmbedClients) Enable(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.Embeds.Enable(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// Brokers are the companies of the directory, by id.
func (e *EmbedClients) Brokers(ctx context.Context) (map[string]string, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Store.Brokers(ctx)
}
