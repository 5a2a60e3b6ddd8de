package account

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/web/form"
)

// setMonthlyReport turns the monthly summary by email on or off.
func setMonthlyReport(r *http.Request, own *desk.Account, f *form.Form) error {
	return own.SetMonthlyReport(r.Context(), f.Text("monthlyReport") == "true")
}
