package sandbox

// The enumerations of requests: interface.md section 2.5 and, for the live dialect, interface-live.md
// sections 2 and 4. They are written out rather than taken from heloc, so that a wrong name there does not
// go unnoticed here. A nil list means that the dialect does not say which values there are, so any text is
// valid.

func employmentTypes(d Dialect) []string {
	values := []string{
		"UNKNOWN", "SELF_EMPLOYED", "OTHER", "FULL_TIME", "PART_TIME", "RETIRED", "UNEMPLOYED",
		"SEPARATE_MAINTENANCE_PAYMENTS",
	}
	if d == Live {
		values = append(values, "ALIMONY", "CHILD_SUPPORT", "PUBLIC_ASSISTANCE_PROGRAM")
	}
	return values
}

func propertyTypes() []string { return []string{"UNKNOWN", "PRIMARY", "SECONDARY", "INVESTMENT"} }

func ownershipTypes() []string { return []string{"UNKNOWN", "SOLE", "JOINT", "TRUST", "LLC", "OTHER"} }

// liveOnly returns the values in the live dialect, and nil in the documented one.
func liveOnly(d Dialect, values ...string) []string {
	if d != Live {
		return nil
	}
	return values
}

func entityTypes(d Dialect) []string {
	return liveOnly(d, "SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "PARTNERSHIP", "MULTI_OWNER_LLC", "S_CORP",
		"PARTNERSHIP_OR_LLC")
}

func addressTypes(d Dialect) []string {
	return liveOnly(d, "HOME", "MAILING", "SECONDARY", "INVESTMENT")
}

func creditRatings(d Dialect) []string {
	return liveOnly(d, "UNKNOWN_CREDIT", "EXCELLENT", "GOOD", "FAIR", "POOR")
}

func employmentStatuses(d Dialect) []string {
	return liveOnly(d, "UNKNOWN_STATUS", "EMPLOYED", "UNEMPLOYED", "SELF_EMPLOYED", "MILITARY", "RETIRED")
}

func loanPurposes(d Dialect) []string {
	return liveOnly(d, "UNKNOWN_LOAN_PURPOSE", "DEBT_CONSOLIDATION", "HOME_IMPROVEMENT", "TRAVEL", "EDUCATION",
		"HEALTH_OR_MEDICAL",
		"CARING_FOR_FAMILY", "RETIREMENT", "MAJOR_PURCHASE", "OTHER")
}
