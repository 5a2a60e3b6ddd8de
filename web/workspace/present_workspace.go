package workspace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
)

// presentWorkspace maps everything around the content of the tab. The caller sets Page and the content.
func presentWorkspace(v text.Viewer, d *Data) *view.View {
	l := d.View.Row
	w := &view.View{
		URLs: d.URLs(v), Revision: strconv.FormatInt(l.Revision, 10),
		Tab: d.Tab, Head: presentHead(v, d), Notices: pageNotices(v, d),
		UpdatesSince: presentChanges(v, d.View, d.lastVisit), Progress: newProgress(leadProgress(v, d.View)),
		Counts: presentTabCounts(d.View), Loading: d.View.DetailsAt.IsZero(),
		Summary: presentSummary(d), Borrower: presentBorrowerPanel(v, d), Cancel: presentCancel(d),
		CRMRecords: presentCRMRecords(d),
	}
	w.LastVisit, w.ShownUntil = "0", "0"
	if len(d.View.Events) > 0 {
		w.ShownUntil = strconv.FormatInt(d.View.Events[0].At, 10)
	}
	if w.UpdatesSince.When != "" {
		w.LastVisit = strconv.FormatInt(d.lastVisit, 10)
	}
	if d.Tab != to.Activity {
		w.Recent = PresentActivity(v, d.View, recentEvents)
	}
	return w
}

// recentEvents is how many events the rail lists.
const recentEvents = 5

func presentHead(v text.Viewer, d *Data) view.Head {
	f, l := d.View, d.View.Row
	h := view.Head{
		Name: text.BorrowerName(l.Borrower, f.Name), ShortID: text.ShortID(&l),
		Chip: ui.StatusChip(text.LeadStatus(&l)), CityState: text.CityState(l.City, l.State),
		Started: v.StartedText(&l), Age: "not loaded yet",
	}
	if f.Originator.UUID != "" {
		h.Owner = text.JoinNonEmpty(", ", f.Originator.Name(), ownerNote(f))
	}
	h.AmountLabel, h.Amount = text.LeadAmount(&l)
	if !f.DetailsAt.IsZero() {
		h.Age = v.AgeText(f.DetailsAt)
	}
	h.CanRefresh = d.Can(access.AnnotateLead)
	if h.CanReassign = d.Can(access.ReassignLead); h.CanReassign {
		h.ReassignURL = v.Base.LeadAction(string(l.App), string(heloc.OpReassign))
	}
	return h
}

// ownerNote says that the originator is absent, and who covers; "" if they are not.
func ownerNote(f desklead.Snapshot) string {
	a := f.Absence
	switch {
	case a == nil:
		return ""
	case f.AsDeputy:
		return "covered by you through " + text.Date(a.LastDay)
	case a.Covered:
		return "absent through " + text.Date(a.LastDay) + ", covered by " + a.DeputyName
	default:
		return "absent through " + text.Date(a.LastDay) + ", not covered"
	}
}

// staleAfter is how old the data may be before the page shows a notice.
const staleAfter = 10 * time.Minute

// pageNotices are the notices above the content of the tab. On the overview, what the user should do is in the card of
// the next step, so that only one place asks for something.
func pageNotices(v text.Viewer, d *Data) []ui.Notice {
	if !hasStepCard(d) {
		return presentNotices(v, d)
	}
	return slices.DeleteFunc(presentNotices(v, d), asks)
}

// StepNotices are the notices in the card of the next step.
func StepNotices(v text.Viewer, d *Data) []ui.Notice {
	if !hasStepCard(d) {
		return nil
	}
	return slices.DeleteFunc(presentNotices(v, d), func(n ui.Notice) bool { return !asks(n) })
}

func hasStepCard(d *Data) bool { return d.Tab == to.Overview && !d.View.DetailsAt.IsZero() }

func asks(n ui.Notice) bool { return n.Kind == "yours" }

