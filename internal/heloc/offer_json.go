package heloc

import "encoding/json"

// UnmarshalJSON decodes the usual form of an offer's JSON quickly, and every other form as encoding/json does. A lead has
// dozens of offers, and each of its pages decodes them.
func (o *Offer) UnmarshalJSON(b []byte) error {
	if o.decodeQuickly(b) {
		return nil
	}
	type plain Offer
	return json.Unmarshal(b, (*plain)(o))
}

// decodeQuickly decodes valid JSON of the usual form: known keys only, none of them null. It reports false, and leaves the
// offer as it was, for any other.
func (o *Offer) decodeQuickly(b []byte) bool {
	q, decoded := quickJSON{rest: string(b)}, *o
	q.object(func(key string) {
		switch key {
		case "uuid":
			decoded.UUID = q.text()
		case "minAmount":
			decoded.MinAmount = q.money()
		case "maxAmount":
			decoded.MaxAmount = q.money()
		case "rate":
			decoded.Rate = q.rate()
		case "primeRate":
			decoded.PrimeRate = q.rate()
		case "term":
			decoded.Term = q.count()
		case "rateType":
			decoded.RateType = OfferRateType(q.text())
		case "originationFeePercent":
			decoded.OriginationFeePercent = q.rate()
		case "appliedOriginationFeeCapAmount":
			decoded.FeeCapAmount = q.money()
		case "preDiscountOriginationFee":
			decoded.PreDiscountOriginationFee = q.rate()
		case "discountList":
			decoded.Discounts = q.discounts(decoded.Discounts)
		default:
			q.fail()
		}
	})
	if q.ended() {
		*o = decoded
	}
	return q.ended()
}

// discounts reads a list of discounts; it fails if there is one already.
func (q *quickJSON) discounts(already []Discount) []Discount {
	if already != nil {
		q.fail()
	}
	all := []Discount{}
	q.array(func() {
		var d Discount
		q.object(func(key string) {
			switch key {
			case "type":
				d.Type = DiscountType(q.text())
			case "rateDiscountAmount":
				d.RateAmount = q.rate()
			default:
				q.fail()
			}
		})
		all = append(all, d)
	})
	return all
}
