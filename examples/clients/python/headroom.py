"""A client of Headroom: signs each call, repeats it safely, and holds a limit around a payment.

Copy this file into your service. Python 3.9 or newer, standard library only.
"""

import base64
import hashlib
import hmac
import http.client
import json
import logging
import queue
import random
import secrets
import socket
import threading
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Optional
from urllib.parse import quote, urlsplit

FIRST_PAUSE_SECONDS, PAUSE_SECONDS_MAX, DOUBLINGS_MAX = 0.2, 5.0, 10
ANSWER_BYTES_MAX = 8_000_000  # a Lambda function answers 6 MB at most
PAID_BEFORE = {"confirmed": "confirmed-before", "partlyRefunded": "partlyRefunded", "refunded": "refunded"}
log = logging.getLogger("headroom")


class HeadroomError(Exception):
    """A call without an answer.

    `code` is the code of Headroom's problem (docs/problems.md), `NO_ANSWER` if nothing answered, or
    `UNEXPECTED_ANSWER` if something else than Headroom answered. After a `retryable` error it is
    unknown whether the call took effect: send the same call again, which is safe.
    """

    def __init__(self, code: str, message: str, retryable: bool, retry_after: float = 0):
        super().__init__(f"{message} ({code})")
        self.code, self.retryable, self.retry_after = code, retryable, retry_after


class OutcomeUnknown(Exception):
    """Raise it in your payment if you do not know how it ended: the bank timed out."""


@dataclass
class HoldResult:
    """What became of an order; see README.md for the seven outcomes."""

    outcome: str
    check: dict
    value: Any = None
    request: Optional[dict] = None  # for confirm or rollback, to be sent later
    error: Optional[Exception] = None


def signature_headers(
    app_id: str, secret: str, created: int, nonce: str, method: str, target: str, headers: dict, body: bytes
) -> dict:
    """The headers of a signature (RFC 9421). `headers` are those that decide, in small letters."""
    path, _, query = target.partition("?")
    signed, parts = {}, {"@method": method, "@path": path}
    if query:
        parts["@query"] = "?" + query
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        signed["Content-Digest"] = parts["content-digest"] = f"sha-256=:{digest}:"
    parts.update(headers)
    names = " ".join(f'"{name}"' for name in parts)
    signature_input = f'({names});created={created};keyid="{app_id}";nonce="{nonce}"'
    lines = [f'"{name}": {value}' for name, value in {**parts, "@signature-params": signature_input}.items()]
    mac = hmac.new(secret.encode(), "\n".join(lines).encode(), hashlib.sha256).digest()
    signature = f"hr=:{base64.b64encode(mac).decode()}:"
    return {**signed, "Signature-Input": f"hr={signature_input}", "Signature": signature}


def status_target(order_id: str) -> str:
    """The path of an order, encoded as JavaScript's encodeURIComponent does: so Headroom signs it."""
    if order_id in ("", ".", ".."):
        raise ValueError(f"order_id is {order_id!r}, expected an id that can stand in a path")
    return "/v1/transactions/" + quote(order_id, safe="!'()*")


