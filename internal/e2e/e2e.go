// Package e2e holds stories against the built program, and against the built program in
// a browser. A story starts "portal demo" on free ports with a folder of its own, works
// as a person would, and asks the sandbox's control half what really happened.
//
//	demo_test.go   building and starting the program
//	http_user_test.go    a person with plain HTTP: cookies, pages, forms
//	lender_test.go    the sandbox's control half
//	story_*_test.go   what people live through
//	browser_test.go   Chromium; screen_*_test.go, what it must show
//
// Screenshots go to the folder that PORTAL_TEST_SHOTS names, or nowhere.
package e2e
