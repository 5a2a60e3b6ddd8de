package desk

import (
	"context"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// HandedDraft is the way of a draft from one to the next, up to who has it now.
type HandedDraft struct {
	Handings []Handing // the oldest first; never none
}

// Handing is one hand-over of a draft: by whom, when, and what stood in it then.
type Handing struct {
	ByID  string // user id
	By    string // their name
	At    time.Time
	Typed Typed
}

// mostHandings are kept; of a longer way the first, by who prepared it, and the last.
const mostHandings = 12

// handing is how one is kept.
type handing struct {
	By    string `json:"by"`
	At    int64  `json:"at"`
	Typed Typed  `json:"typed"`
}

// placeOfHanded is where they lie, sealed.
func placeOfHanded(id string) vault.Place {
	return vault.Place{Table: "drafts", Row: id, Column: "handed"}
}

// handings opens them.
func (r *Rooms) handings(row store.Draft) ([]handing, error) {
	if len(row.Handed) == 0 {
		return nil, nil
	}
	way, err := vault.UnsealJSON[[]handing](r.Vault, placeOfHanded(row.ID), row.Handed)
	if err == nil {
		return way, nil
	}
	// Before, only what stood in it at the last one was kept.
	typed, err := vault.UnsealJSON[Typed](r.Vault, placeOfHanded(row.ID), row.Handed)
	return []handing{{By: row.PreparedBy, At: row.HandedAt, Typed: typed}}, err
}

func (ds *Drafts) handed(ctx context.Context, row store.Draft) (*HandedDraft, error) {
	way, err := ds.d.handings(row)
	if err != nil {
		return nil, err
	}
	h := &HandedDraft{}
	for _, one := range way {
		by, err := ds.d.Store.User(ctx, one.By)
		if err != nil {
			return nil, err
		}
		h.Handings = append(h.Handings, Handing{ByID: one.By, By: by.Name, At: store.Instant(one.At), Typed: one.Typed})
	}
	return h, nil
}

// give hands a draft of its owner on, in a transaction: what stands in it now is kept beside,
// so that whoever has seen it before reads what others changed since. The taker is told once.
func (r *Rooms) give(ctx context.Context, tx *store.Tx, row store.Draft, g giving) (fresh bool, err error) {
	typed, err := vault.UnsealJSON[Typed](r.Vault, journal.PlaceOfDraft(row.ID), row.Sealed)
	if err != nil {
		return false, err
	}
	way, err := r.handings(row)
	if err != nil {
		return false, err
	}
	row.HandedAt = store.Millis(r.Now())
	if way = append(way, handing{By: row.OwnerID, At: row.HandedAt, Typed: typed}); len(way) > mostHandings {
		way = append(way[:1], way[2:]...)
	}
	if row.Handed, err = vault.SealJSON(r.Vault, placeOfHanded(row.ID), way); err != nil {
		return false, err
	}
	if row.PreparedBy == "" {
		row.PreparedBy = row.OwnerID
	}
	if err := tx.HandDraft(ctx, row, g.to); err != nil {
		return false, err
	}
	if err := tx.Audit(ctx, store.Audited{
		ActorID: g.by.UserID, Company: row.Company, Action: store.ActDraftHand, Object: "draft:" + row.ID, Outcome: "done", Detail: "to:" + g.to,
	}); err != nil {
		return false, err
	}
	facts := journal.Facts(r.Vault, "draft", row.ID, strconv.FormatInt(row.HandedAt, 10))
	return tx.Notify(ctx, store.Notification{
		UserID: g.to, Company: row.Company, Draft: row.ID, Kind: store.NoticeDraft, ByName: g.by.Name, At: row.HandedAt,
		Fact: facts[0], Older: facts[1:],
	})
}

// draftsAtOnce are read together while all drafts of somebody are given.
const draftsAtOnce = 100

// giveAll gives every draft of somebody that was not sent. One whose start may have arrived
// stays where it is: the lead that is found takes its name from it.
func (r *Rooms) giveAll(ctx context.Context, tx *store.Tx, from store.Seat, g giving) error {
	for after := ""; ; {
		drafts, err := tx.DraftsToGive(ctx, from, after, draftsAtOnce)
		if err != nil {
			return err
		}
		for _, row := range drafts {
			if _, err := r.give(ctx, tx, row, g); err != nil && fault.KindOf(err) != fault.Conflict {
				return err
			}
			after = row.ID
		}
		if len(drafts) < draftsAtOnce {
			return nil
		}
	}
}

// giving is who gives a draft to whom, by user id.
type giving struct {
	by access.Actor
	to string
}

// Senders are the colleagues to whom a draft can be handed: those with an account who may
// start an inquiry, without this person.
func (ds *Drafts) Senders(ctx context.Context) ([]access.User, error) {
	if err := ds.d.may(access.PrepareDraft); err != nil {
		return nil, err
	}
	users, err := ds.d.Store.Users(ctx)
	if err != nil {
		return nil, err
	}
	var kept []access.User
	for _, u := range users {
		if !u.Disabled && u.UserID != ds.d.Actor.UserID && u.Can(access.StartInquiry) && store.CompanyOf(u.BrokerID, u.Organization) == ds.d.company() {
			kept = append(kept, u)
		}
	}
	return kept, nil
}

// Hand gives a draft to a colleague who may send it, by their originator. The consent is
// theirs to take.
func (ds *Drafts) Hand(ctx context.Context, id, originator string) error {
	senders, err := ds.Senders(ctx)
	if err != nil {
		return err
	}
	to := ""
	for _, u := range senders {
		if u.OriginatorUUID == originator && originator != "" {
			to = u.UserID
		}
	}
	if to == "" {
		return fault.InvalidFields(fault.Field{Name: "draft.originator", Message: "Choose a colleague who may send it"})
	}
	fresh := false
	err = ds.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := ds.own(ctx, tx, id)
		if err == nil {
			err = ds.d.takerLicensed(ctx, tx, row, originator)
		}
		if err == nil {
			fresh, err = ds.d.give(ctx, tx, row, giving{ds.d.Actor, to})
		}
		return err
	})
	if err == nil && fresh {
		ds.d.Hub.Publish(hub.Event{Inbox: true}, hub.Person(to))
	}
	return err
}