class Headroom:
    """Calls a deployment as one application. Safe for several threads."""

    def __init__(self, url: str, app_id: str, secret: str, deadline: float = 30, attempt: float = 10):
        """`deadline` is for a whole call with its repeats, `attempt` for each wait in one; in seconds."""
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"url is {url!r}, expected a URL such as https://limits.example.com")
        https = address.scheme == "https"
        self._connection = http.client.HTTPSConnection if https else http.client.HTTPConnection
        self._host, self._prefix = address.netloc, address.path.rstrip("/")
        self._app_id, self._secret = app_id, secret
        self._deadline, self._attempt = deadline, attempt

    def check(self, order: dict) -> dict:
        """Asks whether an order may happen, and holds its share. A refusal is an answer."""
        return self._call("POST", "/v1/check", order, decision=("allowed", "refused"), repeated=())

    def confirm(self, request: dict) -> dict:
        """Tells Headroom that the order was paid."""
        return self._call("POST", "/v1/confirm", request, state=tuple(PAID_BEFORE), repeated=())

    def rollback(self, request: dict) -> dict:
        """Tells Headroom that the order was not paid. This is final."""
        return self._call("POST", "/v1/rollback", request, state=("rolledBack",), repeated=())

    def status(self, order_id: str) -> dict:
        """Asks what became of an order."""
        return self._call("GET", status_target(order_id), None, state=(), history=())

    def with_hold(self, order: dict, pay: Callable[[dict], Any]) -> HoldResult:
        """Checks an order, runs `pay`, and confirms; rolls back if `pay` raises an exception.

        `pay` may run twice for one order, for example if a process died. Give the bank the order's id
        as its idempotency key.
        """
        if order.get("dryRun") or order.get("capture"):
            raise ValueError("order has dryRun or capture, expected neither: with_hold must hold")
        check = self._known_check(order)
        if check["decision"] == "refused":
            return HoldResult("refused", check)
        if check["state"] in PAID_BEFORE:
            return HoldResult(PAID_BEFORE[check["state"]], check)
        try:
            value = pay(check)
        except OutcomeUnknown as error:
            return HoldResult("unknown", check, request=_place(order, check), error=error)
        except Exception as failure:  # not KeyboardInterrupt: how the payment ended is unknown then
            code = getattr(failure, "reason_code", None)  # by which rules count failures
            coded = {"reasonCode": code} if isinstance(code, str) else {}
            try:
                self.rollback({**_place(order, check), **coded})
            except Exception as error:  # the caller must see why its payment failed
                log.warning("rollback of %s failed, its hold will expire: %s", order["orderId"], error)
            raise
        # All of it was paid while nothing was decided, and less may be held by then.
        is_whole = check.get("undecided") and order.get("partial")
        paid = {"amount": order["amount"]} if is_whole else {}
        try:
            if check.get("undecided"):  # the payment has to be held before it can be confirmed
                check = self._known_check(order)
                if check["decision"] == "refused" or check.get("undecided"):
                    raise HeadroomError("NOT_HELD", "paid, but the check did not hold it", False)
            state = self.confirm({**_place(order, check), **paid})["state"]
            return HoldResult(state, check, value)  # the order may have been refunded meanwhile
        except Exception as error:  # whatever it is, the caller must know that it was paid
            return HoldResult("unconfirmed", check, value, {**_place(order, check), **paid}, error)

    def _known_check(self, order: dict) -> dict:
        """Only an answer that this client knows may start a payment."""
        check = self.check(order)
        state, reservation = check.get("state"), check.get("reservation")
        is_held = state == "held" and isinstance(reservation, str) and reservation != ""
        is_undecided = state == "none" and check.get("undecided") is True
        is_paid = isinstance(state, str) and state in PAID_BEFORE
        if check["decision"] == "refused" or is_held or is_undecided or is_paid:
            return check
        message = f"the check is answered with state {state!r} and reservation {reservation!r}, expected a hold"
        raise HeadroomError("UNEXPECTED_ANSWER", message, False)

    def _call(self, method: str, target: str, request: Optional[dict], **members: tuple) -> dict:
        """Sends the same bytes until they are answered, or until the deadline.

        An answer has all `members`, each with one of its values, or with any if there are none.
        """
        body = b"" if request is None else json.dumps(request, ensure_ascii=False).encode()
        ends_at = time.monotonic() + self._deadline
        attempts = 0
        while True:
            seconds = max(0.001, min(self._attempt, ends_at - time.monotonic()))
            try:
                return _answer_in(*self._send(method, target, body, seconds), members)
            except HeadroomError as error:
                doubled = FIRST_PAUSE_SECONDS * 2 ** min(attempts, DOUBLINGS_MAX)
                # A random pause: callers that failed together do not come back together.
                pause = error.retry_after + random.uniform(0, min(PAUSE_SECONDS_MAX, doubled))
                if not error.retryable or time.monotonic() + pause >= ends_at:
                    raise
            attempts += 1
            time.sleep(pause)

    def _send(self, method: str, target: str, body: bytes, seconds: float) -> tuple:
        """Sends once. Returns the status, the Retry-After header and the body."""
        # Headroom may take each signature once, so the nonce of a repeat differs.
        created, nonce = int(time.time()), secrets.token_hex(16)
        headers = {
            "Content-Type": "application/json",
            **signature_headers(self._app_id, self._secret, created, nonce, method, target, {}, body),
        }
        connection = self._connection(self._host, timeout=seconds)
        ends_at = time.monotonic() + seconds
        came: queue.SimpleQueue = queue.SimpleQueue()

        def exchange() -> None:
            try:
                connection.connect()
                if time.monotonic() < ends_at:
                    connection.request(method, self._prefix + target, body or None, headers)
                    response = connection.getresponse()
                    text = _body_of(response)
                    came.put((response.status, response.getheader("Retry-After", ""), text))
            except Exception as error:
                came.put(error)
            finally:
                connection.close()

        # A socket's timeout is for each read, so a slow answer would take for ever. Names have none.
        threading.Thread(target=exchange, daemon=True).start()
        try:
            answered = came.get(timeout=seconds)
        except queue.Empty:
            _cut(connection)
            raise HeadroomError("NO_ANSWER", f"no answer within {seconds:.1f} s", True) from None
        if isinstance(answered, (OSError, http.client.HTTPException)):
            raise HeadroomError("NO_ANSWER", f"no answer: {answered!r}", True) from answered
        if isinstance(answered, Exception):
            raise answered
        return answered


def _cut(connection: http.client.HTTPConnection) -> None:
    """Ends a read that waits in another thread."""
    try:
        connection.sock.shutdown(socket.SHUT_RDWR)
    except (AttributeError, OSError):
        pass  # not connected, or no longer


def _body_of(response: http.client.HTTPResponse) -> bytes:
    """Reads the body, or the beginning of one that is longer than any of Headroom."""
    body = b""
    while len(body) <= ANSWER_BYTES_MAX:
        part = response.read(65_536)
        if not part and response.length:
            raise http.client.IncompleteRead(body, response.length)
        if not part:
            break
        body += part
    return body


def _answer_in(status: int, after: str, text: bytes, members: dict) -> dict:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        answer = {}
    # The members tell it from a page for signing in, which is 200, too.
    if status == 200 and all(
        name in answer and (not values or answer[name] in values) for name, values in members.items()
    ):
        return answer
    retryable = status == 429 or status >= 500
    if isinstance(answer.get("code"), str) and isinstance(answer.get("detail"), str):
        raise HeadroomError(answer["code"], answer["detail"], retryable, _seconds_in(after))
    message = f"HTTP {status} with {text[:200]!r}, expected an answer of Headroom"
    raise HeadroomError("UNEXPECTED_ANSWER", message, retryable, _seconds_in(after))


def _seconds_in(after: str) -> float:
    """Reads Retry-After: seconds, or an instant (RFC 9110, 10.2.3)."""
    if after.isdecimal() and after.isascii():
        return int(after[:10])  # ten digits are later than any deadline
    try:
        return max(0.0, parsedate_to_datetime(after).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _place(order: dict, check: dict) -> dict:
    """Where the order is held: its reservation; without one, its subjects."""
    if isinstance(check.get("reservation"), str):
        return {"orderId": order["orderId"], "reservation": check["reservation"]}
    return {"orderId": order["orderId"], "subjects": order["subjects"]}
