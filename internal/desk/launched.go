package desk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
)

// Launched is the record of a CRM from which a person came.
type Launched struct {
	d *Desk
	l embed.Launched
}

// Launched opens the record of a launch that this person went on with; fault.NotFound for
// anybody else's.
func (d *Desk) Launched(l embed.Launched) (*Launched, error) {
	if err := d.may(access.SeePipeline); err != nil {
		return nil, err
	}
	if l.Person.UserID != d.Actor.UserID || l.Client.BrokerID != d.Actor.BrokerID {
		return nil, fault.New(fault.NotFound, "This record was opened by somebody else.")
	}
	return &Launched{d, l}, nil
}

// Record is what the person looks at in the CRM.
func (r *Launched) Record() launch.Record { return r.l.Record }

// Lead finds the lead of the record within the person's reach, its borrower's name masked
// for whom a CRM alone vouches; false when there is none yet.
func (r *Launched) Lead(ctx context.Context) (Row, bool, error) {
	if err := r.d.may(access.SeePipeline); err != nil {
		return Row{}, false, err
	}
	row, found, err := r.d.Embeds.Lead(ctx, r.d.Actor.Scope(), r.d.Actor.BrokerID, r.l.Record)
	if err != nil || !found {
		return Row{}, false, err
	}
	name, err := r.d.name(row)
	return Row{Lead: row, Name: name}, true, err
}

// Left are the controls of the intake for which the CRM gave what none takes.
func (r *Launched) Left() ([]string, error) {
	if err := r.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	return r.l.Left, nil
}

// CRM is the name of the CRM, for people.
func (r *Launched) CRM() string { return r.l.Client.Name }

// Prefill is what the intake of the record begins with: what the CRM gave, and the record's
// own id as the reference that the lender will keep.
func (r *Launched) Prefill(context.Context) (Typed, error) {
	if err := r.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	typed := Typed{}
	for name, values := range r.l.Prefill {
		typed[name] = values
	}
	if id := r.l.Record.ID; id != "" {
		typed[r.d.Embeds.ReferenceControl(r.l.Record)] = []string{id}
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(typed)), func(name string) bool { return strings.HasPrefix(name, "applicant.homeAddress.") }) {
		typed["homeIsProperty"] = []string{"true"} // as on an empty form
	}
	return typed.kept(), nil
}
