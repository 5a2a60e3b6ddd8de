// Package e2e tests the built program, with plain HTTP and in a browser. A test starts "portal demo" on free ports
// with its own folder, works as a user would, and asks the sandbox's control interface what really happened.
//
//	demo_test.go         building and starting the program
//	folder_test.go       the folder of a demo, seeded once and copied
//	session_test.go      signing in, with the folder's sessions
//	http_user_test.go    a user with plain HTTP: cookies, pages, forms
//	lender_test.go       the sandbox's control interface
//	scenario_*_test.go   complete scenarios over plain HTTP
//	killed_portal_test.go  killing a portal on either database; cluster_test.go, several on PostgreSQL
//	drill_*_test.go      losing the database and restoring it, with PORTAL_TEST_DRILL=1
//	browser_test.go      Chromium; the other files check screens in it
//
// DECISIONS.md says how the suite saves time, and what it must not save.
//
// Screenshots are written to the folder that PORTAL_TEST_SHOTS names, if it is set.
package e2e
