package embed

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// announceFailedEvents notifies all administrators that an event of a client was given up, once a day for each client.
func (s *Service) announceFailedEvents(ctx context.Context, tx *store.Tx, client string) error {
	row, err := tx.EmbedClient(ctx, client)
	if err != nil {
		return err
	}
	administrators, err := tx.Administrators(ctx)
	for _, to := range administrators {
		if err == nil {
			_, err = tx.Notify(ctx, lead.Notice{UserID: to.UserID, Company: store.UserScopeOf(to.Actor).Company,
				Kind: lead.NoticeCRMEventsFailed, About: row.Key + " " + row.Name, At: store.Millis(s.Now()),
				DedupKey: string(lead.NoticeCRMEventsFailed) + " " + row.Key + " " + s.Now().UTC().Format(time.DateOnly)})
		}
	}
	return err
}

// announceReset notifies and emails the linked users of a client whose links are about to end, and all administrators.
func (s *Service) announceReset(ctx context.Context, tx *store.Tx, by access.By, row store.EmbedClient) error {
	name := cmp.Or(by.Name, access.OperatorName)
	linked, err := tx.UsersLinkedTo(ctx, row.Key)
	if err != nil {
		return err
	}
	administrators, err := tx.Administrators(ctx)
	if err != nil {
		return err
	}
	notice := func(to access.User, kind lead.NoticeKind) error {
		at := store.Millis(s.Now())
		_, err := tx.Notify(ctx, lead.Notice{UserID: to.UserID, Company: store.UserScopeOf(to.Actor).Company, Kind: kind,
			About: row.Name, ByName: name, At: at,
			DedupKey: string(kind) + " " + row.Key + " " + strconv.FormatInt(at, 10)})
		return err
	}
	for _, id := range linked {
		to, err := tx.User(ctx, id)
		if err == nil {
			err = cmp.Or(notice(to, lead.NoticeCRMDisconnected), s.notify(ctx, tx, to, name+" changed how "+row.Name+
				" identifies its users, and your account was disconnected from it"))
		}
		if err != nil {
			return err
		}
	}
	for _, to := range administrators {
		err := notice(to, lead.NoticeCRMChanged)
		if err == nil && s.NotifyAdmin != nil {
			err = s.NotifyAdmin(ctx, tx, to, name+" changed how "+row.Name+" identifies its users. "+
				"They were signed out, and their accounts were disconnected from it. "+
				"Its sign-in counts as a second factor only after it is approved again")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
