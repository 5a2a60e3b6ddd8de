package account

import (
	"net/http"
	"slices"
	"strconv"

	deskaccount "hearthline/internal/desk/account"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	view "hearthline/views/account"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// renderAccount renders the account page, with a form that was rejected if there is one.
func (h *Handlers) renderAccount(w http.ResponseWriter, r *http.Request, own *deskaccount.Account, f *form.Form) error {
	factors, err := own.Factors(r.Context())
	if err != nil {
		return err
	}
	sessions, err := own.Sessions(r.Context())
	if err != nil {
		return err
	}
	crms, err := own.CRMs(r.Context())
	if err != nil {
		return err
	}
	alerts, err := own.Alerts(r.Context())
	if err != nil {
		return err
	}
	monthly, offersMonthly, err := own.MonthlyReport(r.Context())
	if err != nil {
		return err
	}
	who := page.ActorOf(r)
	subtitle, err := subtitleOf(r, own, who)
	if err != nil {
		return err
	}
	v, formView, rows := h.Viewer(r), f.View(""), presentFactors(h.Viewer(r), factors)
	if at := slices.IndexFunc(rows, func(row view.FactorRow) bool { return row.ID == chi.URLParam(r, "id") }); at >= 0 {
		one := &rows[at].Rename
		one.Value, one.Error = f.Text("name"), formView.ErrorOf("name")
		formView.FieldErrors = form.LabeledErrors(f.FieldErrors, []ui.Field{*one})
	}
	return h.Render(w, r, page.FormStatus(f), view.Account(view.AccountView{
		Page: h.Layout(r, "Account and sign-in"), Name: who.Name, Email: who.Email, Subtitle: subtitle,
		Company: text.ActorCompany(who), Password: factors.Password, TOTP: factors.TOTP, Passkeys: own.Passkeys(),
		SSO: factors.SSO, Zone: who.TimeZone, Shortcuts: !who.ShortcutsOff, PlainTitles: who.PlainTitles,
		MonthlyReport: monthly, OffersMonthlyReport: offersMonthly, Factors: rows, Recovery: recoveryCodesText(factors),
		CRMs:     page.PresentCRMs(v, crms, func(l embed.Link) string { return to.Full.CRMDisconnect(l.ID) }),
		Sessions: presentSessions(v, sessions, page.VisitOf(r).Session.IDHash), Alerts: presentAlerts(v, alerts),
		Form: formView,
	}))
}

// subtitleOf is what the user is, and for whom an assistant works.
func subtitleOf(r *http.Request, own *deskaccount.Account, who access.Actor) (string, error) {
	if who.Role != access.Assistant {
		return page.PersonSubtitle(who), nil
	}
	all, err := own.WorksFor(r.Context())
	names := make([]string, len(all))
	for i, o := range all {
		names[i] = o.Name()
	}
	return page.PersonSubtitle(who) + ", works for " + text.WorksFor(who, names), err
}

func presentFactors(v text.Viewer, f account.Factors) []view.FactorRow {
	var rows []view.FactorRow
	for _, one := range f.SecondFactors {
		row := view.FactorRow{ID: one.ID, Name: one.Name, Kind: "Authenticator app", Added: v.DateTime(one.Added),
			LastUsed: v.DateTime(one.Used)}
		if one.IsPasskey() {
			row.Kind = "Passkey"
			if one.BackedUp {
				row.Kind = "Passkey, synced across your devices"
			}
		}
		row.Rename = ui.Field{Name: "name", ID: "name-" + one.ID, Label: "Name for " + one.Name, Value: one.Name, Max: "60",
			Required: true, Autocomplete: "off"}
		rows = append(rows, row)
	}
	return rows
}

// recoveryCodesText shows how many recovery codes are left. It is empty for a user without a second
// factor.
func recoveryCodesText(f account.Factors) string {
	switch {
	case !f.HasSecondFactor():
		return ""
	case f.RecoveryCodes == 0:
		return "none left"
	case f.RecoveryCodes == 1:
		return "1 left"
	default:
		return strconv.Itoa(f.RecoveryCodes) + " left"
	}
}

func presentSessions(v text.Viewer, all []deskaccount.SessionInfo, here string) []view.SessionRow {
	var rows []view.SessionRow
	for _, one := range all {
		if one.CRM == "" && !v.Now.Before(page.SessionExpiry(one.Session)) {
			continue
		}
		rows = append(rows, view.SessionRow{
			ID: one.IDHash, Browser: one.Browser, Network: one.Network, CRM: one.CRM, Method: signInMethodText(one.Proof),
			SignedInAt: v.DateTime(one.Created), LastActive: v.DateTime(one.LastSeen), Current: one.IDHash == here,
		})
	}
	return rows
}

func presentAlerts(v text.Viewer, all []account.Alert) []view.AlertRow {
	rows := make([]view.AlertRow, len(all))
	for i, a := range all {
		rows[i] = view.AlertRow{
			Title: text.Alert(string(a.Kind)), Text: text.AlertText(string(a.Kind)), Browser: a.From.Browser,
			Network: a.From.Network, At: v.DateTime(a.At),
		}
		if a.Count > 1 {
			rows[i].Count = strconv.Itoa(a.Count) + " times that day"
			if heloc.DateOf(a.At.In(v.Zone)) == v.Today() {
				rows[i].Count = strconv.Itoa(a.Count) + " times today"
			}
		}
	}
	return rows
}

// signInMethodText describes how a user has signed in.
func signInMethodText(p access.Proof) string {
	switch p {
	case access.ByTOTP:
		return "password and authenticator code"
	case access.ByRecovery:
		return "password and recovery code"
	case access.ByPasskey:
		return "passkey"
	case access.BySingleSignOn, access.ByStrongSSO:
		return "single sign-on"
	case access.ByLaunch, access.ByAttestedLaunch, access.ByConfirmed:
		return "a CRM"
	default:
		return "password"
	}
}
