#!/usr/bin/env python3
"""Writes schedules.csv, the reference for TestPricedOffer_EqualsReference.

The figures are computed here with decimal arithmetic of 60 digits and a sum of discount factors, and not with any code
of this repository: python3 schedules.py > schedules.csv
"""
import random
from decimal import Decimal, ROUND_HALF_UP, getcontext

getcontext().prec = 60
CENT = Decimal("0.01")


def cents(value):
    return value.quantize(CENT, ROUND_HALF_UP)


def level(loan, rate, months):
    """The payment whose present value over the months is the loan."""
    monthly = rate / 1200
    factor, present = Decimal(1), Decimal(0)
    for _ in range(months):
        factor /= 1 + monthly
        present += factor
    return cents(loan / present)


def schedule(loan, rate, months, draw_months):
    """The first payment, the one afterward, the balances and the interest of every month."""
    first = afterward = level(loan, rate, months - draw_months)
    if draw_months:
        first = cents(loan * rate / 1200)
    balance, balances, interest, payments = loan, [loan], Decimal(0), []
    for month in range(1, months + 1):
        due = cents(balance * rate / 1200)
        payment = first if month <= draw_months else afterward
        interest += due
        balance = max(Decimal(0), balance + due - payment) if month > draw_months else balance
        if month == months:
            balance = Decimal(0)  # the last payment includes what rounding left
        balances.append(balance)
        payments.append(payment)
    return first, afterward, balances, interest, payments


def break_even(lower, higher):
    """The first month in which the higher fee has cost less, for the same cash; 0 for none."""
    paid_a = paid_b = Decimal(0)
    for month in range(1, len(lower["balances"])):
        paid_a += lower["payments"][month - 1]
        paid_b += higher["payments"][month - 1]
        if paid_b + higher["balances"][month] - (higher["cash"] - lower["cash"]) < paid_a + lower["balances"][month]:
            return month
    return 0


def offer(draw, fee, rate, months, draw_months, method):
    amount = cents(draw * fee / 100)
    loan = draw + amount if method == "added" else draw
    first, afterward, balances, interest, payments = schedule(loan, rate, months, draw_months)
    return {
        "fee": amount, "loan": loan, "cash": draw if method == "added" else draw - amount, "first": first,
        "afterward": afterward if draw_months else Decimal(0), "interest": interest, "balances": balances,
        "payments": payments,
    }


def main():
    random.seed(20261127)
    print("draw,fee,rate,months,draw_months,method,fee_amount,loan,cash,payment,afterward,total_interest,"
          "balance_1,balance_middle,balance_before_last,higher_fee,lower_rate,break_even")
    for i in range(240):
        months = random.choice([60, 120, 180, 360])
        draw_months = random.choice([0, {60: 24, 120: 36, 180: 48, 360: 60}[months]])
        method = random.choice(["added", "deducted"])
        draw = Decimal(random.randrange(1_500_000, 75_000_000)) / 100
        fee = random.choice([Decimal("1.5"), Decimal("1.99"), Decimal("2.99"), Decimal(0)])
        rate = Decimal(random.randrange(66_500, 146_000, 500 if i % 2 else 1)) / 10_000
        higher_fee = fee + random.choice([Decimal(1), Decimal(2)])
        lower_rate = rate - Decimal(random.randrange(0, 12_000, 500)) / 10_000
        one = offer(draw, fee, rate, months, draw_months, method)
        other = offer(draw, higher_fee, lower_rate, months, draw_months, method)
        b = one["balances"]
        print(",".join(str(v) for v in [
            draw, fee, rate, months, draw_months, method, one["fee"], one["loan"], one["cash"], one["first"],
            one["afterward"], one["interest"], b[1], b[months // 2], b[months - 1], higher_fee, lower_rate,
            break_even(one, other)]))


main()
