// Package storetest is the conformance suite for every database that the portal can use.
//
//	storetest.go   Run, and helpers
//	user.go        accounts, sessions, the directory
//	sign_in_attempt.go  failed sign-ins, rate limits, rejections
//	alert.go       alerts, login locations
//	identity.go    second factors, ceremonies, elevated sessions
//	grant_request.go  requests that take two people
//	mail.go        the outbox, invitations, sign-on identities
//	embed.go       CRMs, launches, links, references
//	lead_change.go  changes of leads, for CRMs
//	crm_event.go   events for CRMs
//	lead.go        leads: status, revision, webhooks, parts, events
//	list.go        pages by key, counts, search
//	team.go        counts by originator, unassigned leads
//	rule.go        assignment rules and their log
//	activity.go    notes, follow-ups, planned re-pulls, reveals, dates
//	notice.go      notifications: once, by key, read, deleted; tell.go, by email and in browsers
//	isolation.go   scopes: no query returns rows outside
//	journal.go     operations, leases, consents, quotes, choices
//	figure_check.go  figures shown and booked
//	draft.go       drafts, webhooks, unknown applications
//	clock.go       clocks that jump
//	replica.go     duties, processes that serve the portal
//	reencryption.go  rows under older keys; audit.go, the chain and the backup
//	fill.go        rows in every table, for tests of what holds for all of them
//	postgres_link.go  a connection to PostgreSQL that tests interrupt, not part of the suite
//	template.go    databases and folders for the tests of other packages, not part of the suite
//
// It takes an opener, so that the same suite runs on each database.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Opener returns an empty store with the newest schema, which is closed when the test ends. Its audit must
// use a MAC that depends on every part.
type Opener func(t *testing.T) *store.Store

