-- What the borrower was shown when an offer was selected, and what the lender then booked. NULL is a figure that was not shown
-- or is not booked yet; amounts are cents, rates ten-thousandths of a point, discounts their types, one a line. A match is confirmed
-- at once, a difference by a second reading.
CREATE TABLE figure_checks (
  op_id TEXT PRIMARY KEY REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  company TEXT NOT NULL,
  offer_uuid TEXT NOT NULL,
  rate_type TEXT NOT NULL,
  shown_at BIGINT NOT NULL,
  shown_amount BIGINT,
  shown_rate BIGINT,
  shown_discounts TEXT NOT NULL,
  shown_payment BIGINT,
  shown_loan_amount BIGINT,
  shown_fee BIGINT,
  outcome TEXT NOT NULL DEFAULT '',
  compared_at BIGINT NOT NULL DEFAULT 0,
  confirmed_at BIGINT NOT NULL DEFAULT 0,
  booked_amount BIGINT,
  booked_rate BIGINT,
  booked_discounts TEXT NOT NULL DEFAULT '',
  booked_payment BIGINT,
  booked_loan_amount BIGINT,
  booked_fee BIGINT
);
CREATE INDEX figure_checks_app ON figure_checks (app_uuid);
CREATE INDEX figure_checks_company ON figure_checks (company, confirmed_at, op_id);
CREATE INDEX figure_checks_rate_type ON figure_checks (rate_type, compared_at, op_id);
