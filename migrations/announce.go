package migrations

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

const (
	// Announcements is the name of the channel of announcements in PostgreSQL.
	Announcements = "hearthline"
	// ProcessSetting is the name of the setting in which a connection that writes says of which process it is.
	ProcessSetting = "hearthline.process"
)

func createAnnouncements(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return create(ctx, tx, d.announceLeads()...)
}

// announceLeads: only one process uses the database.
func (sqlite) announceLeads() []string { return nil }

// announceLeads announces a lead in the transaction that changes what lists or pages show of it, in the format of
// pubsub.Relay and to the topics of its originator and company, before and after. Nothing is lost when the process that changed it
// ends right after the commit, and nothing is announced that is rolled back. A borrower's name that is only encrypted again is not
// announced: another name has another revision.
func (postgres) announceLeads() []string {
	shown := slices.DeleteFunc(slices.Clone(shownInLists), func(column string) bool { return column == "borrower" })
	of := func(row string) string { return `(` + row + `.` + strings.Join(shown, ", "+row+".") + `)` }
	return []string{
		`CREATE FUNCTION announce_lead() RETURNS trigger LANGUAGE plpgsql AS $body$
		DECLARE topics TEXT[] := ARRAY['originator:' || NEW.originator_uuid, 'company:' || NEW.company];
		BEGIN
			IF TG_OP = 'UPDATE' THEN
				IF OLD.originator_uuid <> NEW.originator_uuid THEN topics := topics || ('originator:' || OLD.originator_uuid); END IF;
				IF OLD.company <> NEW.company THEN topics := topics || ('company:' || OLD.company); END IF;
			END IF;
			PERFORM pg_notify('` + Announcements + `', json_build_object('from', current_setting('` + ProcessSetting + `', true), 'all',
				json_build_array(json_build_object('a', NEW.app_uuid, 'r', NEW.revision, 't', topics)))::text);
			RETURN NEW;
		END $body$`,
		`CREATE TRIGGER announce_new_lead AFTER INSERT ON leads FOR EACH ROW EXECUTE FUNCTION announce_lead()`,
		`CREATE TRIGGER announce_lead AFTER UPDATE ON leads FOR EACH ROW WHEN (` + of("OLD") + ` IS DISTINCT FROM ` + of("NEW") + `) EXECUTE FUNCTION announce_lead()`,
	}
}
