package headroom

import (
	"encoding/json"
	"os"
	"testing"
)

// Compares signatures and paths with those that Headroom expects.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Signatures []struct{ Why, Secret, Timestamp, Method, Target, Body, Signature string }
		Targets    []struct{ OrderID, Target string }
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Signatures) == 0 || len(vectors.Targets) == 0 {
		t.Fatal("vectors.json is empty, expected signatures and targets")
	}
	for _, each := range vectors.Signatures {
		signature := SignatureOf(each.Secret, each.Timestamp, each.Method, each.Target, []byte(each.Body))
		if signature != each.Signature {
			t.Errorf("%s: %s, expected %s", each.Why, signature, each.Signature)
		}
	}
	for _, each := range vectors.Targets {
		if target := StatusTarget(each.OrderID); target != each.Target {
			t.Errorf("%q: %s, expected %s", each.OrderID, target, each.Target)
		}
	}
}
