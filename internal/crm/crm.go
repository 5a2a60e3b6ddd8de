// Package crm is a CRM to try the embedded desk in: it signs launches in each way that
// the portal verifies, and its pages frame the portal from another site. It is for the
// demo and for tests; nothing of the portal stands on it.
//
//	sign.go   the three ways of signing
//	crm.go    the pages: records, the frame, what the frame says
package crm
