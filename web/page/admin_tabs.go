package page

import (
	"net/http"
	"strings"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// adminPages lists the administration pages in the order of their tabs.
func adminPages() []ui.TabView {
	return []ui.TabView{
		{Label: "System status", Href: to.Full.Admin("health")},
		{Label: "Users", Href: to.Full.Admin("users")},
		{Label: "Originators", Href: to.Full.Admin("originators")},
		{Label: "Licenses", Href: to.Full.Admin("licences")},
		{Label: "Branding", Href: to.Full.Admin("branding")},
		{Label: "Consent texts", Href: to.Full.Admin("texts")},
		{Label: "CRMs", Href: to.Full.Admin("embed")},
		{Label: "Audit log", Href: to.Full.Admin("audit")},
		{Label: "Roles and permissions", Href: to.Full.Admin("policy")},
		{Label: "Lender interface", Href: to.Full.Admin("interface")},
		{Label: "ASVS", Href: to.Full.Admin("asvs")},
	}
}

// AdminTabs returns the tabs of the administration. It omits pages that do not exist or that the user may not see.
func (s *Responder) AdminTabs(r *http.Request) []ui.TabView {
	var tabs []ui.TabView
	who := ActorOf(r)
	for _, tab := range adminPages() {
		if need, exists := s.pages[tab.Href]; exists && who.Can(need) {
			tab.Current = tab.Href == r.URL.Path || strings.HasPrefix(r.URL.Path, tab.Href+"/")
			tabs = append(tabs, tab)
		}
	}
	return tabs
}
