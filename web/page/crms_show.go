package page

import (
	"hearthline/internal/embed"
	"hearthline/views"
	"hearthline/web/format"
)

// showCRMs are log-ins of CRMs; action is where one is disconnected.
func ShowCRMs(v format.Viewer, all []embed.Link, action func(embed.Link) string) []views.CRMRow {
	rows := make([]views.CRMRow, len(all))
	for i, l := range all {
		row := views.CRMRow{ID: l.ID, CRM: l.CRM, LogIn: l.Name, Also: l.Email, Number: l.Subject, Since: v.Moment(l.Since), Used: v.Moment(l.Used), Action: action(l)}
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
