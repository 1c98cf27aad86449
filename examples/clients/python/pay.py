"""Makes one payment at a pretended bank, and prints what became of the order.

    HEADROOM_URL=http://127.0.0.1:3000 HEADROOM_APP_ID=sample HEADROOM_SECRET=hrs_… \
        python3 pay.py ORDER_ID AMOUNT [pays | declines | times-out]
"""

import json
import sys
from os import environ

from headroom import Headroom, OutcomeUnknown


class Declined(Exception):
    pass


def main(order_id: str, amount: str, bank: str = "pays") -> None:
    headroom = Headroom(
        environ["HEADROOM_URL"],
        environ["HEADROOM_APP_ID"],
        environ["HEADROOM_SECRET"],
        deadline=float(environ.get("HEADROOM_DEADLINE_SECONDS", "30")),
    )
    order = {
        "orderId": order_id,
        "type": "PAYMENT",
        "subjects": {"user": "user of " + order_id},
        "amount": int(amount),
        "currency": "CNY",
    }
    receipts = []

    def pay(check: dict) -> str:
        # Here your service asks the bank, with the order's id as the idempotency key.
        if bank == "declines":
            raise Declined("the bank declined")
        if bank == "times-out":
            raise OutcomeUnknown("the bank timed out")
        receipts.append("receipt of " + order_id)
        return receipts[0]

    try:
        result = headroom.with_hold(order, pay)
        report = {"outcome": result.outcome, "refusedBy": result.check["refusedBy"]}
        report.update(request=result.request, code=getattr(result.error, "code", None))
    except Declined:
        report = {"outcome": "declined"}
    report["paid"] = len(receipts)
    if report["outcome"] != "refused":
        report["state"] = headroom.status(order_id)["state"]
    print(json.dumps(report))


main(*sys.argv[1:])
