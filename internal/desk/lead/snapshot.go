package lead

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Snapshot is everything that is known about a lead, each part with its age. If DetailsAt is zero, the lender has not
// returned any details yet.
type Snapshot struct {
	Row              lead.Row
	Name             heloc.Name
	Details          heloc.Details
	DetailsAt        time.Time
	Conditions       []heloc.Condition
	Funding          *heloc.FundingReport
	ClosingAt        time.Time // of conditions and funding
	Documents        []lead.KnownDocument
	DocumentsAt      time.Time
	Properties       *heloc.MatchedProperties
	Originator       lead.Originator
	Absence          *lead.Absence    // the originator is absent now; nil if not
	AsDeputy         bool             // the user sees the lead because they cover for its originator
	LastView         lead.LastView    // the user's last view before this one
	Events           []lead.Event     // the newest ones, newest first; ActivityPage returns the rest
	Operations       []lead.Operation // newest first
	Pending          *lead.Operation  // the operation that the lender is working on
	UsualWait        lead.UsualWait   // how long such an operation usually takes
	LenderDownSince  time.Time        // since when the lender has not responded
	Claim            lead.Claim       // what the lender's last response would take from the lead
	ReadFailed       time.Time        // when the lender last responded without the lead; zero after a successful reading
	ReadSaid         string           // what the lender responded instead, in its own words
	ConsentText      core.ConsentText
	Payments         heloc.PaymentModel // what our estimates assume
	LiveDialect      bool               // the lender speaks the live dialect
	LenderAnswers    core.LenderAnswers // what the lender may answer about offers
	Notes            []lead.Note        // the first page, newest first, decrypted
	OlderNotes       string             // key of the next page of notes; empty if there are no more
	FollowUps        []lead.FollowUp    // not completed, earliest first, decrypted
	MoreFollowUps    bool               // there are more follow-ups, due later
	Authors          DraftAuthors       // who typed the inquiry, when it was more than one user
	Repull           *lead.Repull       // the last one that was planned for the current step
	RepullBy         string             // the user in whose name it is requested
	CRMRecords       []CRMRecord        // the CRM records that the lead is linked to
	DroppedDiscounts []string           // discounts that were sent with the selection and that the lender does not show
	SelectedAccounts []string           // accounts to pay off that were sent with the selected offer
	SelectedHere     bool               // the selected offer was sent from here, so that its accounts are known
	NewSelection     *Choice            // the selection that the lender is processing; nil if there is none
	Scenarios        lead.Scenarios     // of this user
	Figures          FigureComparison   // what the borrower was shown for the selected offer, and what the lender booked

	olderEvents string            // the key after the last of Events; empty if these are all
	extras      *store.LeadExtras // which other data exists to read; nil if unknown
}

const maxEvents = 200

