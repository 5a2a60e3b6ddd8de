package demo

import (
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/viewtest"
)

func TestScreens_FollowRules(t *testing.T) {
	t.Parallel()
	open := Mission{Key: "ssn-needed", Title: "SSN needed",
		Happened: "The bureau couldn’t find the borrower by name and address.",
		Tasks:    []string{"Ask the borrower for the SSN and send it."}, Href: "/leads/" + viewtest.App,
		Link: "Open Priya Raghunathan"}
	none := Mission{Key: "payoff", Title: "Payoff", Tasks: []string{"Start a sample inquiry for this step first.",
		"Choose the debts to pay off from the line and send them."}}
	done := Mission{Key: "reassign", Title: "Reassign a lead", Happened: "Reassigned.", Done: "Done today 2:10 PM",
		Href: "/operations/hl-1", Link: "View receipt"}
	some := MissionsView{Page: viewtest.Page("Practice missions"), Count: "1 of 3 done",
		Since: "Counts what you’ve sent since 9:00 AM.", Missions: []Mission{open, none, done}, MayStartOver: true}
	all := some
	all.Missions, all.AllDone = []Mission{done}, true
	viewtest.CheckScreens(t, map[string]templ.Component{"missions": Missions(some), "missions-done": Missions(all)})
	if doc := viewtest.Render(t, Missions(some)); doc.Find(".missions > li.done").Length() != 1 ||
		doc.Find("#mission-payoff a").Length() != 0 || doc.Find("#missions .note").Length() != 0 {
		t.Error("want one mission done, no link without an address, and no word that all are done")
	}
	if got := viewtest.Render(t, Missions(all)).Find("#missions .note").Text(); got == "" {
		t.Error("all are done, and the page does not say so")
	}
}
