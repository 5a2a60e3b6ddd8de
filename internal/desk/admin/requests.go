package admin

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/approval"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
)

// Requests handles the changes that require two administrators.
type Requests struct{ d core.Desk }

// OpenRequests returns the requests; fault.Denied without the permission.
func OpenRequests(d core.Desk) (*Requests, error) {
	return core.Opened(&Requests{d}, d.May(access.ManagePeople))
}

// RequestList has the requests, and the single sign-on values that only a request can approve.
type RequestList struct {
	Requests       []approval.Listed
	Names          map[string]string // of users, by id
	Values         account.SSOValues // zero without any in the server's settings
	ValuesApproved bool
}

// List reads the newest requests, pending ones first.
func (r *Requests) List(ctx context.Context) (RequestList, error) {
	list := RequestList{Names: map[string]string{}}
	if err := r.d.May(access.ManagePeople); err != nil {
		return list, err
	}
	users, err := r.d.Store.Users(ctx)
	if err != nil {
		return list, err
	}
	for _, u := range users {
		list.Names[u.UserID] = u.Name
	}
	if list.Values = r.d.Accounts.SSOValues(); len(list.Values.Values) > 0 {
		if list.ValuesApproved, err = r.d.Accounts.SSOValuesApproved(ctx); err != nil {
			return list, err
		}
	}
	list.Requests, err = r.d.Approvals().List(ctx)
	return list, err
}

// Approve approves another administrator's request, and makes the change.
func (r *Requests) Approve(ctx context.Context, id string) error {
	return r.decide(ctx, id, approval.Service.Approve)
}

// Decline declines another administrator's request.
func (r *Requests) Decline(ctx context.Context, id string) error {
	return r.decide(ctx, id, approval.Service.Decline)
}

// Withdraw withdraws the user's own request.
func (r *Requests) Withdraw(ctx context.Context, id string) error {
	return r.decide(ctx, id, approval.Service.Withdraw)
}

func (r *Requests) decide(ctx context.Context, id string,
	how func(s approval.Service, ctx context.Context, by access.By, id string) error) error {
	if err := r.d.May(access.ManagePeople); err != nil {
		return err
	}
	return how(r.d.Approvals(), ctx, r.d.ActingUnder(access.ManagePeople), id)
}

// RequestSSOValues requests that the values in the server's settings count as two factors.
func (r *Requests) RequestSSOValues(ctx context.Context, reason string) error {
	if err := r.d.May(access.ManagePeople); err != nil {
		return err
	}
	if approved, err := r.d.Accounts.SSOValuesApproved(ctx); err != nil || approved {
		return cmp.Or(err, error(fault.New(fault.Conflict, "These values are already approved.")))
	}
	return r.d.Approvals().Create(ctx, r.d.ActingUnder(access.ManagePeople),
		approval.Ask{Kind: access.RequestSSOValues, Values: r.d.Accounts.SSOValues(), Reason: reason})
}

// LinkSSO requests that a manager's or an administrator's next single sign-on links their account without their own
// second factor. fault.Conflict for other roles, which need no request.
func (p *People) LinkSSO(ctx context.Context, id, reason string) error {
	if err := p.mayChange(id); err != nil {
		return err
	}
	user, err := p.d.Store.User(ctx, id)
	if err != nil {
		return err
	}
	if !user.Role.Privileged() {
		return fault.New(fault.Conflict, "Only a manager or an administrator needs this.")
	}
	return p.request(ctx, approval.Ask{Kind: access.RequestLinkSSO, Subject: user, Reason: reason})
}

func (p *People) request(ctx context.Context, ask approval.Ask) error {
	return p.d.Approvals().Create(ctx, p.d.ActingUnder(access.ManagePeople), ask)
}

// requestsAbout lists the waiting requests about a user.
func (p *People) requestsAbout(ctx context.Context, id string) ([]approval.Listed, error) {
	all, err := p.d.Approvals().List(ctx)
	return slices.DeleteFunc(all, func(l approval.Listed) bool {
		return l.Ask.Subject.UserID != id || !l.Waits(p.d.Now())
	}), err
}
