package admin

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Audit is the record of who did what, for the users who monitor it. It stores borrowers and users by id only; the
// names of users are added when it is read.
type Audit struct{ d core.Desk }

// OpenAudit returns the audit; fault.Denied without the permission.
func OpenAudit(d core.Desk) (*Audit, error) { return core.Opened(&Audit{d}, d.May(access.SeeAudit)) }

// AuditQuery selects audit rows. An empty field does not filter.
type AuditQuery struct {
	Person string // user id
	Lead   string // complete short id, or app id
	Action string // of store.AuditAction
	From   time.Time
	To     time.Time // exclusive
	Before int64     // the Next of the previous page
}

// AuditRow is one row with the names that its ids refer to. A name is empty when nobody has that id.
type AuditRow struct {
	store.AuditEntry
	Actor   string
	Subject string // the name of a user, or the short id of a lead
}

// AuditPage is a page of rows, newest first. Next is the key of the next page, 0 on the last one.
type AuditPage struct {
	Rows   []AuditRow
	Next   int64
	People []access.User
	Head   store.AuditHead
	Base   store.AuditBase // where the stored audit begins
}

const auditPageSize = 50

// Page reads a page. An unknown lead is fault.Invalid with its field.
func (a *Audit) Page(ctx context.Context, ask AuditQuery) (AuditPage, error) {
	var p AuditPage
	if err := a.d.May(access.SeeAudit); err != nil {
		return p, err
	}
	err := a.d.AuditDaily(ctx, access.SeeAudit, store.ActionAuditRead, "audit:list")
	if err != nil {
		return p, err
	}
	if p.People, err = a.d.Store.Users(ctx); err != nil {
		return p, err
	}
	if p.Head, err = a.d.Store.AuditHead(ctx); err != nil {
		return p, err
	}
	if p.Base, err = a.d.Store.AuditBase(ctx); err != nil {
		return p, err
	}
	object, err := a.leadObject(ctx, ask.Lead)
	if err != nil {
		return p, err
	}
	rows, err := a.d.Store.Audits(ctx, store.AuditQuery{
		ActorID: ask.Person, Object: object, Action: store.AuditAction(ask.Action), From: ask.From, To: ask.To,
		Before: ask.Before, Limit: auditPageSize + 1,
	})
	if err != nil {
		return p, err
	}
	if len(rows) > auditPageSize {
		rows = rows[:auditPageSize]
		p.Next = rows[auditPageSize-1].Seq
	}
	p.Rows, err = a.addNames(ctx, rows, p.People)
	return p, err
}

// leadObject returns the audit's object for a lead id that the user typed.
func (a *Audit) leadObject(ctx context.Context, typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return "", nil
	}
	if app, err := heloc.ParseAppID(typed); err == nil {
		return "lead:" + string(app), nil
	}
	app, err := a.d.Store.AppOfShortID(ctx, strings.ToUpper(typed))
	if fault.Is(err, fault.NotFound) {
		app, err = a.d.Store.AppOfShortID(ctx, typed)
	}
	if fault.Is(err, fault.NotFound) {
		return "", fault.InvalidField("lead", "No lead has this ID. Enter the full ID")
	}
	return "lead:" + string(app), err
}

// addNames adds the names to the ids.
func (a *Audit) addNames(ctx context.Context, rows []store.AuditEntry, people []access.User) ([]AuditRow, error) {
	names := map[string]string{}
	for _, u := range people {
		names[u.UserID] = u.Name
	}
	var apps []heloc.AppID
	for _, r := range rows {
		if id, ok := strings.CutPrefix(r.Object, "lead:"); ok {
			apps = append(apps, heloc.AppID(id))
		}
	}
	short, err := a.d.Store.ShortIDs(ctx, apps)
	if err != nil {
		return nil, err
	}
	all := make([]AuditRow, len(rows))
	for i, r := range rows {
		kind, id, _ := strings.Cut(r.Object, ":")
		all[i] = AuditRow{AuditEntry: r, Actor: names[r.ActorID]}
		switch kind {
		case "lead":
			all[i].Subject = short[heloc.AppID(id)]
		case "user":
			all[i].Subject = names[id]
		}
	}
	return all, nil
}

// Heads returns the end of the chain for each day, to be stored elsewhere. The audit records who took them.
func (a *Audit) Heads(ctx context.Context) ([]store.AuditHead, error) {
	if err := a.d.May(access.SeeAudit); err != nil {
		return nil, err
	}
	err := a.d.WriteBy(ctx, access.SeeAudit, func(tx *store.Tx) error {
		return a.d.AuditAction(ctx, tx, store.ActionAuditHeads, "audit:heads", "allowed", "")
	})
	if err != nil {
		return nil, err
	}
	return a.d.Store.AuditHeads(ctx)
}
