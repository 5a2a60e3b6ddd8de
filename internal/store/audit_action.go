package store

import (
	"slices"

	"hearthline/internal/heloc"
)

// AuditAction names what was done. Only listed actions can be written, because each needs a display text.
type AuditAction string

// The actions, in addition to one for each operation at the lender (ActionOf).
const (
	ActionSignIn          AuditAction = "login"
	ActionSecondFactor    AuditAction = "second-factor" // rejected; an accepted one is audited as a sign-in
	ActionStepUp          AuditAction = "step-up"
	ActionDenied          AuditAction = "refused"
	ActionSignOut         AuditAction = "logout"
	ActionEndSession      AuditAction = "session.end"
	ActionEndOthers       AuditAction = "session.end-others"
	ActionTooManySessions AuditAction = "session.crowded" // ended because the user started a sixth
	ActionAlert           AuditAction = "alert"
	ActionPushOn          AuditAction = "push.on" // a browser shows notifications
	ActionPushOff         AuditAction = "push.off"

	ActionPasswordChange   AuditAction = "password.change"
	ActionPasswordReset    AuditAction = "password.reset" // by an emailed link
	ActionAccountReset     AuditAction = "password.renew" // including all second factors
	ActionFactorAdd        AuditAction = "factor.add"
	ActionFactorRemove     AuditAction = "factor.remove"
	ActionFactorRename     AuditAction = "factor.rename"
	ActionRecoveryUsed     AuditAction = "factor.recovery-used"
	ActionRecoveryRenewed  AuditAction = "factor.recovery-renewed"
	ActionLinkActivate     AuditAction = "link.activate"
	ActionLinkInvite       AuditAction = "link.invite"
	ActionLinkReset        AuditAction = "link.reset"
	ActionLinkAccountReset AuditAction = "link.renew"
	ActionLinkNewEmail     AuditAction = "link.address"
	ActionLinkRevoke       AuditAction = "link.revoke"
	ActionEmailChange      AuditAction = "email.change"
	ActionUserAdd          AuditAction = "user.add"
	ActionUserRehash       AuditAction = "user.rehash"
	ActionUserReopen       AuditAction = "user.open"
	ActionUserRole         AuditAction = "user.role"
	ActionUserAssists      AuditAction = "user.assists" // for whom an assistant works
	ActionUserDisable      AuditAction = "user.disable"
	ActionUserSignOut      AuditAction = "user.sign-out"
	ActionUserLock         AuditAction = "user.shut" // only an account reset link unlocks it
	// a change that requires two people: requested, decided by somebody else or withdrawn; the effect has its own action
	ActionRequest         AuditAction = "request.create"
	ActionRequestApprove  AuditAction = "request.approve"
	ActionRequestDecline  AuditAction = "request.decline"
	ActionRequestWithdraw AuditAction = "request.withdraw"
	ActionSSOPermit       AuditAction = "sso.permit" // the next single sign-on may link the account
	ActionSSOValues       AuditAction = "sso.values" // values of the provider count as two factors
	ActionLicense         AuditAction = "license.set"
	ActionBranding        AuditAction = "branding.set"
	ActionShare           AuditAction = "share.create"
	ActionShareRevoke     AuditAction = "share.revoke"
	ActionShareOpen       AuditAction = "share.open"
	ActionAuditHeads      AuditAction = "audit.heads"
	ActionAuditTrim       AuditAction = "audit.cut" // rows older than the retention period were deleted
	ActionKeysRotate      AuditAction = "keys.rotate"
	ActionKeysRewrap      AuditAction = "keys.rewrap"
	ActionKeysFinish      AuditAction = "keys.finish"
	ActionKeysRetire      AuditAction = "keys.retire"
	ActionRestore         AuditAction = "database.restore" // a backup replaced the database
	ActionLeadOpen        AuditAction = "lead.open"
	ActionSearch          AuditAction = "leads.search" // by a borrower's data; the object is a keyed digest
	ActionDraftOpen       AuditAction = "draft.open"
	ActionAuditRead       AuditAction = "audit.read"
	ActionUsersRead       AuditAction = "users.read" // the list, or one account
	ActionCalendarFetch   AuditAction = "calendar.fetch"
	ActionReveal          AuditAction = "borrower.reveal"
	ActionContact         AuditAction = "borrower.contact" // a phone number or an email was shown
	ActionContactLog      AuditAction = "contact.log"      // a user reported that they contacted the borrower
	ActionBorrowerLink    AuditAction = "borrower.link"
	ActionDownload        AuditAction = "document.download"
	ActionOfferSheet      AuditAction = "lead.sheet"
	ActionLoanFile        AuditAction = "lead.loan-file" // the lead with borrower details, as a file for an LOS
	ActionExport          AuditAction = "leads.export"
	ActionLimit           AuditAction = "limit.reached" // of what a user or a company may do within an hour
	ActionReportExport    AuditAction = "report.export"
	ActionReportZone      AuditAction = "report.zone" // the time zone of a company's months
	// our payments of a rate type were wrong, so they are no longer shown
	ActionPaymentsStop    AuditAction = "payments.stop"
	ActionPaymentsConfirm AuditAction = "payments.confirm" // an administrator uses them again
	ActionViewShare       AuditAction = "view.share"       // a saved view, with the company; also the end of that
	ActionCalendarFeed    AuditAction = "calendar.feed"
	ActionPayoffPlan      AuditAction = "lead.payoff-plan"
	ActionLegalHold       AuditAction = "lead.hold"
	ActionLegalHoldLift   AuditAction = "lead.lift"
	ActionLeadDelete      AuditAction = "lead.forget"
	ActionAdopt           AuditAction = "lead.adopt"
	ActionClone           AuditAction = "lead.clone"
	ActionUnassign        AuditAction = "lead.unassign"
	ActionReturn          AuditAction = "lead.return" // an originator got back a lead that they had lost
	ActionNudge           AuditAction = "lead.nudge"
	ActionAbsence         AuditAction = "absence.set"
	ActionAbsenceDelete   AuditAction = "absence.delete"
	ActionDirectoryHold   AuditAction = "directory.hold"      // a read of the directory would have changed too much
	ActionDirectoryClear  AuditAction = "directory.clear"     // a later read did not
	ActionDirectoryApply  AuditAction = "directory.apply"     // an administrator approved the pending changes
	ActionDirectoryKeep   AuditAction = "directory.disregard" // an administrator disregarded them
	// an administrator reversed a closure that an absence from the directory had caused
	ActionDirectoryUndo AuditAction = "directory.undo"
	ActionDraftTransfer AuditAction = "draft.hand"
	ActionDraftLink     AuditAction = "draft.link"
	ActionDraftDelete   AuditAction = "draft.delete"
	ActionDraftImport   AuditAction = "draft.import" // created from a loan file
	ActionSetAside      AuditAction = "lead.set-aside"
	ActionBulkReassign  AuditAction = "leads.hand-over"
	ActionRulesSet      AuditAction = "rules.set"    // the assignment rules of a company
	ActionRulesPause    AuditAction = "rules.pause"  // by a manager, or by the portal itself
	ActionRulesResume   AuditAction = "rules.resume" // in the name of the manager who did it
	// a run of the rules, in the name of the manager who set them
	ActionRulesAssign            AuditAction = "rules.assign"
	ActionRepullPlan             AuditAction = "repull.plan"
	ActionRepullCancel           AuditAction = "repull.drop"
	ActionRepullReassign         AuditAction = "repull.carry"
	ActionRepullDue              AuditAction = "repull.due"
	ActionEmbedAdd               AuditAction = "embed.add"
	ActionEmbedChange            AuditAction = "embed.change"
	ActionEmbedRotate            AuditAction = "embed.rotate"
	ActionEmbedAttest            AuditAction = "embed.attest"
	ActionEmbedRevokeAttestation AuditAction = "embed.unattest"
	ActionEmbedDisable           AuditAction = "embed.close"
	ActionEmbedEnable            AuditAction = "embed.open"
	ActionEmbedEvents            AuditAction = "embed.events"
	ActionEmbedEventSecret       AuditAction = "embed.event-secret"
	ActionEmbedKeys              AuditAction = "embed.keys"
	ActionEmbedConnect           AuditAction = "embed.connect"
	ActionEmbedConfirm           AuditAction = "embed.confirm"
	ActionEmbedMismatch          AuditAction = "embed.mismatch"
	ActionEmbedRelease           AuditAction = "embed.pass-on"
	ActionEmbedLinkRecord        AuditAction = "embed.take-lead"
	ActionEmbedUnlinkRecord      AuditAction = "embed.take-lead-off"
	ActionEmbedDisconnect        AuditAction = "embed.disconnect"
)