func presentNotices(v text.Viewer, f *Data) []ui.Notice {
	all := append(presentDroppedDiscounts(f.View), presentFigures(f.Tab, f.View.Figures)...)
	if a := f.View.Absence; a != nil && f.View.AsDeputy {
		all = append(all, ui.Notice{
			Icon: "users", Title: "You’re covering for " + a.Name + " through " + text.Date(a.LastDay) + ".",
			Text: "The lead stays assigned to " + a.Name + ". What you send to the lender names you as the acting originator, " +
				"and the lead’s activity shows it.",
		})
	}
	if !f.View.LenderDownSince.IsZero() {
		if at := f.View.DetailsAt; !at.IsZero() && v.Now.Sub(at) > staleAfter {
			all = append(all, ui.StaleNotice(text.LongDuration(v.Now.Sub(at)), v.DateTimeInText(at)))
		}
	}
	if f.View.LenderDownSince.IsZero() && !f.View.ReadFailed.IsZero() {
		asOf := ""
		if at := f.View.DetailsAt; !at.IsZero() {
			asOf = v.DateTimeInText(at)
		}
		all = append(all, view.Unread(asOf, f.View.ReadSaid))
	}
	if f.View.Claim.Made() {
		all = append(all, view.Claimed(text.ClaimOf(f.View.Claim)))
	}
	for _, op := range f.View.Operations {
		if op.State == lead.OpUnknown {
			all = append(all, pageview.UnsettledNotice(v.Base, op.ID, string(op.Kind), text.SinceOf(op)))
		}
	}
	seen := map[heloc.Operation]bool{}
	for _, op := range f.View.Operations { // newest first
		if !seen[op.Kind] && op.AcceptedUnseen(f.View.Row, f.View.Events, v.Now) {
			all = append(all, view.Unseen(v.Base, op.ID, string(op.Kind)))
		}
		seen[op.Kind] = seen[op.Kind] || op.State != lead.OpRejected && op.State != lead.OpNotSent
	}
	if op, ok := MayRepeat(f.View); ok && op.State != lead.OpSucceeded { // the next step says what was accepted
		all = append(all, pageview.RepeatNotice(v.Base, op.ID, string(op.Kind), string(op.State)))
	}
	return all
}

// MayRepeat finds the operation that the form of the current step would repeat although it may have
// arrived: the last of its kind, sent at this step, with no sign of it at the lender.
func MayRepeat(l desklead.Snapshot) (lead.Operation, bool) {
	return repeatOf(l, l.Row.StatusKey.NextOperation())
}

// repeatOf finds the operation that a new one of the same kind would repeat.
func repeatOf(l desklead.Snapshot, kind heloc.Operation) (lead.Operation, bool) {
	for _, op := range l.Operations { // newest first
		same := op.Kind == kind || kind == heloc.OpAssetDepletion && op.Kind == heloc.OpAddIncome
		if same && op.State != lead.OpNotSent && op.State != lead.OpRejected {
			return op, op.MayRepeat(kind, l.Row)
		}
	}
	return lead.Operation{}, false
}

// presentChanges lists what has happened since the user's last visit, in milliseconds; it is empty on the first one.
func presentChanges(v text.Viewer, l desklead.Snapshot, lastVisit int64) view.UpdatesSinceView {
	if lastVisit == 0 {
		return view.UpdatesSinceView{}
	}
	var items []ui.NavLink
	for _, e := range l.Events {
		if e.At <= lastVisit || e.ActorID == v.Who.UserID || len(items) == 4 {
			continue
		}
		title, _ := eventTitle(e, text.OperationOf(string(e.Operation)))
		label := text.LowerFirst(title)
		switch e.Kind {
		case lead.EventStep:
			label = "moved to " + title
		case lead.EventSettled:
			label = text.LowerFirst(settledTitle(e, verdictLabels(l.Operations)[e.OpID]))
		}
		items = append(items, ui.NavLink{Label: label, Href: v.Base.LeadTab(string(l.Row.App), to.Activity)})
	}
	if len(items) == 0 {
		return view.UpdatesSinceView{}
	}
	return view.UpdatesSinceView{When: "Since your last visit (" + v.DateTimeInText(text.TimeOfMillis(lastVisit)) + "):",
		Items: items}
}

func presentTabCounts(l desklead.Snapshot) view.TabCounts {
	var c view.TabCounts
	some := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	c.Offers, c.Documents = some(len(l.Details.App.Underwriting.Offers)), some(len(l.Documents))
	c.Conditions = some(len(heloc.OpenConditions(l.Conditions)))
	for _, doc := range l.Documents {
		if IsNewDocument(l, doc) {
			c.NewDocs++
		}
	}
	return c
}

