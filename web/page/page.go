// Package page is what every area of the portal builds on: what a route and a handler are, the forms of a
// request, and the Responder, which turns the result of a handler into a page, a fragment or a helpful error.
//
// routes.go, adapter.go   what a route is, and the adapters that open what a handler works with
// visit.go        the signed-in user of a request, with the handles that the guard has opened
// request_form.go            the form of a request, parsed once
// redisplay.go              a form that is submitted, or shown again with its errors
// responder.go, render.go   rendering into a buffer, compressing, writing; errors.go, errors as pages and fragments
// frame_ancestors.go   which sites may show a page in a frame
// request_log.go  one log line for each request
// layout.go       what surrounds every page; demo_bar.go, the bar of the demo
// navigate.go     redirects, and where a user goes next
// present_*.go    view models that several areas show
//
// Who is signed in, and what they may reach, is decided around the handlers, in package guard. No handler checks a
// permission, writes an error, starts a goroutine or contains SQL.
package page