// Actions lists every action, for display texts and for the audit's check.
func Actions() []AuditAction {
	all := []AuditAction{
		ActionSignIn, ActionSecondFactor, ActionStepUp, ActionDenied, ActionSignOut, ActionEndSession, ActionEndOthers,
		ActionTooManySessions, ActionAlert, ActionPushOn, ActionPushOff, ActionPasswordChange, ActionPasswordReset,
		ActionAccountReset, ActionFactorAdd,
		ActionFactorRemove, ActionFactorRename, ActionRecoveryUsed, ActionRecoveryRenewed,
		ActionLinkActivate, ActionLinkInvite, ActionLinkReset, ActionLinkAccountReset, ActionLinkNewEmail, ActionLinkRevoke,
		ActionEmailChange, ActionUserAdd, ActionUserRehash, ActionUserReopen, ActionUserRole, ActionUserAssists,
		ActionUserDisable,
		ActionUserSignOut, ActionUserLock, ActionRequest, ActionRequestApprove, ActionRequestDecline, ActionRequestWithdraw,
		ActionSSOPermit, ActionSSOValues, ActionLicense, ActionBranding, ActionShare, ActionShareRevoke, ActionShareOpen,
		ActionAuditHeads, ActionAuditTrim, ActionKeysRotate, ActionKeysRewrap, ActionKeysFinish, ActionKeysRetire,
		ActionRestore, ActionSearch, ActionDraftOpen, ActionAuditRead, ActionUsersRead, ActionCalendarFetch,
		ActionLeadOpen, ActionReveal, ActionContact, ActionContactLog, ActionBorrowerLink, ActionDownload, ActionOfferSheet,
		ActionLoanFile, ActionExport, ActionLimit, ActionReportExport, ActionReportZone, ActionPaymentsStop,
		ActionPaymentsConfirm,
		ActionViewShare, ActionCalendarFeed, ActionPayoffPlan, ActionLegalHold, ActionLegalHoldLift, ActionLeadDelete,
		ActionAdopt, ActionClone, ActionUnassign, ActionReturn, ActionNudge, ActionAbsence, ActionAbsenceDelete,
		ActionDirectoryHold, ActionDirectoryClear, ActionDirectoryApply, ActionDirectoryKeep, ActionDirectoryUndo,
		ActionDraftTransfer, ActionDraftLink, ActionDraftDelete, ActionDraftImport, ActionSetAside, ActionBulkReassign,
		ActionRulesSet, ActionRulesPause, ActionRulesResume, ActionRulesAssign,
		ActionRepullPlan, ActionRepullCancel, ActionRepullReassign, ActionRepullDue,
		ActionEmbedAdd, ActionEmbedChange, ActionEmbedRotate, ActionEmbedAttest, ActionEmbedRevokeAttestation,
		ActionEmbedDisable, ActionEmbedEnable, ActionEmbedEvents, ActionEmbedEventSecret, ActionEmbedConnect,
		ActionEmbedConfirm, ActionEmbedKeys,
		ActionEmbedMismatch, ActionEmbedRelease, ActionEmbedLinkRecord, ActionEmbedUnlinkRecord, ActionEmbedDisconnect,
	}
	for _, op := range heloc.Operations() {
		all = append(all, ActionOf(op))
	}
	return all
}

// ActionOf returns the action for an operation at the lender.
func ActionOf(op heloc.Operation) AuditAction { return AuditAction("operation." + string(op)) }

func (a AuditAction) listed() bool { return slices.Contains(Actions(), a) }