// presentSummary maps what the home is worth, what is owed on it, and the line. It shows only what is known; the tabs
// have a row for each field.
func presentSummary(d *Data) view.SummaryView {
	l, a := d.View, d.View.Details.App
	value := a.Value.AVM
	source := "AVM value"
	if value == nil {
		value, source = a.Value.BorrowerEstimated, "Stated value"
	}
	var liens heloc.Money
	lienWord, balancesKnown := "Liens", LiensKnown(a)
	for _, lien := range a.Liens {
		if lien.CurrentBalance != nil {
			liens += *lien.CurrentBalance
		} else {
			lienWord, balancesKnown = "Liens with known balances", false
		}
	}
	line, lineWord := l.Row.MaxAmount, "Line up to"
	switch s := a.Underwriting.SelectedOffer; {
	case l.NewSelection != nil: // which line is selected is not known at the moment
		line, lineWord = 0, "Line"
	case s != nil && s.LoanAmount != nil:
		line, lineWord = *s.LoanAmount, "Selected line"
	case !text.CanSelect(l.Row.StatusKey):
		line, lineWord = 0, "Line"
	}
	s := view.SummaryView{Facts: []ui.Fact{
		{Label: source, Value: text.OrDash(text.Dollars(value))},
		{Label: lienWord, Value: text.OrDash(text.MoneyOrEmpty(liens)), Key: "p1"},
		{Label: lineWord, Value: text.OrDash(text.MoneyOrEmpty(line)), Key: "p2"},
	}}
	for i, m := range []heloc.Money{liens, line} {
		if m == 0 { // the bar omits an amount of zero
			s.Facts[i+1].Key = ""
		}
	}
	if value != nil && balancesKnown && *value >= liens+line && *value > 0 {
		rest := *value - liens - line
		equity := "Remaining equity"
		switch payoffs, known := selectedPayoffs(l); {
		case line == 0: // none, or not known at the moment
			equity = "Equity"
		case a.Underwriting.SelectedOffer == nil:
			equity = "Remaining equity, before fees"
		case payoffs > 0 || !known: // some of the liens may be paid off
			equity = "Remaining equity, before payoffs"
		}
		s.Facts = append(s.Facts, ui.Fact{Label: equity, Value: text.Money(rest), Key: "p3"})
		s.Bar = ui.NewMoneyBar("Of a value of "+text.Money(*value)+": liens "+text.Money(liens)+", line "+text.Money(line)+
			", "+strings.ToLower(equity)+" "+text.Money(rest),
			ui.BarAmount{Class: "p1", Cents: int64(liens)}, ui.BarAmount{Class: "p2", Cents: int64(line)},
			ui.BarAmount{Class: "p3", Cents: int64(rest)})
	} else { // no bar, no colors
		for i := range s.Facts {
			s.Facts[i].Key = ""
		}
	}
	if d.Tab != to.Overview && d.Tab != to.Offers { // these show the selected offer
		s.Facts = append(s.Facts, CashFacts(l)...)
	}
	requested := text.MoneyOrEmpty(l.Row.RequestedAmount)
	if label, _ := text.LeadAmount(&l.Row); label == "Requested" { // the header says it
		requested = ""
	}
	after := ""
	if a.Underwriting.SelectedOffer != nil && l.NewSelection == nil { // else the lender doesn't say for which line it is
		after = text.Percent(a.Value.PostLoanCLTV)
	}
	s.Facts = append(s.Facts, ui.KnownFacts(
		"CLTV before (lender)", text.Percent(a.Value.PreLoanCLTV),
		"CLTV after this line (lender)", after,
		"Occupancy", text.DisplayText(string(a.Property.PropertyType), text.Property),
		"Requested", requested)...)
	s.Facts = slices.DeleteFunc(s.Facts, func(f ui.Fact) bool { return f.Value == text.Dash })
	return s
}

// LiensKnown reports whether the list of liens can be complete: null and an empty list look the same, so that without
// any the lender's own CLTV before the line has to be zero.
func LiensKnown(a heloc.AppData) bool {
	return len(a.Liens) > 0 || a.Value.PreLoanCLTV != nil && *a.Value.PreLoanCLTV == 0
}

func presentCancel(d *Data) view.CancelView {
	l := d.View.Row
	c := view.CancelView{
		Can: CanCancel(d), Who: text.JoinNonEmpty(", ", text.FullName(d.View.Name), text.ShortID(&l)),
		Redisplayed: d.IsSubmitted(string(heloc.OpCancel)),
	}
	if c.Can {
		c.Form = d.OperationForm(heloc.OpCancel, nil)
	}
	return c
}

// CanCancel reports whether the user may cancel the inquiry now.
func CanCancel(d *Data) bool { return d.Can(access.CancelInquiry) && d.View.Row.CanCancel() }

