package approval

import (
	"cmp"
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

var roleNames = map[access.Role]string{access.Originator: "an originator", access.Assistant: "an assistant",
	access.Manager: "a manager", access.Admin: "an administrator"}

// What says what is requested, without a period, such as "Make Olivia Bennett (olivia@summit.test), now an originator
// at Summit Home Lending, a manager". Names are free texts and not unique, so it identifies an account by its email.
func (a Ask) What() string {
	who := mail.OneLine(a.Subject.Name) + " (" + a.Subject.Email + ")"
	account := who + ", " + roleNames[a.Subject.Role] + atCompany(a.Subject, a.Subject.Role)
	switch a.Kind {
	case access.RequestInvite:
		return "Invite " + who + " as " + roleNames[a.Subject.Role] + atCompany(a.Subject, a.Subject.Role)
	case access.RequestRole:
		return "Make " + who + ", now " + roleNames[a.Subject.Role] + atCompany(a.Subject, a.Subject.Role) + ", " +
			roleNames[a.Role]
	case access.RequestReset:
		if a.Lock {
			return "Reset and block all current sign-in methods of " + account
		}
		return "Reset the sign-in of " + account
	case access.RequestReopen:
		return "Reopen the account of " + account
	case access.RequestLinkSSO:
		return "Let the next single sign-on link the account of " + account
	case access.RequestCRMSignIn:
		return "Count the sign-in of " + mail.OneLine(a.SignIn.Name) + " (" + a.SignIn.Client + ") as a second factor, as " +
			mail.OneLine(a.SignIn.Approver) + " approved in writing"
	default:
		return "Count " + strings.Join(a.Values.Values, ", ") + " from " + a.Values.Issuer + " as two factors"
	}
}

func atCompany(u access.User, role access.Role) string {
	if company := cmp.Or(u.BrokerName, u.Organization); company != "" && role != access.Admin {
		return " at " + mail.OneLine(company)
	}
	return ""
}

// announce notifies and emails every administrator, the user whom a request is about, and a manager whose request was
// declined. The managers of a company hear of an approved colleague by tellCompany.
func (s Service) announce(ctx context.Context, tx *store.Tx, r Request, by access.By) error {
	people, err := tx.Administrators(ctx)
	if err != nil {
		return err
	}
	if r.State == access.RequestDeclined {
		requester, err := tx.User(ctx, r.RequestedBy)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err == nil && requester.Role == access.Manager && !requester.Disabled {
			m := s.mailOf(r, by.Actor)
			m.Page = ""
			if err := s.tell(ctx, tx, requester, s.notice(lead.NoticeRequest, r, by.Actor), m); err != nil {
				return err
			}
		}
	}
	own := r.Ask.Subject.UserID
	isAdmin := false
	for _, to := range people {
		isAdmin = isAdmin || to.UserID == own
		if err := s.tell(ctx, tx, to, s.notice(lead.NoticeRequest, r, by.Actor), s.mailOf(r, by.Actor)); err != nil {
			return err
		}
	}
	if own == "" || isAdmin {
		return nil
	}
	to, err := tx.User(ctx, own)
	if err != nil {
		return err
	}
	m := s.mailOf(r, by.Actor)
	m.Page = ""
	return s.tell(ctx, tx, to, s.notice(lead.NoticeOwnRequest, r, by.Actor), m)
}

// tellCompany tells the managers of a company who is about to gain access to its leads. A company without a manager
// relies on the administrators, who were told of the decision.
func (s Service) tellCompany(ctx context.Context, tx *store.Tx, r Request, role access.Role, by access.Actor) error {
	if role == access.Admin {
		return nil
	}
	managers, err := tx.ResponsibleManagers(ctx, r.Ask.Subject.Company())
	if err != nil {
		return err
	}
	n := s.notice(lead.NoticeNewColleague, r, by)
	n.About = string(role)
	for _, to := range managers {
		if to.Role != access.Manager || to.UserID == r.Ask.Subject.UserID {
			continue
		}
		m := s.mailOf(r, by)
		m.Page = ""
		if err := s.tell(ctx, tx, to, n, m); err != nil {
			return err
		}
	}
	return nil
}

func (s Service) tell(ctx context.Context, tx *store.Tx, to access.User, n lead.Notice, m mail.Request) error {
	n.UserID, n.Company = to.UserID, store.UserScopeOf(to.Actor).Company
	if _, err := tx.Notify(ctx, n); err != nil {
		return err
	}
	m.To, m.Name, m.Until = to.Email, to.Name, m.Until.In(to.Zone())
	return s.Accounts.EnqueueMail(ctx, tx, mail.RequestNews(m))
}

func (s Service) notice(kind lead.NoticeKind, r Request, by access.Actor) lead.Notice {
	return lead.Notice{Kind: kind, About: string(r.Ask.Kind) + " " + string(r.State),
		ByName: cmp.Or(by.Name, access.OperatorName), At: store.Millis(s.Now()),
		DedupKey: string(kind) + " " + r.ID + " " + string(r.State)}
}

func (s Service) mailOf(r Request, by access.Actor) mail.Request {
	return mail.Request{What: r.Ask.What(), By: cmp.Or(by.Name, access.OperatorName), State: string(r.State),
		Until: store.Instant(r.ExpiresAt), Page: s.Accounts.PageURL("/admin/requests")}
}

func names(users []access.User) string {
	var all []string
	for _, u := range users {
		all = append(all, u.Name)
	}
	return strings.Join(all, ", ")
}
