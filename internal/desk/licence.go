package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Licensed is what is known of somebody's right to act in a state.
type Licensed string

// The answers. Unknown refuses nothing; it is said.
const (
	LicenceHeld    Licensed = "held"
	LicenceUnknown Licensed = "unknown"
	LicenceMissing Licensed = "missing" // somebody wrote down that they may not
)

// StateLicence is whether a person may act in a state, and who may: whom to call.
type StateLicence struct {
	State   string
	Own     Licensed
	Company Licensed
	Call    []store.Originator // colleagues who hold one there
}

// Licence says what is known of this person's own licences in a state, before anything of
// a borrower is typed.
func (in *Intake) Licence(ctx context.Context, state string) (StateLicence, error) {
	if err := in.d.may(access.StartInquiry); err != nil {
		return StateLicence{}, err
	}
	return in.d.licence(ctx, in.d.Actor.OriginatorUUID, state)
}

func (d *Desk) licence(ctx context.Context, originator, state string) (StateLicence, error) {
	l := StateLicence{State: state}
	var err error
	if l.Own, err = licensed(ctx, d.Store, originator, state); err != nil {
		return l, err
	}
	if l.Company, err = licensed(ctx, d.Store, d.Actor.BrokerID, state); err != nil {
		return l, err
	}
	if l.Own == LicenceHeld {
		return l, nil
	}
	colleagues, err := d.colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	if err != nil {
		return l, err
	}
	for _, o := range colleagues {
		held, err := licensed(ctx, d.Store, string(o.UUID), state)
		if err != nil {
			return l, err
		}
		if held == LicenceHeld && o.GoneAt == 0 && string(o.UUID) != originator && len(l.Call) < 3 {
			l.Call = append(l.Call, o)
		}
	}
	return l, nil
}

// InState is what is known of somebody's right to act in a state.
type InState struct {
	State string
	Licensed
}

// licencesIn says of each originator what is known in some states, before a lead with its
// borrower goes to them.
func (d *Desk) licencesIn(ctx context.Context, people []store.Originator, states []string) (map[heloc.OriginatorID][]InState, error) {
	slices.Sort(states)
	states = slices.DeleteFunc(slices.Compact(states), func(s string) bool { return s == "" })
	known := map[heloc.OriginatorID][]InState{}
	for _, o := range people {
		for _, state := range states {
			held, err := licensed(ctx, d.Store, string(o.UUID), state)
			if err != nil {
				return nil, err
			}
			known[o.UUID] = append(known[o.UUID], InState{state, held})
		}
	}
	return known, nil
}

// licences reads in the database or in a transaction alike.
type licences interface {
	LicencesOf(ctx context.Context, holder string) ([]store.Licence, error)
}

func licensed(ctx context.Context, from licences, holder, state string) (Licensed, error) {
	all, err := from.LicencesOf(ctx, holder)
	at := slices.IndexFunc(all, func(l store.Licence) bool { return l.State == state })
	switch {
	case err != nil || at < 0:
		return LicenceUnknown, err
	case all[at].May:
		return LicenceHeld, nil
	default:
		return LicenceMissing, nil
	}
}

// mayActIn refuses a state in which somebody wrote down that the originator may not act.
func mayActIn(ctx context.Context, from licences, originator heloc.OriginatorID, state string) (bool, error) {
	held, err := licensed(ctx, from, string(originator), state)
	return held != LicenceMissing, err
}

// licensedIn refuses, beside a control, what this person would do in their own name in a
// state in which somebody wrote down that they may not act. No state refuses nothing.
func (d *Desk) licensedIn(ctx context.Context, state, control string) error {
	may, err := mayActIn(ctx, d.Store, heloc.OriginatorID(d.Actor.OriginatorUUID), state)
	if err == nil && !may {
		err = fault.InvalidFields(fault.Field{Name: control, Message: "You are not licensed in this state. A colleague who is can start the inquiry"})
	}
	return err
}

// Licences are kept by who sees how the portal works.
type Licences struct{ d *Desk }

// Licences opens them; fault.Denied without the permission.
func (d *Desk) Licences() (*Licences, error) {
	if err := d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return &Licences{d}, nil
}

// KnownLicence is one licence with the name of its holder.
type KnownLicence struct {
	store.Licence
	Name, NMLS string
}

// List is all that is known, with the directory to choose holders from.
func (ls *Licences) List(ctx context.Context) ([]KnownLicence, []store.Originator, error) {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return nil, nil, err
	}
	all, err := ls.d.Store.Licences(ctx)
	if err != nil {
		return nil, nil, err
	}
	people, err := ls.d.Store.AllOriginators(ctx)
	known := make([]KnownLicence, len(all))
	for i, l := range all {
		known[i].Licence = l
		for _, o := range people {
			switch {
			case l.Party == store.PartyOriginator && string(o.UUID) == l.Holder:
				known[i].Name, known[i].NMLS = o.Name(), o.NMLS
			case l.Party == store.PartyBroker && o.BrokerID == l.Holder:
				known[i].Name, known[i].NMLS = o.BrokerName, o.BrokerNMLS
			}
		}
	}
	return known, people, err
}

// Set writes down whether a holder of the directory may act in a state.
func (ls *Licences) Set(ctx context.Context, l store.Licence) error {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return err
	}
	if err := ls.judge(ctx, &l); err != nil {
		return err
	}
	l.ByHand, l.At = ls.d.Actor.UserID, store.Millis(ls.d.Now())
	return ls.write(ctx, l, map[bool]string{true: "may", false: "may not"}[l.May], func(tx *store.Tx) error { return tx.SaveLicence(ctx, l) })
}

// Forget drops what is known: the lender's next word counts again.
func (ls *Licences) Forget(ctx context.Context, holder, state string) error {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return err
	}
	l := store.Licence{Holder: holder, State: state}
	return ls.write(ctx, l, "forgotten", func(tx *store.Tx) error { return tx.DropLicence(ctx, holder, state) })
}

func (ls *Licences) write(ctx context.Context, l store.Licence, what string, do func(tx *store.Tx) error) error {
	return ls.d.Store.WriteBy(ctx, ls.d.by(access.ManageSettings), func(tx *store.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return tx.Audit(ctx, store.Audited{ActorID: ls.d.Actor.UserID, Company: ls.d.company(), Action: store.ActLicence, Object: "licence:" + l.Holder, Outcome: "done", Detail: l.State + " " + what})
	})
}

func (ls *Licences) judge(ctx context.Context, l *store.Licence) error {
	if len(l.State) != 2 {
		return fault.InvalidFields(fault.Field{Name: "state", Message: "Choose a state"})
	}
	people, err := ls.d.Store.AllOriginators(ctx)
	if err != nil {
		return err
	}
	for _, o := range people {
		switch l.Holder {
		case string(o.UUID):
			l.Party = store.PartyOriginator
			return nil
		case o.BrokerID:
			l.Party = store.PartyBroker
			if l.Holder != "" {
				return nil
			}
		}
	}
	return fault.InvalidFields(fault.Field{Name: "holder", Message: "Choose whose licence it is"})
}

// Texts are the wordings of the consent, each with how many agreed to it, the present one
// first by its version.
func (ls *Licences) Texts(ctx context.Context) ([]store.ConsentText, error) {
	if err := ls.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return ls.d.Store.Texts(ctx)
}
