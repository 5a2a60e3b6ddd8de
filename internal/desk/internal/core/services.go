// Package core has what every handle of a desk works with. Only packages below internal/desk can import it, so no
// other package can name its types. Handles keep them in unexported fields, and their constructors take them by
// value, so only the desk can make a handle.
//
//	services.go       the services of the portal, usual waits, the payment model, the check of what is stored
//	desk.go           the user of a desk, what they may do, and notifications
//	lead.go           one lead that was opened, and what is stored of it
//	write.go          what is sent to the lender, and what the lender answers
//	lead_list.go      lists of leads and the search in them
//	directory.go      colleagues: who they are, who is available, who may act where
//	draft.go, departure_run.go, audit_daily.go, hourly_limits.go  what several areas write
package core

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/singleflight"

	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
	"hearthline/internal/notify"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Services are what every handle works with. They are passed by value, so that they are never nil.
type Services struct{ *shared }

type shared struct {
	Deps
	UsualWaits waitCache
	Storage    storageChecks
	audited    auditedToday
}

// New builds the services.
func New(d Deps) Services {
	d.FirstFetchTimeout = cmp.Or(d.FirstFetchTimeout, DefaultFirstFetchTimeout)
	return Services{&shared{Deps: d}}
}

// NewID makes an id that sorts by the time at which it was made.
func (s Services) NewID() string {
	return ulid.MustNew(ulid.Timestamp(s.Now()), ulid.DefaultEntropy()).String()
}

// SealText encrypts a text; an empty one stays empty.
func (s Services) SealText(aad vault.AAD, text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	return s.Vault.Seal(aad, []byte(text))
}

// UnsealText decrypts what SealText returned.
func (s Services) UnsealText(aad vault.AAD, sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	text, err := s.Vault.Unseal(aad, sealed)
	return string(text), err
}

// Deps is what desks are built on. Everything but EstimateAccess and BorrowerLink is required.
type Deps struct {
	Store        *store.Store
	Vault        *vault.Vault
	Lender       *partner.Client
	Journal      *journal.Journal
	Hub          *pubsub.Hub
	Refresher    LeadRefresher
	LenderHealth LenderHealth
	Now          store.Clock
	Accounts     *account.Service
	Notify       *notify.Service
	Embeds       *embed.Service // CRMs that embed the portal
	Consent      ConsentText
	Payments     heloc.PaymentModel // what our estimates assume
	// EstimateAccess is how quick estimates are requested; the zero value offers none.
	EstimateAccess EstimateAccess
	// BorrowerLink is where borrowers continue alone; the zero value offers no such link.
	BorrowerLink BorrowerLink
	// Webhooks reports whether the portal accepts notifications from the lender.
	Webhooks bool
	// CompanyLimits limit what the users of one company do together; the zero value limits nothing.
	CompanyLimits CompanyLimits
	// FirstFetchTimeout is the longest wait for a part that was never fetched; DefaultFirstFetchTimeout when zero.
	FirstFetchTimeout time.Duration
}

// DefaultFirstFetchTimeout is as long as a user may wait for a page.
const DefaultFirstFetchTimeout = 2 * time.Second

// LeadRefresher reads leads and the directory from the lender again.
type LeadRefresher interface {
	RequestRefresh(app heloc.AppID, company string, parts ...lead.Part)
	Refresh(ctx context.Context, app heloc.AppID, parts ...lead.Part) error
	Adopt(ctx context.Context, app heloc.AppID, by store.Adopter) error
	AdoptStart(ctx context.Context, operationID string, app heloc.AppID, by store.Adopter) error
	SyncDirectory(ctx context.Context) error
}

// LenderHealth reports since when the lender has not responded, the zero time while it responds, and how it last
// refused the portal's key.
type LenderHealth interface {
	DownSince() time.Time
	KeyRefusal() partner.KeyRefusal
}

// ConsentText is the text that is read to the borrower before a credit pull.
type ConsentText struct {
	Version string // the form sends it and the journal stores it
	Text    string
}

// EstimateAccess configures how estimates are requested. Without an affiliate there are none: the affiliate id is the
// only key that the lender accepts for them (section 5).
type EstimateAccess struct {
	Affiliate   string
	Unencrypted bool // use the deprecated first version, which is not encrypted
}

// Enabled reports whether estimates are available.
func (a EstimateAccess) Enabled() bool { return a.Affiliate != "" }

// BorrowerLink is the lender's site where a borrower applies alone. Without a URL the feature is off.
type BorrowerLink struct {
	ApplyURL *url.URL
	Sealer   jwe.Sealer
}

// Enabled reports whether a draft can be sent to its borrower as a link.
func (b BorrowerLink) Enabled() bool { return b.ApplyURL != nil && b.Sealer != nil }

