package account

import (
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/page"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func sampleAccount() AccountView {
	return AccountView{Page: viewtest.Page("Account"), Name: "Olivia Bennett", Email: "olivia@summit.test",
		Subtitle: "NMLS 1847220", Company: "Summit", Password: true, TOTP: true, SSO: true,
		Factors: []FactorRow{{ID: "f1", Name: "Phone", Kind: "Authenticator app", Added: "Today"}}, Recovery: "8 are left.",
		Sessions: []SessionRow{
			{ID: "s1", Browser: "Firefox", Network: "192.0.2.0/24", Method: "password", SignedInAt: "Today", LastActive: "Today",
				Current: true}, {ID: "s2", Browser: "Safari", LastActive: "Today"},
		}}
}

func TestScreens_MeetPageRules(t *testing.T) {
	screens := map[string]templ.Component{
		"authenticator": Authenticator(AuthenticatorView{Page: viewtest.Page("App"),
			Setup: page.TOTPSetup{Size: 20, Path: "M4 4h1v1h-1z", Secret: "ABCD"}}),
		"new passkey": NewPasskey(NewPasskeyView{Page: viewtest.Page("Passkey"), Name: "Chrome on Mac",
			Form: ui.Form{FormError: "No."}}),
		"account": Account(sampleAccount()),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckPlaceholderIcon(t, screens)
}
