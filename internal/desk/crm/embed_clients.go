package crm

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/approval"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
)

// EmbedClients is the CRMs that may frame the portal, for the administrators of the installation.
type EmbedClients struct{ d core.Desk }

// OpenEmbedClients returns the CRMs; fault.Denied without the permission.
func OpenEmbedClients(d core.Desk) (*EmbedClients, error) {
	return core.Opened(&EmbedClients{d}, d.May(access.ManageSettings))
}

// List returns all CRMs, including the disabled ones.
func (e *EmbedClients) List(ctx context.Context) ([]embed.Client, error) {
	if err := e.d.May(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Embeds.Clients(ctx)
}

// Client returns a CRM, also a disabled one; fault.NotFound for an unknown one.
func (e *EmbedClients) Client(ctx context.Context, key string) (embed.Client, error) {
	if err := e.d.May(access.ManageSettings); err != nil {
		return embed.Client{}, err
	}
	return e.d.Embeds.AnyClient(ctx, key)
}

// Rejections lists why launches from a CRM were rejected recently, and the fields of its recent launches that filled in
// nothing; see embed.Service.Rejections.
func (e *EmbedClients) Rejections(ctx context.Context, key string) ([]embed.Rejection, []embed.UnusedField, error) {
	if err := e.d.May(access.ManageSettings); err != nil {
		return nil, nil, err
	}
	return e.d.Embeds.Rejections(ctx, key)
}

// TryLaunch tests a launch: see embed.Service.TryLaunch. It returns the fields and values a new inquiry would use.
func (e *EmbedClients) TryLaunch(ctx context.Context, key string, p launch.Posted) (embed.Trial, error) {
	if err := e.d.May(access.ManageSettings); err != nil {
		return embed.Trial{}, err
	}
	t, err := e.d.Embeds.TryLaunch(ctx, key, p)
	l := Launch{d: e.d, launch: embed.VerifiedLaunch{Client: t.Client}}
	l.launch.Record, l.launch.Prefill = t.Record, t.Prefill
	given, unusable := l.crmValues()
	t.Prefill = url.Values(given)
	for i, f := range t.Fields {
		if f.Use == launch.FieldUsed && slices.Contains(unusable, f.Name) {
			t.Fields[i].Use = launch.FieldValue
			if strings.HasPrefix(f.Name, "partnerDataRequest.external") {
				t.Fields[i].Use = launch.FieldReference
			}
		}
	}
	return t, err
}

// change runs a change on behalf of the user, if they may make it.
func (e *EmbedClients) change(change func(by access.By) error) error {
	if err := e.d.May(access.ManageSettings); err != nil {
		return err
	}
	return change(e.d.ActingUnder(access.ManageSettings))
}

// Save adds a CRM or changes it.
func (e *EmbedClients) Save(ctx context.Context, setup embed.Setup) error {
	return e.change(func(by access.By) error { return e.d.Embeds.Save(ctx, by, setup) })
}

// RequestApproval requests that the CRM's sign-in counts as a second factor, as approver approved in writing. Another
// administrator decides.
func (e *EmbedClients) RequestApproval(ctx context.Context, key, approver, reason string) error {
	return e.change(func(by access.By) error {
		return e.d.Approvals().Create(ctx, by, approval.Ask{Kind: access.RequestCRMSignIn, Reason: reason,
			SignIn: embed.SignIn{Client: key, Approver: approver}})
	})
}

// ApprovalRequests returns the keys of the CRMs for which such a request waits.
func (e *EmbedClients) ApprovalRequests(ctx context.Context) ([]string, error) {
	if err := e.d.May(access.ManageSettings); err != nil {
		return nil, err
	}
	all, err := e.d.Approvals().List(ctx)
	var keys []string
	for _, r := range all {
		if r.Ask.Kind == access.RequestCRMSignIn && r.Waits(e.d.Now()) {
			keys = append(keys, r.Ask.SignIn.Client)
		}
	}
	return keys, err
}

// RevokeAttestation revokes the approval.
func (e *EmbedClients) RevokeAttestation(ctx context.Context, key string) error {
	return e.change(func(by access.By) error { return e.d.Embeds.RevokeAttestation(ctx, by, key) })
}

// RetireSecret makes a CRM's former secret invalid.
func (e *EmbedClients) RetireSecret(ctx context.Context, key string) error {
	return e.change(func(by access.By) error { return e.d.Embeds.RetireSecret(ctx, by, key) })
}

// Disable disables a CRM; Enable enables it again.
func (e *EmbedClients) Disable(ctx context.Context, key string) error {
	return e.change(func(by access.By) error { return e.d.Embeds.Disable(ctx, by, key) })
}

// Enable enables a CRM that was disabled.
func (e *EmbedClients) Enable(ctx context.Context, key string) error {
	return e.change(func(by access.By) error { return e.d.Embeds.Enable(ctx, by, key) })
}

// Events returns where a CRM's events are sent, and the newest of them.
func (e *EmbedClients) Events(ctx context.Context, key string) (embed.EventSetup, error) {
	if err := e.d.May(access.ManageSettings); err != nil {
		return embed.EventSetup{}, err
	}
	return e.d.Embeds.Events(ctx, key)
}

// EnableEvents sends a test event to a URL and, if it is accepted, sends the CRM's events there.
func (e *EmbedClients) EnableEvents(ctx context.Context, key, url string, amounts bool) error {
	return e.change(func(by access.By) error { return e.d.Embeds.EnableEvents(ctx, by, key, url, amounts) })
}

// PauseEvents stops a CRM's events.
func (e *EmbedClients) PauseEvents(ctx context.Context, key string) error {
	return e.change(func(by access.By) error { return e.d.Embeds.PauseEvents(ctx, by, key) })
}

// NewEventSecret replaces the secret that signs a CRM's events, and returns the new one, once.
func (e *EmbedClients) NewEventSecret(ctx context.Context, key string) (secret string, err error) {
	err = e.change(func(by access.By) error {
		secret, err = e.d.Embeds.NewEventSecret(ctx, by, key)
		return err
	})
	return secret, err
}

// EndFormerEventSecret ends the secret that was replaced.
func (e *EmbedClients) EndFormerEventSecret(ctx context.Context, key string) error {
	return e.change(func(by access.By) error { return e.d.Embeds.EndFormerEventSecret(ctx, by, key) })
}

// RepeatEvents sends an event that was given up again, or all of them if id is empty.
func (e *EmbedClients) RepeatEvents(ctx context.Context, key, id string) error {
	return e.change(func(by access.By) error { return e.d.Embeds.RepeatEvents(ctx, by, key, id) })
}

// Brokers returns the broker companies of the directory, by id.
func (e *EmbedClients) Brokers(ctx context.Context) (map[string]string, error) {
	if err := e.d.May(access.ManageSettings); err != nil {
		return nil, err
	}
	return e.d.Store.Brokers(ctx)
}