// waitsTTL is how long usual waits are cached for all lists: a median of a hundred operations does not change within
// a minute.
const waitsTTL = time.Minute

// waitCache caches how long the lender usually takes, so that list pages need no query for it. The zero value is
// ready to use; a map that it has returned never changes.
type waitCache struct {
	mu    sync.Mutex
	at    time.Time
	known map[heloc.Operation]lead.UsualWait
}

func (w *waitCache) Read(ctx context.Context, s Services) (map[heloc.Operation]lead.UsualWait, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if age := s.Now().Sub(w.at); w.known != nil && age >= 0 && age < waitsTTL {
		return w.known, nil
	}
	fresh := map[heloc.Operation]lead.UsualWait{}
	for _, kind := range append([]heloc.Operation{heloc.OpStart}, heloc.StepOperations()...) {
		wait, err := journal.LoadUsualWait(ctx, s.Store.Queries, kind)
		if err != nil {
			return nil, err
		}
		fresh[kind] = wait
	}
	w.known, w.at = fresh, s.Now()
	return fresh, nil
}

// PaymentModel returns what our estimates assume, without the rate types for which an administrator has to confirm it
// first: the value of the setting store.PaymentsUnconfirmed.
func (s Services) PaymentModel(unconfirmed string) heloc.PaymentModel {
	m := s.Payments
	m.Unconfirmed = append(slices.Clone(m.Unconfirmed), store.ParseRateTypes(unconfirmed)...)
	return m
}

// FigureCounts sums up counts of selections by rate type.
func (s Services) FigureCounts(ctx context.Context, counts []lead.FigureCount) ([]lead.FigureCounts, error) {
	setting, err := s.Store.Setting(ctx, store.PaymentsUnconfirmed)
	return lead.SumFigureCounts(counts, s.PaymentModel(setting).Unconfirmed), err
}

const (
	// storageCheckAge is how old the result may be that a page shows: a check reads the complete audit and every lead,
	// seconds at a million leads.
	storageCheckAge = 5 * time.Minute
	// storageCheckWait is how long a page waits for a check. Usually the check has finished by then.
	storageCheckWait = 2 * time.Second
)

// StorageCheck is the result of a check of everything that is stored.
type StorageCheck struct {
	At            time.Time     // when it was finished; zero if none has been since the start
	AuditRows     int           // rows of the audit that were verified
	AuditIntact   bool          // whether their chain is intact
	AuditBrokenAt int64         // if not, where it is broken
	Undecryptable []heloc.AppID // leads whose borrower's name cannot be decrypted
}

// storageChecks runs one check at a time, in the background, for all who ask. The zero value is ready to use.
type storageChecks struct {
	mu   sync.Mutex
	last StorageCheck
	runs singleflight.Group
}

// Latest returns a result that is at most storageCheckAge old if a check finishes in time; otherwise the previous
// result.
func (c *storageChecks) Latest(ctx context.Context, now store.Clock,
	check func(context.Context) (StorageCheck, error)) (StorageCheck, error) {
	if last := c.result(); !last.At.IsZero() && now().Sub(last.At) >= 0 && now().Sub(last.At) < storageCheckAge {
		return last, nil
	}
	run := c.runs.DoChan("", func() (any, error) {
		got, err := check(context.WithoutCancel(ctx))
		if err == nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.last, c.last.At = got, now()
		}
		return nil, err
	})
	select {
	case ended := <-run:
		return c.result(), ended.Err
	case <-time.After(storageCheckWait):
		return c.result(), nil
	case <-ctx.Done():
		return StorageCheck{}, ctx.Err()
	}
}

func (c *storageChecks) result() StorageCheck {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// CheckStorage verifies the complete audit and decrypts every borrower's name.
func (s Services) CheckStorage(ctx context.Context) (c StorageCheck, err error) {
	if c.Undecryptable, err = s.undecryptable(ctx); err != nil {
		return c, err
	}
	c.AuditBrokenAt, c.AuditRows, c.AuditIntact, err = s.Store.BrokenAudit(ctx)
	return c, err
}

// undecryptable finds the leads whose borrower's name was changed or moved, or whose key is missing.
func (s Services) undecryptable(ctx context.Context) (apps []heloc.AppID, err error) {
	const atOnce = 500
	names := store.SealedColumn{Table: "leads", Key: "app", Column: "borrower"}
	for after := (store.Sealed{}); ; {
		page, err := s.Store.SealedPage(ctx, names, after, atOnce)
		if err != nil {
			return nil, err
		}
		for _, name := range page {
			app := heloc.AppID(name.Row)
			if _, err := s.Vault.UnsealName(app, name.Value); err != nil {
				apps = append(apps, app)
			}
		}
		if len(page) < atOnce {
			return apps, nil
		}
		after = page[len(page)-1]
	}
}
