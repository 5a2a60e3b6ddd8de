package to

// NotificationSettings is the page on which users choose what they are told. Every email links to it.
func NotificationSettings() string { return Full.at("account", "notifications") }

// NotificationDefaults resets the choices.
func NotificationDefaults() string { return Full.at("account", "notifications", "defaults") }

// NotificationBrowser turns notifications on in a browser.
func NotificationBrowser() string { return Full.at("account", "notifications", "browser") }

// NotificationBrowserOff turns them off.
func NotificationBrowserOff() string { return Full.at("account", "notifications", "browser", "off") }

// NotificationBrowserTest sends a test to a browser.
func NotificationBrowserTest() string { return Full.at("account", "notifications", "browser", "test") }

// NotificationEmailTest sends a test by email.
func NotificationEmailTest() string { return Full.at("account", "notifications", "email", "test") }

// ServiceWorker is the script that displays notifications while no page is open.
func ServiceWorker() string { return "/sw.js" }