// CannotCancelText states why an application is not canceled here; it is empty for an inquiry and after the end.
func CannotCancelText(l lead.Row) string {
	if l.Converted && l.Lane != heloc.LaneEnded {
		return "Applications can’t be canceled here. The borrower must contact the lender."
	}
	return ""
}

// presentDroppedDiscounts lists discounts that were sent with the selection but are missing from
// the lender's response.
func presentDroppedDiscounts(l desklead.Snapshot) []ui.Notice {
	if len(l.DroppedDiscounts) == 0 {
		return nil
	}
	rate := ""
	if s := l.Details.App.Underwriting.SelectedOffer; s != nil {
		rate = text.Percent(s.Rate)
	}
	return []ui.Notice{view.LostDiscountsNotice(l.DroppedDiscounts, rate)}
}

// IsNewDocument reports whether a document arrived since the user's last look at the documents.
func IsNewDocument(l desklead.Snapshot, doc lead.KnownDocument) bool {
	return l.LastView.ViewedAt != 0 && doc.Since > l.LastView.DocumentsAt
}

// WhoCanText tells users who may not respond to the lender who does, and what they may do themselves.
func WhoCanText(d *Data) string {
	l := d.View
	if l.Row.Originator == "" {
		return "No originator has this lead. Reassign it to one who can respond to the lender."
	}
	name := cmp.Or(l.Originator.Name(), "The lead’s originator")
	switch {
	case !d.Can(access.AnnotateLead):
		return "View only. " + name + " responds to the lender."
	case isFollowUp(l.Row.StatusKey):
		return "You can follow up with the borrower. " + name + " responds to the lender."
	default:
		return name + " responds to the lender. You can contact the borrower, add notes and set reminders."
	}
}

// isFollowUp reports whether the move is to reach the borrower, and not to send something to the lender.
func isFollowUp(key heloc.StatusKey) bool {
	return slices.Contains([]heloc.StatusKey{
		heloc.StatusFollowUpSignIn, heloc.StatusFollowUpDocs, heloc.StatusBorrowerSignIn, heloc.StatusBrokerDocs,
		heloc.StatusCreditFrozen, heloc.StatusStillFrozen,
	}, key)
}

// offersSelectable reports whether the user may select one of the offers that the lead has.
func offersSelectable(v text.Viewer, l desklead.Snapshot) bool {
	return v.Who.Can(access.SelectOffer) && CanSelectOffer(l.Row) && len(l.Details.App.Underwriting.Offers) > 0
}

// CanSelectOffer reports whether an offer may be selected at the lead's current step. The desk
// checks the same before it sends the selection.
func CanSelectOffer(l lead.Row) bool {
	switch l.Step {
	case heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning:
		return !l.Converted && l.Lane != heloc.LaneEnded && l.StatusKey != heloc.StatusInProgress
	default:
		return false
	}
}

// ActionUnlinkRecord is the last segment of the URL that unlinks a lead from a CRM's record.
const ActionUnlinkRecord = "take-off"

// presentCRMRecords maps the CRM records that this lead is linked to, and the form that unlinks
// one.
func presentCRMRecords(f *Data) view.CRMRecordsView {
	model := view.CRMRecordsView{Can: f.Can(access.AnnotateLead)}
	if f.IsSubmitted(ActionUnlinkRecord) {
		model.Redisplayed, model.Form = true, f.Submitted.Form.View("")
	}
	chosen := model.Form.Value("record.mark")
	for _, r := range f.View.CRMRecords {
		model.Records = append(model.Records, ui.Option{Value: r.BlindIndex, Label: recordLabel(r), Note: recordSentText(r),
			Selected: r.BlindIndex == chosen})
		if r.URL != "" {
			model.Links = append(model.Links, view.RecordLink{Label: "Open " + text.LowerFirst(recordLabel(r)), URL: r.URL})
		}
	}
	return model
}

// recordLabel describes a record in words that users know.
func recordLabel(r desklead.CRMRecord) string {
	location := " in " + r.CRM
	if r.Type != "" {
		location = " (" + r.Type + ")" + location
	}
	if r.Number == "" {
		return "A record" + location
	}
	return "Record " + r.Number + location
}

// recordSentText describes what the lender has of a record.
func recordSentText(r desklead.CRMRecord) string {
	switch {
	case r.Number == "":
		return "If the record’s ID was sent to the lender with the inquiry, unlinking doesn’t change that."
	case r.Customer:
		return "Its ID was sent to the lender as your customer number. Unlinking doesn’t change that."
	default:
		return "Its ID was sent to the lender as your reference. Unlinking doesn’t change that."
	}
}
