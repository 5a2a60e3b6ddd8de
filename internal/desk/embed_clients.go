package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
)

// EmbedClients is the CRMs that may frame the portal, for the administrators of the installation.
type EmbedClients struct{ d *Desk }

// EmbedClients returns the CRMs; fault.Denied without the permission.
func (d *Desk) EmbedClients() (*EmbedClients, error) {
	if err := d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return &EmbedClients{d}, nil
}

// List returns all CRMs, including the disabled ones.
func (e *EmbedClients) List(ctx context.Context) ([]embed.Client, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.embeds.Clients(ctx)
}

// Rejections lists why launches from a CRM were rejected recently, latest first.
func (e *EmbedClients) Rejections(ctx context.Context, key string) ([]embed.Rejection, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.embeds.Rejections(ctx, key)
}

// Save adds a CRM or changes it.
func (e *EmbedClients) Save(ctx context.Context, setup embed.Setup) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.embeds.Save(ctx, e.d.actingUnder(access.ManageSettings), setup)
}

// Attest records who approved that the CRM's sign-in counts as a second factor.
func (e *EmbedClients) Attest(ctx context.Context, key, approver string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.embeds.Attest(ctx, e.d.actingUnder(access.ManageSettings), key, approver)
}

// RevokeAttestation revokes that approval.
func (e *EmbedClients) RevokeAttestation(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.embeds.RevokeAttestation(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// RetireSecret makes a CRM's former secret invalid.
func (e *EmbedClients) RetireSecret(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.embeds.RetireSecret(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// Disable disables a CRM; Enable enables it again.
func (e *EmbedClients) Disable(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.embeds.Disable(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// Enable enables a CRM that was disabled.
func (e *EmbedClients) Enable(ctx context.Context, key string) error {
	if err := e.d.may(access.ManageSettings); err != nil {
		return err
	}
	return e.d.embeds.Enable(ctx, e.d.actingUnder(access.ManageSettings), key)
}

// Brokers returns the broker companies of the directory, by id.
func (e *EmbedClients) Brokers(ctx context.Context) (map[string]string, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.store.Brokers(ctx)
}

// UnusedFields lists the fields of a CRM's recent launches that filled in nothing; see embed.Service.UnusedFields.
func (e *EmbedClients) UnusedFields(ctx context.Context, key string) ([]embed.UnusedField, error) {
	if err := e.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.embeds.UnusedFields(ctx, key)
}