// Snapshot reads everything that is known about the lead without waiting for the lender, except for a part that was
// never fetched. Old parts are refreshed in the background.
func (l *Lead) Snapshot(ctx context.Context) (Snapshot, error) {
	if err := l.d.May(access.SeeLead); err != nil {
		return Snapshot{}, err
	}
	parts, err := l.d.LoadParts(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	v := Snapshot{
		Row: l.d.Row, Name: l.Name, LenderDownSince: l.d.LenderDownSince(), ConsentText: l.d.Consent,
		LiveDialect: l.d.LiveDialect(),
	}
	if err := l.decryptParts(parts, &v); err != nil {
		return v, err
	}
	ctx, end, err := l.d.Store.Snapshot(ctx)
	if err != nil {
		return v, err
	}
	defer end()
	return v, l.addRest(ctx, &v)
}

// addRest adds to a view what is stored beside the parts.
func (l *Lead) addRest(ctx context.Context, v *Snapshot) error {
	s := l.d.Store
	extras, err := s.LeadExtras(ctx, l.d.UserScope(), l.d.Row.App)
	if err != nil {
		return err
	}
	v.extras, v.LastView, v.Payments = &extras, extras.LastView, l.d.PaymentModel(extras.UnconfirmedPayments)
	if v.Events, err = s.Events(ctx, l.d.Row.App, maxEvents); err != nil {
		return err
	}
	v.olderEvents = eventsAfter(v.Events, maxEvents)
	v.AsDeputy, v.LenderAnswers = l.AsDeputy(), l.d.LenderAnswers(extras.NoQuotes, extras.NoCosts)
	if extras.Absences {
		if err := l.addAbsences(ctx, v); err != nil {
			return err
		}
	}
	if err := l.nameReassignments(ctx, v); err != nil {
		return err
	}
	if v.Operations, err = s.Operations(ctx, l.d.Row.App, 50); err != nil {
		return err
	}
	l.decryptMessages(v)
	if extras.Notes || extras.FollowUps {
		if err := l.decryptNotes(ctx, v); err != nil {
			return err
		}
	}
	if err := l.addRepull(ctx, v); err != nil {
		return err
	}
	if extras.Choices {
		if err := l.addSelection(ctx, v); err != nil {
			return err
		}
		if v.Figures, err = l.compareFigures(ctx, v.Details.App.Underwriting.SelectedOffer); err != nil {
			return err
		}
	}
	if extras.CRMReferences {
		if v.CRMRecords, err = l.crmRecords(ctx, v.Details); err != nil {
			return err
		}
	}
	if extras.Prepared {
		if v.Authors, err = l.draftAuthors(ctx); err != nil {
			return err
		}
	}
	v.Originator = extras.Originator
	return l.addPending(ctx, v)
}

// addRepull adds the re-pull that is planned for a lead whose credit is frozen.
func (l *Lead) addRepull(ctx context.Context, v *Snapshot) error {
	if l.d.Row.Step != heloc.StepUnfreezeCredit {
		return nil
	}
	plans, err := l.d.Store.Repulls(ctx, l.d.Row.App, 1)
	if err != nil || len(plans) != 1 {
		return err
	}
	v.Repull = &plans[0]
	if who, err := l.d.Store.User(ctx, plans[0].UserID); err == nil { // a deleted account has no name
		v.RepullBy = who.Name
	}
	return nil
}

// unansweredOperation is the operation that the lender is working on; nil if it has answered all of them.
func (s *Snapshot) unansweredOperation() *lead.Operation {
	for i, op := range s.Operations {
		if op.ID == s.Row.PendingOp && op.StepChangedAt == 0 {
			return &s.Operations[i]
		}
	}
	return nil
}

// addPending adds the operation that the lender is working on, and how long it usually takes.
func (l *Lead) addPending(ctx context.Context, v *Snapshot) (err error) {
	kind := heloc.OpStart
	if answer := l.d.Row.StatusKey.NextOperation(); answer != "" {
		kind = answer
	}
	if v.Pending = v.unansweredOperation(); v.Pending != nil {
		kind = v.Pending.Kind
	}
	usual, err := l.d.UsualWaits.Read(ctx, l.d.Services)
	if err != nil {
		return err
	}
	var cached bool
	if v.UsualWait, cached = usual[kind]; !cached {
		v.UsualWait, err = journal.LoadUsualWait(ctx, l.d.Store.Queries, kind)
	}
	return err
}

// MayHaveQuotes reports whether the lead can have quotes; false means that there is nothing to read.
func (s *Snapshot) MayHaveQuotes() bool { return s.extras == nil || s.extras.Quotes }

// MayHavePayoffPlan is the same for what is known about the debts besides the lender's list.
func (s *Snapshot) MayHavePayoffPlan() bool {
	return s.extras == nil || s.extras.PayoffPlan || s.extras.Choices
}

// MayHaveSharedQuotes is the same for links to quotes.
func (s *Snapshot) MayHaveSharedQuotes() bool { return s.extras == nil || s.extras.SharedQuotes }

// MayBeReassigned is the same for reassignments.
func (s *Snapshot) MayBeReassigned() bool { return s.extras == nil || s.extras.Reassigned }

// Unread returns how many unread notifications the user has, up to lead.UnreadLimit; nil if they were not counted.
func (s *Snapshot) Unread() *int {
	if s.extras == nil {
		return nil
	}
	return &s.extras.AllUnread
}

// Seen reports whether the user has already seen all of the lead, or of its documents, so that another view need not
// be recorded.
func (s *Snapshot) Seen(documents bool) bool {
	last := s.LastView.ViewedAt
	if documents {
		last = min(last, s.LastView.DocumentsAt)
	}
	return s.extras != nil && !s.extras.Unread && last > s.Row.ChangedAt && (len(s.Events) == 0 || last >= s.Events[0].At)
}

// decryptMessages decrypts the lender's messages to each operation and copies them to the event of a rejection. They
// are stored only once, encrypted, with the operation.
func (l *Lead) decryptMessages(v *Snapshot) {
	messages := map[string]string{}
	for i, op := range v.Operations {
		v.Operations[i] = l.d.Journal.WithMessages(op)
		messages[op.ID] = v.Operations[i].Messages
	}
	for i, e := range v.Events {
		if e.Kind == lead.EventRejected {
			v.Events[i].Detail = messages[e.OpID]
		}
	}
}

func (l *Lead) decryptParts(parts map[lead.Part]store.SealedPart, v *Snapshot) error {
	v.Row = l.d.Row
	var last journal.LastReading
	var found heloc.MatchedProperties
	var foundAt, unused time.Time
	err := errors.Join(
		decryptPart(l.d, parts, lead.PartDetails, &v.Details, &v.DetailsAt),
		decryptPart(l.d, parts, lead.PartConditions, &v.Conditions, &v.ClosingAt),
		decryptPart(l.d, parts, lead.PartFunding, &v.Funding, &unused),
		decryptPart(l.d, parts, lead.PartDocuments, &v.Documents, &v.DocumentsAt),
		decryptPart(l.d, parts, lead.PartReading, &last, &unused),
		decryptPart(l.d, parts, lead.PartProperties, &found, &foundAt),
		decryptPart(l.d, parts, lead.ScenariosPart(l.d.Actor.UserID), &v.Scenarios, &unused),
	)
	v.Claim = last.Claim
	if last.FailedAt != 0 {
		v.ReadFailed, v.ReadSaid = store.Instant(last.FailedAt), last.Said
	}
	if !foundAt.IsZero() {
		v.Properties = &found
	}
	return err
}

func decryptPart[T any](l core.Lead, parts map[lead.Part]store.SealedPart, name lead.Part, value *T,
	at *time.Time) (err error) {
	*value, *at, err = core.DecryptPart[T](l, parts, name)
	return err
}

// DraftAuthors names who prepared and who changed an inquiry before it was sent. It is empty when one user did both.
type DraftAuthors struct{ PreparedBy, ChangedBy string }

// draftAuthors reads the authors from the draft that the lead came from, while that draft is stored.
func (l *Lead) draftAuthors(ctx context.Context) (DraftAuthors, error) {
	row, err := l.d.Store.DraftOfLead(ctx, l.d.Row.App)
	if err != nil || row.PreparedBy == "" {
		return DraftAuthors{}, fault.Ignore(err, fault.NotFound)
	}
	by, err := l.d.Store.User(ctx, row.PreparedBy)
	if err != nil {
		return DraftAuthors{}, err
	}
	changed, err := l.d.Store.User(ctx, row.ChangedBy)
	return DraftAuthors{PreparedBy: by.Name, ChangedBy: changed.Name}, err
}
