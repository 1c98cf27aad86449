"""Compares signatures and paths with those that Headroom expects: python3 -m unittest"""

import json
import pathlib
import unittest

from headroom import signature_of, status_target

FILE = pathlib.Path(__file__).parent.parent / "vectors.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))


class Vectors(unittest.TestCase):
    def test_signatures(self):
        self.assertGreater(len(VECTORS["signatures"]), 0)
        for each in VECTORS["signatures"]:
            with self.subTest(each["why"]):
                given = (each["secret"], each["timestamp"], each["method"], each["target"])
                self.assertEqual(signature_of(*given, each["body"].encode()), each["signature"])

    def test_targets(self):
        self.assertGreater(len(VECTORS["targets"]), 0)
        for each in VECTORS["targets"]:
            with self.subTest(each["orderId"]):
                self.assertEqual(status_target(each["orderId"]), each["target"])
