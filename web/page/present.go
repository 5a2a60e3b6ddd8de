package page

import (
	"cmp"
	"net/http"
	"strconv"

	"hearthline/internal/desk"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pdf"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// PresentConsent maps a consent text. borrower is the name that it shows.
func PresentConsent(v text.Viewer, consent desk.ConsentText, borrower string) view.ConsentText {
	return view.ConsentText{
		Text: consent.Text, Version: consent.Version, EffectiveDate: text.Date(heloc.Date(consent.Version)),
		Borrower: borrower, ReadBy: text.PersonWithNMLS(v.Who),
	}
}

// LostStart maps a start whose outcome is unknown; borrower is empty if the name is not stored or must not be shown.
func LostStart(v text.Viewer, op lead.Operation, borrower string, reported bool) text.LostStart {
	s := text.LostStart{Borrower: borrower, Status: op.HTTPStatus, Reported: reported,
		SentAt: v.DateTimeInText(text.TimeOfMillis(cmp.Or(op.SentAt, op.CreatedAt)))}
	if op.ActorID != v.Who.UserID {
		s.SentBy = op.ActorName
	}
	return s
}

// PresentReassignBar maps the bar for the selected rows of a list. matching counts the leads on all of its pages, up to
// one more than can be reassigned together; 0 when all of them are on this page, which has this many rows.
func PresentReassignBar(q to.LeadsQuery, matching, rows int) view.ReassignBarView {
	bar := view.ReassignBarView{Button: "Reassign…"}
	switch limit := strconv.Itoa(lead.MaxBulkLeads); {
	case matching > lead.MaxBulkLeads:
		bar.TooMany = "More than " + limit + " match. You can reassign up to " + limit + " at a time."
	case matching > 0:
		bar.Matching, bar.List, bar.Rows = "All "+strconv.Itoa(matching)+" that match", q.Encode(), strconv.Itoa(rows)
	}
	return bar
}

// PresentUndo offers to undo a reassignment, to the user who made it, while that is possible.
func PresentUndo(v text.Viewer, h deskreassign.ReassignmentDetails, operationID string) view.UndoView {
	until := h.UndoUntil()
	if h.ActorID != v.Who.UserID || until.IsZero() || !v.Now.Before(until) {
		return view.UndoView{}
	}
	return view.UndoView{ID: h.OpID, OperationID: operationID, Until: "Possible until " + v.TimeOfDay(until)}
}

// PresentRow maps a lead to a row of the pipeline with the default columns. waits has the usual duration of each
// operation.
func PresentRow(v text.Viewer, row *lead.PipelineRow, waits map[heloc.Operation]lead.UsualWait) view.LeadRow {
	l := row.Row
	c := v.TimingOf(l, waits[heloc.OpStart])
	r := view.LeadRow{
		App: string(l.App), Revision: strconv.FormatInt(l.Revision, 10), Href: v.Base.Lead(string(l.App)),
		Name: text.OrDash(text.BorrowerName(l.Borrower, row.Name)), ShortID: text.ShortID(l),
		CityState: text.CityState(l.City, l.State), Chip: ui.StatusChip(text.LeadStatus(l)),
		Mover: v.MoverText(l, row.Originator), Timing: c.Text, YourMove: l.YourMove(), Overdue: l.Overdue(lead.Millis(v.Now)),
		Owner: row.Originator,
	}
	if row.AsDeputy {
		r.OwnerNote = "covered by you"
	}
	if wait := waits[l.StatusKey.NextOperation()]; wait.Known && r.YourMove {
		r.UsualWait = "lender usually takes about " + text.ShortDuration(wait.Median)
	}
	if r.AmountLabel, r.Amount = text.LeadAmount(l); row.Masked {
		r.CityState, r.Amount = "•••", "•••"
	}
	if row.Unknown {
		r.Unconfirmed = text.SentNotConfirmed
		if r.YourMove { // to find out whether it arrived: the step's answer was sent and must not be sent again
			r.Mover, r.Timing, r.UsualWait = "", text.RelativeTime{}, ""
		}
	}
	if row.Unseen.Wire != "" {
		r.Updates = append(r.Updates, text.FailedTransfer(row.Unseen.Wire))
	}
	if row.Unseen.Condition {
		r.Updates = append(r.Updates, text.Notice(string(lead.NoticeCondition), "", 1).Title)
	}
	if l.LastContactAt != 0 {
		r.Contact, r.ContactHow = v.DateTime(text.TimeOfMillis(l.LastContactAt)), text.LowerFirst(text.Contact(l.LastContact))
	}
	return r
}

// PresentQR draws the QR code of a link; a link that is too long has none.
func PresentQR(link string) ui.QRView {
	code, err := pdf.QR(link)
	if err != nil {
		return ui.QRView{}
	}
	size := strconv.Itoa(code.Size)
	return ui.QRView{Path: code.Path, ViewBox: "0 0 " + size + " " + size}
}

// PresentTOTPSetup maps the setup of an authenticator app to a QR code to scan and a key to type.
func PresentTOTPSetup(uri, secret string) (view.TOTPSetup, error) {
	code, err := pdf.QR(uri)
	if err != nil {
		return view.TOTPSetup{}, err
	}
	return view.TOTPSetup{Size: code.Size, Path: code.Path, Secret: groupsOfFour(secret)}, nil
}

// groupsOfFour splits a key into groups that are easy to read aloud and type.
func groupsOfFour(key string) string {
	out := ""
	for i, letter := range key {
		if i > 0 && i%4 == 0 {
			out += " "
		}
		out += string(letter)
	}
	return out
}

// LogoWidth returns the width in CSS pixels of a company's logo that is 40 pixels high on the page, and at most 200
// wide.
func LogoWidth(width, height int) int {
	if height <= 0 {
		return 0
	}
	return max(1, min(200, (width*40+height/2)/height))
}

// SearchResultText states how many people were found, or why nobody was.
func SearchResultText(typed string, result lead.DirectoryResult) string {
	switch {
	case result.Total > len(result.People) && typed == "":
		return "First " + strconv.Itoa(len(result.People)) + " of " + strconv.Itoa(result.Total)
	case result.Total > len(result.People):
		return "First " + strconv.Itoa(len(result.People)) + " of " + strconv.Itoa(result.Total) +
			". Enter more of the name to narrow the list"
	case result.Total > 0:
		return text.Pluralize(result.Total, "originator", "originators")
	case result.LenderSilent:
		return "No originator here has this email, and the lender isn’t responding. Try again in a minute."
	case result.LenderAsked:
		return "No originator at your company has this email, in Hearthline or with the lender."
	case typed != "":
		return "No match. Enter a full email to look it up with the lender."
	default:
		return "No other originators yet."
	}
}

// PresentDirectory maps the result of a directory search. The caller sets Page.
func PresentDirectory(v text.Viewer, typed string, result lead.DirectoryResult) view.OriginatorsView {
	model := view.OriginatorsView{
		Query: typed, ResultText: text.Pluralize(result.Total, "originator", "originators"),
		ReadText: "Not loaded from the lender yet",
		Empty:    ui.EmptyView{Icon: "users", Title: "No originators found.", Text: SearchResultText(typed, result)},
	}
	if result.Total > 0 {
		model.ResultText = SearchResultText(typed, result)
	}
	if !result.SyncedAt.IsZero() {
		model.ReadText = "Updated from the lender " + v.AgeText(result.SyncedAt)
	}
	for _, o := range result.People {
		row := view.PersonRow{
			ID: string(o.UUID), Name: text.JoinNonEmpty(" ", o.FirstName, o.MiddleName, o.LastName),
			Email: o.Email, Phone: heloc.FormatPhone(o.Phone), NMLS: o.NMLS,
			Company: o.BrokerName, CompanyNMLS: o.BrokerNMLS, LastSeen: v.AgeText(text.TimeOfMillis(o.SyncedAt)),
		}
		if o.BrokerID == "" {
			row.Company = o.Organization
		}
		if o.RemovedAt != 0 {
			row.NotInDirectory = "Removed by the lender, " + v.DateTimeInText(text.TimeOfMillis(o.RemovedAt))
		}
		model.People = append(model.People, row)
	}
	return model
}

// PresentCRMs maps a user's CRM connections; action returns the URL that disconnects one.
func PresentCRMs(v text.Viewer, all []embed.Link, action func(embed.Link) string) []view.CRMRow {
	rows := make([]view.CRMRow, len(all))
	for i, l := range all {
		row := view.CRMRow{ID: l.ID, CRM: l.CRM, CRMUser: l.Name, Email: l.Email, UserID: l.Subject,
			Since: v.DateTime(l.ConnectedAt), LastUsed: v.DateTime(l.UsedAt), DisconnectURL: action(l)}
		if l.Disabled {
			row.CRM += " (disabled)"
		}
		if row.CRMUser == "" {
			row.CRMUser, row.Email = l.Email, ""
		}
		rows[i] = row
	}
	return rows
}

// RecordLeadStatus returns the status of the lead that belongs to the CRM record of an embedded
// page, whatever else the page shows. It is empty if the record has no lead, and outside of embeds.
func RecordLeadStatus(r *http.Request) (string, error) {
	record, err := LaunchedRecord(r)
	if record == nil || err != nil {
		return "", err
	}
	found, has, err := record.Lead(r.Context())
	if !has || err != nil {
		return "", err
	}
	return StatusToken(found.Row), nil
}

// StatusToken identifies the status of a record's lead; it changes when the status does, and ends with its code.
func StatusToken(l *lead.Row) string {
	return string(l.App) + " " + text.LeadStatus(l).Chip + " " + string(lead.CodeOf(lead.CodeStep, string(l.StatusKey)))
}
