package team_test

import (
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/team"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
)

func TestScreens_MeetPageRules(t *testing.T) {
	screens := map[string]templ.Component{
		"invite": team.Invite(team.InviteView{Page: viewtest.Page("Invite"), Roles: [][2]string{{"manager", "Manager"}},
			Companies: [][2]string{{"b", "Summit"}},
			Pending: []team.InvitationRow{{ID: "i", Name: "Ada", Email: "a@x.test", Subtitle: "Assistant", Sent: "Today",
				Expires: "Tue", Revoke: ui.Action{Label: "Take back", Icon: "trash-2", IconOnly: true}}}}),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckPlaceholderIcon(t, screens)
}
