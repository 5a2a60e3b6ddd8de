package vault

import (
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// AAD identifies the row and column of a sealed value; it is the additional authenticated data, which binds the value
// to its row, so that it cannot be moved to another lead. Row is the row's own identifier, unique within the table.
// Every binding of the portal is a function of this file. What the functions return must never change, because values
// of existing databases are bound to it: testdata/bindings.txt lists the bytes.
type AAD struct {
	table, row, column string
}

// StoredAAD returns the associated data of a value by the place where it is stored. It is for re-encryption, which
// reads every sealed column that the store lists; all others use the function of their value.
func StoredAAD(table, row, column string) AAD { return AAD{table, row, column} }

// NameAAD is the associated data of a lead's borrower name (heloc.Name).
func NameAAD(app heloc.AppID) AAD { return AAD{"leads", string(app), "borrower"} }

// PartAAD is the associated data of one part of a lead.
func PartAAD(app heloc.AppID, part lead.Part) AAD {
	return AAD{"lead_parts", string(app), string(part)}
}

// NoteAAD is the associated data of a note's text.
func NoteAAD(id string) AAD { return AAD{"notes", id, "sealed"} }

// AbsenceAAD is the associated data of the note of an absence.
func AbsenceAAD(id string) AAD { return AAD{"absences", id, "sealed"} }

// SavedViewAAD is the associated data of the name of a saved list.
func SavedViewAAD(id string) AAD { return AAD{"saved_views", id, "sealed"} }

// FollowUpAAD is the associated data of a follow-up's text.
func FollowUpAAD(id string) AAD { return AAD{"follow_ups", id, "sealed"} }

// RevealReasonAAD is the associated data of a reason that a user typed to see borrower details.
func RevealReasonAAD(id string) AAD { return AAD{"reveals", id, "sealed_reason"} }

// QuoteAAD is the associated data of a quote's answer.
func QuoteAAD(id string) AAD { return AAD{"quotes", id, "sealed"} }

// QuoteRequestAAD is the associated data of a quote's request.
func QuoteRequestAAD(id string) AAD { return AAD{"quotes", id, "sealed_request"} }

// ShareTokenAAD is the associated data of the token of a link to a quote.
func ShareTokenAAD(id string) AAD { return AAD{"shared_quotes", id, "token"} }

// SharedQuoteAAD is the associated data of a quote that was shared by a link.
func SharedQuoteAAD(id string) AAD { return AAD{"shared_quotes", id, "sealed"} }

// DraftAAD is the associated data of a draft's form values.
func DraftAAD(id string) AAD { return AAD{"drafts", id, "sealed"} }

// StartSnapshotsAAD is the associated data of a draft's snapshots, one for each start.
func StartSnapshotsAAD(id string) AAD { return AAD{"drafts", id, "start_snapshot"} }

// DraftTransfersAAD is the associated data of the transfers of a draft.
func DraftTransfersAAD(id string) AAD { return AAD{"drafts", id, "transfers"} }

// OperationMessagesAAD is the associated data of the lender's messages about an operation.
func OperationMessagesAAD(id string) AAD { return AAD{"operations", id, "messages"} }

// AbandonReasonAAD is the associated data of the reason why a user gave an operation up.
func AbandonReasonAAD(id string) AAD { return AAD{"operations", id, "reason"} }

// ChoiceAAD is the associated data of the choice that an operation sent.
func ChoiceAAD(opID string) AAD { return AAD{"choices", opID, "sealed"} }

// ReassignSummaryAAD is the associated data of the summary that comes with a reassignment.
func ReassignSummaryAAD(opID string) AAD { return AAD{"reassignments", opID, "sealed"} }

// JobAAD is the associated data of a job's parameters.
func JobAAD(id string) AAD { return AAD{"jobs", id, "sealed"} }

// WebhookAAD is the associated data of a webhook's body. Its row is the digest of the body.
func WebhookAAD(digest string) AAD { return AAD{"webhook_inbox", digest, "sealed"} }

// CredentialAAD is the associated data of a second factor's secret or a passkey.
func CredentialAAD(id string) AAD { return AAD{"credentials", id, "sealed"} }

// CeremonyAAD is the associated data of what a sign-in, or another action of several steps, has established so far.
func CeremonyAAD(hash, kind string) AAD { return AAD{"ceremonies", hash, kind} }

// InvitationAAD is the associated data of the user whom an emailed link is for.
func InvitationAAD(id string) AAD { return AAD{"invitations", id, "sealed"} }

// GrantRequestAAD is the associated data of a request that a second person decides.
func GrantRequestAAD(id string) AAD { return AAD{"grant_requests", id, "sealed"} }

// MailAAD is the associated data of an email that waits to be sent.
func MailAAD(id string) AAD { return AAD{"outbox", id, "sealed"} }

// SigningKeysAAD is the associated data of the keys that a CRM signs its launches with.
func SigningKeysAAD(client string) AAD { return AAD{"embed_clients", client, "sealed"} }

// CRMLoginAAD is the associated data of a user's login at a CRM. Its row is a blind index of the login.
func CRMLoginAAD(subject string) AAD { return AAD{"embed_links", subject, "sealed"} }

// LaunchAAD is the associated data of what a CRM sent with a launch.
func LaunchAAD(id string) AAD { return AAD{"launches", id, "sealed"} }

// PushSubscriptionAAD is the associated data of where and how a browser receives notifications.
func PushSubscriptionAAD(id string) AAD { return AAD{"push_subscriptions", id, "sealed"} }
