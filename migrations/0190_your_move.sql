-- Today is the list of leads whose move is the originator's, in whichever lane they are: a lead that waits for a follow-up stays in
-- the lane of its step, and the lane of steps at which the originator has to respond now has a name. The portal computes the
-- statuses of the leads with turns_at = 1 again, among them the frozen ones, because their move depends on whether the borrower was told.
UPDATE leads SET turns_at = 1, lane = CASE
    WHEN stand IN ('borrower-sign-in', 'chase-sign-in', 'broker-documents', 'chase-documents') THEN 'borrower'
    WHEN stand = 'in-progress' THEN 'lender'
    WHEN stand IN ('complete', 'application', 'disclosures', 'signing', 'signed', 'rescission', 'funding') THEN 'closing'
    WHEN stand IN ('cancelled', 'declined', 'expired', 'withdrawn', 'funded') OR stand = 'no-offers' AND set_aside_at <> 0 THEN 'ended'
    ELSE 'blocked' END
  WHERE lane = 'today';
UPDATE leads SET turns_at = 1 WHERE step = 'UNFREEZE_CREDIT' AND lane <> 'ended';

CREATE INDEX leads_own_mover_due ON leads (originator_uuid, mover, due_sort, app_uuid);
CREATE INDEX leads_co_mover_due ON leads (company, mover, due_sort, app_uuid, originator_uuid);
