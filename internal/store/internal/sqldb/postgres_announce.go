package sqldb

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"
)

// announcements is the name of the channel of announcements.
const announcements = "hearthline"

func (postgres) shared() bool { return true }

func (p postgres) name() string { return p.process }

func (postgres) announce(ctx context.Context, db sqlx.ExecerContext, text string) error {
	_, err := db.ExecContext(ctx, `SELECT pg_notify($1, $2)`, announcements, text)
	return err
}

// listen uses its own connection, because announcements arrive on the connection that listens.
func (p postgres) listen(ctx context.Context, began func(), heard func(text string)) (err error) {
	c, err := pgx.ConnectConfig(ctx, p.config.Copy())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(context.WithoutCancel(ctx))) }()
	if _, err := c.Exec(ctx, `LISTEN `+announcements); err != nil {
		return err
	}
	began()
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		heard(n.Payload)
	}
}
