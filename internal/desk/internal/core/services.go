package core

import (
	"cmp"
	"context"
	"net/url"
	"time"

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