// Run checks everything that the portal expects of a store.
func Run(t *testing.T, open Opener) {
	for _, tt := range []struct {
		name string
		run  func(t *testing.T, s *store.Store)
	}{
		{"a snapshot sees one state of the database", snapshotSeesOneState},

		{"changes of access have a revision", accessRevisionChanges},
		{"an assistant works for chosen originators", assistantWorksFor},
		{"what a page shows beside its list is found", listExtrasFound},
		{"what there is about a lead is found", leadExtrasFound},
		{"only links that borrowers can open remain", remainingShares},
		{"reads a session and its user together", sessionWithUser},
		{"a closed account and a new role take effect at once", accountChanges},
		{"a user has at most five sessions", sessionLimit},
		{"sessions in one millisecond keep the new one", sessionsAtOnce},
		{"an idle session is not listed", sessionsIdleOut},
		{"sessions end", sessionsEnd},
		{"attempts to sign in are stored and cleared", signInAttemptsStored},
		{"of attempts at once each is counted", signInAttemptsCounted},
		{"attempts to sign in are forgotten", signInAttemptsForgotten},
		{"an email is unique", emailTaken},
		{"an originator has one open account", originatorOnce},
		{"the directory takes precedence over the account", directoryWins},
		{"an originator who left the directory is marked", removedOriginatorsMarked},
		{"a single lookup moves no leads", seeOriginatorTakesNoLeads},
		{"updates begin with the account", updatesBegin},

		{"credentials belong to their user", credentials},
		{"a time step is accepted once", totpStepsOnce},
		{"a recovery code is used once", recoveryOnce},
		{"a ceremony ends once", ceremonies},
		{"rejections are counted by subject", rejectedSignInsCounted},
		{"alerts are counted per day", alertsPerDay},
		{"login locations are stored", loginLocations},
		{"everything that a user has in progress ends together", pendingEnds},
		{"a session in another role has another token", sessionsRotated},
		{"an elevated session has another token", sessionsElevated},
		{"mails are leased once, when they are due", mailsWait},
		{"an invitation belongs to its company and is used once", invitations},
		{"links to a user end by kind and by address", invitationsOfUser},
		{"an identity belongs to one user", identities},
		{"a request is decided once, in time", grantRequests},

		{"a CRM is read as it was saved", embedClients},
		{"a launch is added once", launchesOnce},
		{"a launch code is used once", launchCodesOnce},
		{"the last rejection for each cause is stored", embedRejections},
		{"a CRM login belongs to one account", embedLinks},
		{"an ended launch accepts no code", launchesEnd},
		{"only one user's codes are deleted", launchCodesDropForUser},
		{"a launch without an expiry is remembered with its secret", consumedLaunches},
		{"sessions of a CRM end together", clientSessionsEnd},
		{"frames and tabs of a CRM are counted separately", sessionLocationsCountedApart},
		{"the tab replaces the frame", tabReplacesFrame},
		{"leads are found by an external record", references},
		{"changes of leads are listed in the order of their commits", leadChanges},
		{"records belong to their client", records},
		{"events for CRMs are leased in order", crmEvents},

		{"a lead is read as it was saved", leadRoundTrip},
		{"derived columns always agree with their sources", derivedColumns},
		{"the revision rises with visible changes", revisionRises},
		{"leads become due", leadsDue},
		{"usage is limited by the hour", usageLimits},
		{"each company has due leads", leadsDueOfEachCompany},
		{"companies take turns with jobs", jobsTakeTurnsByCompany},
		{"companies take turns with re-pulls", repullsTakeTurnsByCompany},
		{"a webhook makes a lead due", webhooks},
		{"parts are replaced", parts},
		{"events are listed newest first", events},
		{"waits are those that changed the step", usualWaits},
		{"last views are per user", lastViews},

		{"notes are listed newest first", notesSince},
		{"a follow-up is completed once", followUpsDone},
		{"a lead has one waiting plan", onePlanPerLead},
		{"a plan is reassigned with its lead", planReassigned},
		{"reveals are counted by user", revealsCounted},
		{"exports are counted", exportsCounted},
		{"times at steps are exact", stayTimesExact},
		{"reports credit who started and who holds leads", reportCredit},
		{"dates follow the lead", datesFollow},
		{"dependent rows are deleted with the lead", leadsDropped},

		{"a fact is notified once", notifiedOnce},
		{"a batch of notifications", batchNotifiedOnce},
		{"notifications page by key", noticesPaged},
		{"notifications are marked read and deleted", noticesMarkedRead},
		{"users to notify about a lead", peopleOfLead},
		{"users are told once, in slots", usersTold},
		{"choices of what users are told", tellChoicesStored},
		{"browsers that receive notifications", pushSubscriptionsStored},
		{"last views of many leads", viewsOfManyLeads},

		{"open leads at a step are listed by due time", leadsAtStep},
		{"pages have no gap and no repetition", pagesWhole},
		{"Today has every lead with a reason", todayFacts},
		{"pages of Today have no gap and no repetition", todayPages},
		{"pages stay complete while rows change", pagesWhileChanging},
		{"a page filters", pageFilters},
		{"a malformed key starts at the first page", malformedPageKey},
		{"counts stop at the limit", countsLimited},
		{"overdue leads are those of today", overdue},
		{"counts of a team equal its leads", teamCountsEqualLeads},
		{"states of originators are those of their licenses", licensedStates},
		{"leads are overdue from one millisecond to the next", overdueAtEveryDueTime},
		{"assignment rules are read as they were saved", assignmentRules},
		{"leads without an originator since an instant", withoutOriginator},
		{"the first due lead is the originator's move", firstDueLeads},
		{"unassigned leads are open leads", unassignedOpen},
		{"tokens find leads", tokensFind},
		{"tokens of two keys find the same leads", tokensOfSeveralKeysFind},
		{"short ids find leads", shortIDsFind},
		{"search pages continue", searchPagesContinue},
		{"duplicates are open leads of the company", duplicates},

		{"no query crosses a scope", scopesIsolate},

		{"an operation is read as it was saved", operationRoundTrip},
		{"messages of a start without a lead are deleted", messagesDropped},
		{"unsettled starts are found", unsettledStarts},
		{"unknown writes of a lead are found", unknownWrites},
		{"the first accepted write of a user is found", firstAccepted},
		{"operations without an outcome", openOperations},
		{"a heartbeat extends only its own lease", leaseExtended},
		{"consents belong to their operation", consents},
		{"quotes are listed newest first", quotes},
		{"quotes are limited and deleted", quotesDropped},
		{"a choice counts when the lender accepted it", choices},
		{"a payoff plan is replaced", payoffPlans},
		{"what was shown is compared with the last accepted selection", figureChecks},
		{"figures are counted and listed by company", figuresByCompany},
		{"each lead counts once for the payment model", latestFigureOutcomes},
		{"a payment model is stopped until it is confirmed", paymentsStopped},

		{"a draft belongs to its owner", draftOwner},
		{"a correction is listed with its lead", draftsInScope},
		{"a legal hold prevents the deletion of drafts", draftsUnderLegalHold},
		{"a legal hold prevents the deletion of webhooks", webhooksUnderLegalHold},
		{"a draft remains while its start is unsettled", draftNotDeletedWhileStartUnknown},
		{"drafts of ended inquiries are deleted", draftsDropped},
		{"drafts that nobody changes are deleted", draftsUnsent},
		{"a webhook is stored once", webhooksOnce},
		{"a draft is transferred once", draftTransferred},
		{"webhooks of one application are limited", webhooksLimited},
		{"the audit is filtered by actor, action, object and time", auditRead},
		{"the audit loses its beginning and stays intact", auditTrim},
		{"unknown applications take turns", unknownApplicationsTakeTurns},
		{"unknown applications are postponed and deleted", unknownApplicationsDropped},
		{"settings are stored", settings},

		{"a re-encryption goes from stage to stage", reencryptions},
		{"dependents of older keys are counted and deleted", oldKeyDependents},

		{"any text is stored", anyTextStored},
		{"a duty is held by one process", dutyHeldByOne},
		{"of several processes one takes a duty", dutyTakenOnce},
		{"a jump of the clock holds up no lease", clockJumpsLeases},
		{"a small correction of the clock ends no lease", clockCorrectedALittle},
		{"leases use one clock", clockOfDatabase},
		{"a clock that is set back holds up no email", clockSetBackMails},
		{"a clock that is set back holds up no lead", clockSetBackLeads},
		{"a clock that is set back holds up no webhook", clockSetBackWebhook},
		{"replicas report", replicasReport},
		{"static files of two releases", staticFilesKept},
		{"writes at once are kept or refused as reported", writesAtOnce},

		{"the audit is a chain", auditChain},
		{"a failed change leaves no audit row", auditWithChange},
		{"a backup is a complete store", backup},
		{"a failed write leaves nothing", writeRollsBack},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.run(t, open(t))
		})
	}
}

