// Package storetest is what every database under the portal must do.
//
//	storetest.go  Run, and what the tests share
//	user.go     accounts, sessions, failed log-ins, the directory
//	alert.go      measures, refusals, alerts, places
//	identity.go   second factors, ceremonies, sessions proved once more
//	mail.go       the outbox, invitations, sign-on identities
//	embed.go      CRMs, launches, links, references
//	lead.go       leads: standing, revision, hints, parts, events
//	list.go       pages by key, counts, search
//	activity.go        notes, follow-ups, planned re-pulls, looks at borrowers, dates
//	notice.go     notifications: once, by key, read, dropped
//	isolation.go       scopes: what lies outside is not found by any road
//	journal.go    operations, leases, consents, quotes, choices
//	draft.go     drafts, webhooks, strangers
//	reencryption.go    what lies under older keys
//	audit.go      the chain, the backup
//
// It takes an opener, so that the same suite holds for each database.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Opener gives an empty store of the newest schema, which ends with the test. Its audit
// must be marked with a MAC that depends on every part.
type Opener func(t *testing.T) *store.Store

// Run holds a store against everything that the portal expects of one.
func Run(t *testing.T, open Opener) {
	for _, story := range []struct {
		name string
		tell func(t *testing.T, s *store.Store)
	}{
		{"a session and its person are one look", sessionWithUser},
		{"a closed account and a new role count at once", accountChanges},
		{"a person has five sessions", sessionLimit},
		{"sessions in one millisecond keep the new one", sessionsAtOnce},
		{"a session that was left alone is not listed", sessionsIdleOut},
		{"sessions end", sessionsEnd},
		{"of two attempts at once one is counted", signInFailuresCounted},
		{"failures are forgotten", signInFailuresDropped},
		{"an e-mail is taken once", emailTaken},
		{"an originator has one open account", originatorOnce},
		{"the directory prevails over the account", directoryWins},
		{"who left the directory is marked", removedOriginatorsMarked},
		{"a sighting takes no leads", seeOriginatorTakesNoLeads},
		{"news begin with the account", updatesBegin},

		{"credentials are their person's", credentials},
		{"a step of time is taken once", totpStepsOnce},
		{"a recovery code is spent once", recoveryOnce},
		{"a ceremony ends once", ceremonies},
		{"measures are kept and forgotten", rateLimits},
		{"refusals are counted by subject", rejectedSignInsCounted},
		{"an alert is one of its day", alertsPerDay},
		{"places are remembered", loginLocations},
		{"what a person has under way ends together", pendingEnds},
		{"a session in another role has another token", sessionsRotated},
		{"a session that is proved has another token", sessionsElevated},
		{"mails wait for their time, one taker each", mailsWait},
		{"an invitation is its company's, and used once", invitations},
		{"what was mailed to a person ends by kind, and by address", invitationsOfUser},
		{"an identity is one person's", identities},

		{"a CRM comes back as it was saved", embedClients},
		{"a launch is taken once", launchesOnce},
		{"a launch's code is spent once", launchCodesOnce},
		{"of a CRM's refusals the last of each cause is kept", embedRejections},
		{"a CRM's log-in belongs to one account", embedLinks},
		{"a launch that was ended moves on by no code", launchesEnd},
		{"a person's codes are dropped alone", launchCodesDropForUser},
		{"a launch without an end is remembered with its secret", consumedLaunches},
		{"sessions of a CRM end together", clientSessionsEnd},
		{"a CRM's frames and tabs are counted apart", sessionLocationsCountedApart},
		{"the tab takes the frame's place", tabReplacesFrame},
		{"leads are found by a record elsewhere", references},
		{"records belong to their client", records},

		{"a lead comes back as it was saved", leadRoundTrip},
		{"what follows from others never disagrees", derivedColumns},
		{"the revision rises with what can be seen", revisionRises},
		{"leads come due", leadsDue},
		{"a hint makes a lead due", webhooks},
		{"parts are replaced", parts},
		{"events are told newest first", events},
		{"waits are those that took", usualWaits},
		{"looks are kept apart", lastViews},

		{"notes are told newest first", notesSince},
		{"a follow-up is done once", followUpsDone},
		{"a lead has one plan that waits", onePlanPerLead},
		{"a plan goes along", planReassigned},
		{"who looked at a borrower is counted", revealsCounted},
		{"what was taken of a lead is counted", exportsCounted},
		{"dates follow the lead", datesFollow},
		{"what hangs on a lead goes with it", leadsDropped},

		{"a fact is told once", notifiedOnce},
		{"notifications page by key", noticesPaged},
		{"notifications are read, and go", noticesMarkedRead},
		{"who hears of a lead", peopleOfLead},
		{"looks at many leads", viewsOfManyLeads},

		{"pages have no gap and no repeat", pagesWhole},
		{"pages stay whole while rows change", pagesWhileChanging},
		{"a page filters", pageFilters},
		{"a broken key begins anew", malformedPageKey},
		{"counts stop at the limit", countsLimited},
		{"tokens find", tokensFind},
		{"tokens of two keys find alike", tokensOfSeveralKeysFind},
		{"short ids find", shortIDsFind},
		{"duplicates are open leads of the company", duplicates},

		{"walls hold on every road", scopesIsolate},

		{"an operation comes back as it was saved", operationRoundTrip},
		{"the words of a start that became no lead go", messagesDropped},
		{"unsettled starts are found", unsettledStarts},
		{"unknown writes of a lead are found", unknownWrites},
		{"two takers, one lease", leaseContended},
		{"a lease ends", leaseEnds},
		{"a beat prolongs only its own", leaseExtended},
		{"consents stand with their operation", consents},
		{"quotes are told newest first", quotes},
		{"quotes are bounded and go", quotesDropped},
		{"a choice counts when the lender took it", choices},
		{"a payoff plan is replaced", payoffPlans},

		{"a draft is its owner's", draftOwner},
		{"a begun correction is listed with its lead", draftsInScope},
		{"a hold keeps drafts from their owner", draftsUnderLegalHold},
		{"a hold keeps webhooks", webhooksUnderLegalHold},
		{"a draft stays while its start is unsettled", draftNotDeletedWhileStartUnknown},
		{"drafts of what ended go", draftsDropped},
		{"drafts that nobody touches go", draftsUnsent},
		{"a webhook is kept once", webhooksOnce},
		{"a draft is handed over once", draftTransferred},
		{"webhooks of one application are bounded", webhooksLimited},
		{"the audit is read by who, what, whom and when", auditRead},
		{"the audit drops its beginning, and stands", auditTrim},
		{"strangers are bounded", unknownApplicationsLimited},
		{"strangers are put off and forgotten", unknownApplicationsDropped},
		{"settings are remembered", settings},

		{"a renewal goes from stage to stage", reencryptions},
		{"what older keys alone compare is counted, and let go", oldKeyDependents},

		{"the audit is a chain", auditChain},
		{"a change that fails leaves no audit", auditWithChange},
		{"a backup is a whole store", backup},
		{"a failed write leaves nothing", writeRollsBack},
	} {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			story.tell(t, open(t))
		})
	}
}

// noon is the present of the tests, in milliseconds without a rest.
func noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func appID(n int) heloc.AppID { return heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)) }

// write runs f in one transaction and fails the test when it fails.
func write(t *testing.T, s *store.Store, f func(ctx context.Context, tx *store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return f(t.Context(), tx) }); err != nil {
		t.Fatalf("got %v, want no error", err)
	}
}

// leadOf makes a lead without adding it. Who is "originator/broker".
func leadOf(n int, originator, broker string) store.Lead {
	return store.Lead{
		App: appID(n), ShortID: fmt.Sprintf("1-26324-%03d", n), Originator: heloc.OriginatorID(originator), BrokerID: broker,
		Organization: "org", Step: heloc.StepCreditMatch, StepSince: store.Millis(noon()), RefreshAt: store.Millis(noon()),
	}
}

func add(t *testing.T, s *store.Store, leads ...store.Lead) {
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
	return access.User{Actor: access.Actor{UserID: id, Name: "Name of " + id, Email: id + "@test", Role: role, BrokerID: "B1", Organization: "org"}}
}
