// Package views contains the screens: one .templ each, with its view model at the top, built from the
// components of views/ui. A screen is a pure function of its model; models are strings, bools and slices,
// already formatted for display. The packages under web fill them in; nothing here knows the user or fetches
// data.
//
// A live screen has two components: the page, and the part that is fetched again when a lead changes. The
// page calls the part, so both always look the same.
package views

