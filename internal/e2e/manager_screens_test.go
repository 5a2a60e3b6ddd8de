package e2e

import "testing"

// TestManagerScreens_Accessible checks what administrators and managers see, wide and narrow, light and dark.
func TestManagerScreens_Accessible(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	for email, screens := range map[string]map[string]string{
		"admin@hearthline.test": {
			"admin-users": "/admin/users", "admin-audit": "/admin/audit", "admin-policy": "/admin/policy", "admin-texts": "/admin/texts",
			"admin-licences": "/admin/licences", "admin-interface": "/admin/interface", "admin-health": "/admin/health",
			"admin-originators": "/admin/originators", "admin-asvs": "/admin/asvs", "account": "/account", "invite": "/invite",
		},
		"maya@summit.test": {"team-unassigned": "/team/unassigned", "manager-leads": "/leads?view=all", "manager-inbox": "/notifications", "outbox": "/outbox",
			"reports": "/reports?period=12-months", "report-fallout": "/reports/fallout?period=12-months&by=month", "report-time-in-step": "/reports/time-in-step?period=12-months&by=source", "views": "/views"},
	} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			w := d.openBrowser(t)
			w.signIn(email)
			for name, path := range screens {
				checkScreen(w, name, path)
			}
		})
	}
}