// noon is the current time of the tests, in whole milliseconds.
func noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func appID(n int) heloc.AppID { return heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)) }

// write runs f in one transaction and fails the test when it fails.
func write(t *testing.T, s *store.Store, f func(ctx context.Context, tx *store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return f(t.Context(), tx) }); err != nil {
		t.Fatalf("got %v, want no error", err)
	}
}

// leadOf returns a lead without adding it.
func leadOf(n int, originator, broker string) lead.Row {
	return lead.Row{
		App: appID(n), ShortID: fmt.Sprintf("1-26324-%03d", n), Originator: heloc.OriginatorID(originator),
		Company: access.CompanyOf(broker, "org"), Organization: "org", Step: heloc.StepCreditMatch,
		StepSince: store.Millis(noon()), RefreshAt: store.Millis(noon()),
	}
}

func add(t *testing.T, s *store.Store, leads ...lead.Row) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i := range leads {
			if err := tx.AddLead(ctx, &leads[i], noon().Add(time.Duration(i)*time.Millisecond)); err != nil {
				return err
			}
		}
		return nil
	})
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatalf("got %v, want no error", err)
		}
		return v
	}
}

func wantKind(t *testing.T, err error, want fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != want {
		t.Errorf("got error %v, want one that is %v", err, want)
	}
}

func userOf(id string, role access.Role) access.User {
	return access.User{Actor: access.Actor{UserID: id, Name: "Name of " + id, Email: id + "@test", Role: role,
		BrokerID: "B1", Organization: "org"}}
}
