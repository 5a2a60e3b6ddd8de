package text

var leadTabs = map[string]string{
	"": "Overview", "offers": "Offers", "property": "Property and liens", "underwriting": "Underwriting",
	"documents": "Documents", "funding": "Funding", "history": "History", "activity": "Activity",
}

// LeadTab is the name of a lead's tab by its segment in the URL; "" is the lead itself.
func LeadTab(tab string) string { return leadTabs[tab] }
