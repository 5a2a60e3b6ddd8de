package account

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// showAccount puts the account together, with a form that came back.
func (s *Handlers) showAccount(w http.ResponseWriter, r *http.Request, d page.Desk, status int, f *form.Form) error {
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
	v, posted, rows := s.Viewer(r), f.View(""), showFactors(s.Viewer(r), factors)
	if at := slices.IndexFunc(rows, func(row views.FactorRow) bool { return row.ID == chi.URLParam(r, "id") }); at >= 0 {
		one := &rows[at].Rename
		one.Value, one.Error = f.Text("name"), posted.Of("name")
		posted.Wrong = form.WrongIn(f.Wrong, []ui.Field{*one})
	}
	return s.Show(w, r, status, views.Account(views.AccountView{
		Page: s.Frame(r, "Account and sign-in"), Name: d.Actor.Name, Email: d.Actor.Email, Line: page.PersonLine(d.Actor), Company: format.CompanyLine(d.Actor),
		Password: factors.Password, TOTP: factors.TOTP, Passkeys: s.Accounts.Passkeys(), SSO: factors.SSO, Zone: d.Actor.TimeZone, Factors: rows, Recovery: recoveryLine(factors),
		CRMs:     page.ShowCRMs(v, crms, func(l embed.Link) string { return to.Full.CRMDisconnect(l.ID) }),
		Sessions: showSessions(v, sessions, page.VisitOf(r).Session.IDHash), Alerts: showAlerts(v, alerts), Form: posted,
	}))
}

func showFactors(v format.Viewer, f account.Factors) []views.FactorRow {
	var rows []views.FactorRow
	for _, one := range f.Second {
		row := views.FactorRow{ID: one.ID, Name: one.Name, Kind: "Authenticator app", Icon: "clock", Added: v.Moment(one.Added), Used: v.Moment(one.Used)}
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

func showSessions(v format.Viewer, all []desk.SignedIn, here string) []views.SessionRow {
	var rows []views.SessionRow
	for _, one := range all {
		if one.CRM == "" && !v.Now.Before(page.Ends(one.Session)) {
			continue
		}
		rows = append(rows, views.SessionRow{
			ID: one.IDHash, Browser: one.Browser, Network: one.Network, CRM: one.CRM, Proof: page.ProofWords(one.Proof),
			Begun: v.Moment(one.Created), Seen: v.Moment(one.LastSeen), Here: one.IDHash == here,
		})
	}
	return rows
}

func showAlerts(v format.Viewer, all []account.Alert) []views.AlertRow {
	rows := make([]views.AlertRow, len(all))
	for i, a := range all {
		rows[i] = views.AlertRow{
			Title: words.Alert(string(a.Kind)), Text: words.AlertText(string(a.Kind)), Browser: a.From.Browser, Network: a.From.Network, At: v.Moment(a.At),
		}
		if a.Count > 1 {
			rows[i].Often = strconv.Itoa(a.Count) + " times that day"
		}
	}
	return rows
}