// takerLicensed refuses a colleague of whom somebody wrote down that they may not act in the
// state of a draft: they could not send it, and would read a borrower for nothing.
func (r *Rooms) takerLicensed(ctx context.Context, tx *store.Tx, row store.Draft, originator string) error {
	typed, err := vault.UnsealJSON[Typed](r.Vault, journal.PlaceOfDraft(row.ID), row.Sealed)
	if err != nil {
		return err
	}
	may, err := mayActIn(ctx, tx, heloc.OriginatorID(originator), typed.Value("property.address.state"))
	if err == nil && !may {
		err = fault.InvalidFields(fault.Field{Name: "draft.originator", Message: "They are not licensed in the state of this home. Choose a colleague who is"})
	}
	return err
}

// Prepared is who typed an inquiry before it was sent, where that was not one person:
// names, empty without one.
type Prepared struct{ By, ChangedBy string }

// prepared reads it from the draft that a lead came of, while that is kept.
func (l *Lead) prepared(ctx context.Context) (Prepared, error) {
	row, err := l.d.Store.DraftOfLead(ctx, l.row.App)
	if fault.KindOf(err) == fault.NotFound || err == nil && row.PreparedBy == "" {
		return Prepared{}, nil
	}
	if err != nil {
		return Prepared{}, err
	}
	by, err := l.d.Store.User(ctx, row.PreparedBy)
	if err != nil {
		return Prepared{}, err
	}
	changed, err := l.d.Store.User(ctx, row.ChangedBy)
	return Prepared{By: by.Name, ChangedBy: changed.Name}, err
}
