// Package core has what every handle of a desk works with. Only packages below internal/desk can import it, so no
// other package can name its types. Handles keep them in unexported fields, and their constructors take them by
// value, so only the desk can make a handle.
//
//	services.go       the services of the portal             desk.go  the user of a desk, and what they may do
//	lead.go, parts.go, write.go, eligible_debts.go           one lead that was opened, what is stored of it, its writes
//	lead_record.go, audit_daily.go    entries in the audit log and the activity
//	lead_list.go, masked_row.go                              lists of leads and the search in them, rows that mask values
//	sending.go, consent.go, references.go, lender_answers.go  the lender
//	license.go, directory.go, availability.go, brand.go      who may act where; colleagues
//	draft.go, start_name.go, departure_run.go, notices.go, hourly_limits.go  what several areas write
//	payment_model.go, usual_waits.go, storage_check.go       estimates, usual waits, the check of what is stored
package core
