"""Compares signatures and paths with those that Headroom expects: python3 -m unittest"""

import json
import pathlib
import unittest

from headroom import signature_headers, status_target

FILE = pathlib.Path(__file__).parent.parent / "vectors.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))


class Vectors(unittest.TestCase):
    def test_signatures(self):
        self.assertGreater(len(VECTORS["signatures"]), 0)
        for each in VECTORS["signatures"]:
            with self.subTest(each["why"]):
                given = (each[name] for name in ("appId", "secret", "created", "nonce", "method", "target", "headers"))
                found = signature_headers(*given, each["body"].encode())
                self.assertEqual(found.get("Content-Digest", ""), each["contentDigest"])
                self.assertEqual(found["Signature-Input"], each["signatureInput"])
                self.assertEqual(found["Signature"], each["signature"])

    def test_targets(self):
        self.assertGreater(len(VECTORS["targets"]), 0)
        for each in VECTORS["targets"]:
            with self.subTest(each["orderId"]):
                self.assertEqual(status_target(each["orderId"]), each["target"])
