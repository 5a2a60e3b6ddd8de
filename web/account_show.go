package web

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showAccount puts the account together, with a form that came back.
func (s *Server) showAccount(w http.ResponseWriter, r *http.Request, d Desk, status int, f *form) error {
	own, err := d.Account()
	if err != nil {
		return err
	}
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
	v, form, rows := s.viewer(r), f.view(""), s.viewer(r).showFactors(factors)
	if at := slices.IndexFunc(rows, func(row views.FactorRow) bool { return row.ID == chi.URLParam(r, "id") }); at >= 0 {
		one := &rows[at].Rename
		one.Value, one.Error = f.text("name"), form.Of("name")
		form.Wrong = wrongIn(f.wrong, []ui.Field{*one})
	}
	return s.show(w, r, status, views.Account(views.AccountView{
		Page: s.frame(r, "Account and sign-in"), Name: d.Actor.Name, Email: d.Actor.Email, Line: personLine(d.Actor), Company: companyLine(d.Actor),
		Password: factors.Password, TOTP: factors.TOTP, Passkeys: s.Accounts.Passkeys(), SSO: factors.SSO, Zone: d.Actor.TimeZone, Factors: rows, Recovery: recoveryLine(factors),
		CRMs:     v.showCRMs(crms, func(l embed.Link) string { return to.Full.CRMDisconnect(l.ID) }),
		Sessions: v.showSessions(sessions, visitOf(r).session.IDHash), Alerts: v.showAlerts(alerts), Form: form,
	}))
}

func companyLine(who access.Actor) string {
	if who.BrokerName != "" {
		return who.BrokerName
	}
	return who.Organization
}

func (v viewer) showFactors(f account.Factors) []views.FactorRow {
	var rows []views.FactorRow
	for _, one := range f.Second {
		row := views.FactorRow{ID: one.ID, Name: one.Name, Kind: "Authenticator app", Icon: "clock", Added: v.moment(one.Added), Used: v.moment(one.Used)}
		if one.Passkey() {
			row.Kind, row.Icon = "Passkey", "fingerprint"
			if one.Backups {
				row.Kind = "Passkey, on your devices"
			}
		}
		row.Rename = ui.Field{Name: "name", ID: "name-" + one.ID, Label: "Name of " + one.Name, Value: one.Name, Max: "60", Required: true, Autocomplete: "off"}
		rows = append(rows, row)
	}
	return rows
}

// recoveryLine counts the recovery codes; empty for who has no second factor to lose.
func recoveryLine(f account.Factors) string {
	switch {
	case !f.Any():
		return ""
	case f.Recovery == 0:
		return "None is left."
	case f.Recovery == 1:
		return "One is left."
	default:
		return strconv.Itoa(f.Recovery) + " are left."
	}
}

func (v viewer) showSessions(all []desk.SignedIn, here string) []views.SessionRow {
	var rows []views.SessionRow
	for _, one := range all {
		if one.CRM == "" && !v.now.Before(ends(one.Session)) {
			continue
		}
		rows = append(rows, views.SessionRow{
			ID: one.IDHash, Browser: one.Browser, Network: one.Network, CRM: one.CRM, Proof: proofWords(one.Proof),
			Begun: v.moment(one.Created), Seen: v.moment(one.LastSeen), Here: one.IDHash == here,
		})
	}
	return rows
}

// showCRMs are log-ins of CRMs; action is where one is disconnected.
func (v viewer) showCRMs(all []embed.Link, action func(embed.Link) string) []views.CRMRow {
	rows := make([]views.CRMRow, len(all))
	for i, l := range all {
		row := views.CRMRow{ID: l.ID, CRM: l.CRM, LogIn: l.Name, Also: l.Email, Number: l.Subject, Since: v.moment(l.Since), Used: v.moment(l.Used), Action: action(l)}
		if l.Closed {
			row.CRM += " (shut out)"
		}
		if row.LogIn == "" {
			row.LogIn, row.Also = l.Email, ""
		}
		rows[i] = row
	}
	return rows
}

func (v viewer) showAlerts(all []account.Alert) []views.AlertRow {
	rows := make([]views.AlertRow, len(all))
	for i, a := range all {
		rows[i] = views.AlertRow{
			Title: words.Alert(string(a.Kind)), Text: words.AlertText(string(a.Kind)), Browser: a.From.Browser, Network: a.From.Network, At: v.moment(a.At),
		}
		if a.Count > 1 {
			rows[i].Often = strconv.Itoa(a.Count) + " times that day"
		}
	}
	return rows
}
